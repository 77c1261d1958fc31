//! Template files of venues: definitions of our own with the constructs of published files, and such files where they
//! are at hand.

use std::path::{Path, PathBuf};

use saker_fast::Templates;

use super::text;

/// Files in the test data's `templates`.
const PUBLISHED: [&str; 5] = [
    "cme.xml",
    "eurex-rdd-1.1.xml",
    "eurex-rdd-1.2.xml",
    "fast_template_STEP1.20_SZ_1.00.xml",
    "forts.xml",
];

/// Names and texts of the files that are there.
pub fn files() -> Vec<(String, String)> {
    // Of whichever crate the tests are.
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fast/tests/venues");
    let mut files = folder(&own);
    if let Some(text) = text("moex/test.xml") {
        files.push(("moex-test.xml".to_owned(), text));
    }
    for name in PUBLISHED {
        if let Some(text) = text(&format!("templates/{name}")) {
            files.push((name.to_owned(), text));
        }
    }
    if let Some(venues) = std::env::var_os("SAKER_VENUES") {
        for file in folder(&PathBuf::from(venues)) {
            if files.iter().all(|(name, _)| *name != file.0) {
                files.push(file);
            }
        }
    }
    files
}

fn folder(path: &Path) -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let is_definition = |path: &&PathBuf| path.extension().is_some_and(|it| it == "xml");
    paths
        .iter()
        .filter(is_definition)
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect()
}

pub fn with_identifier(templates: &Templates) -> bool {
    templates.all().iter().any(|template| template.id.number.is_some())
}

/// A definition that has no template with an identifier, as one for a feed that tells the template
/// by other means, gets one for the first.
pub fn identified(xml: &str) -> String {
    xml.replacen("<template name=", "<template id=\"1\" name=", 1)
}
