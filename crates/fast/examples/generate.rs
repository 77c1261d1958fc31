//! Writes the code for a template definition: `generate TEMPLATES.xml > templates.rs`.

use saker_fast::generate::Generator;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: generate TEMPLATES.xml")?;
    print!("{}", Generator::from_file(path)?.generate()?);
    Ok(())
}
