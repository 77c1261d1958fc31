//! The rules of validation, each broken once.

use super::*;
use crate::parse::frame;
use crate::test_wire::message;

const HEADER: &str = "34=2|49=A|52=20180112-23:28:59.432|56=B|";

fn check(dictionary: &Dictionary, msg_type: &str, body: &str) -> Option<(RejectReason, u32)> {
    let bytes = message(&format!("35={msg_type}|{HEADER}{body}"));
    let (message, _) = frame(&bytes).unwrap().unwrap();
    dictionary.validate(&message, false).err().map(|found| (found.reason, found.tag))
}

const ORDER: &str = "11=1|40=2|54=1|60=20180112-23:28:59|";
const MD_REQUEST: &str = "262=1|263=1|264=0|";

#[test]
fn each_broken_rule_is_named() {
    use RejectReason::*;
    type Case = (&'static str, &'static str, Option<(RejectReason, u32)>);
    let cases: &[Case] = &[
        ("D", "", None),
        ("D", "9999=x|", Some((InvalidTagNumber, 9999))),
        ("D", "0=x|", Some((InvalidTagNumber, 0))),
        ("D", "-1=x|", Some((InvalidTagNumber, 0))),
        ("D", "262=x|", Some((TagNotDefinedForMessage, 262))),
        ("D", "901=x|", Some((TagNotDefinedForMessage, 901))),
        ("D", "58=|", Some((TagWithoutValue, 58))),
        ("D", "59=X|", Some((ValueIncorrect, 59))),
        ("D", "59=00|", Some((IncorrectDataFormat, 59))),
        ("D", "38=+200.00|", Some((IncorrectDataFormat, 38))),
        ("D", "58=a|58=b|", Some((TagAppearsMoreThanOnce, 58))),
        ("D", "58=a|50=b|", Some((TagOutOfOrder, 50))),
        ("D", "93=1|89=s|58=a|", Some((TagOutOfOrder, 58))),
        ("D", "354=3|355=a\x01b|", None),
        ("D", "453=2|448=p|447=D|448=q|802=1|523=s|803=4|38=5|", None),
        ("D", "453=2|448=p|447=D|", Some((IncorrectNumInGroup, 453))),
        ("D", "453=1|447=D|448=p|", Some((GroupFieldsOutOfOrder, 447))),
        ("D", "453=1|448=p|802=2|523=s|", Some((IncorrectNumInGroup, 802))),
        ("D", "453=1|448=p|447=D|447=D|", Some((TagAppearsMoreThanOnce, 447))),
        ("V", "267=1|269=0|146=2|55=A|55=B|", None),
        ("V", "267=0|146=1|55=A|", None),
        ("V", "146=1|55=A|", Some((RequiredTagMissing, 267))),
        ("V", "267=1|269=Z|146=1|55=A|", Some((ValueIncorrect, 269))),
    ];
    let dictionary = Dictionary::builtin();
    for &(msg_type, body, expected) in cases {
        let start = if msg_type == "D" { ORDER } else { MD_REQUEST };
        assert_eq!(check(&dictionary, msg_type, &format!("{start}{body}")), expected, "{body}");
    }
    assert_eq!(check(&dictionary, "D", "40=2|54=1|"), Some((RequiredTagMissing, 11)));
}

#[test]
fn every_tag_that_a_builtin_message_allows_has_a_type() {
    fn check(dictionary: &Dictionary, fieldset: &Fieldset) {
        for tag in (1..=MAX_TAG).filter(|&tag| fieldset.allowed.contains(tag)) {
            assert!(dictionary.field(tag).is_some(), "{tag}");
        }
        for (_, group) in &fieldset.groups {
            check(dictionary, &group.entry);
        }
    }
    let dictionary = Dictionary::builtin();
    check(&dictionary, &dictionary.header);
    for (_, fieldset) in &dictionary.messages {
        check(&dictionary, fieldset);
    }
}

#[test]
fn message_types() {
    let dictionary = Dictionary::builtin();
    assert_eq!(dictionary.status(b"D"), MessageStatus::Defined);
    assert_eq!(dictionary.status(b"BH"), MessageStatus::Unsupported);
    for unknown in [&b"I"[..], b"BI", b"ABC", b"*"] {
        assert_eq!(dictionary.status(unknown), MessageStatus::Unknown);
    }
}

const XML: &str = "<fix><header><field name='BeginString' required='Y'/></header>\
    <trailer><field name='CheckSum' required='Y'/></trailer><messages>\
    <message name='M' msgtype='M' msgcat='app'><component name='C' required='Y'/></message>\
    </messages><components><component name='C'><group name='NoXs' required='Y'>\
    <field name='X' required='Y'/></group></component></components><fields>\
    <field number='8' name='BeginString' type='STRING'/><field number='10' name='CheckSum' type='STRING'/>\
    <field number='700' name='NoXs' type='NUMINGROUP'/><field number='701' name='X' type='CHAR'>\
    <value enum='a' description='A'/></field></fields></fix>";

#[test]
fn xml_errors_have_an_offset() {
    assert!(Dictionary::from_quickfix_xml(XML).is_ok());
    let at = |text: &str| XML.find(text).unwrap();
    let cases = [
        (XML.replace("name='X' type", "name='Y' type"), at("<field name='X'")),
        (XML.replace("number='701'", "number='70100'"), at("<field number='701'")),
        (
            XML.replace("<component name='C'>", "<component name='D'>"),
            at("<component name='C' req"),
        ),
        (
            XML.replace("<field name='X' required='Y'/>", "<component name='C' required='N'/>"),
            at("<component name='C'>"),
        ),
        (XML.replace("<trailer>", "<trailor>"), at("</trailer>")),
    ];
    for (text, offset) in cases {
        let error = Dictionary::from_quickfix_xml(&text).unwrap_err();
        assert_eq!(error.offset, offset, "{error}");
    }
}

/// Facts of the built-in table against the dictionary of another engine.
#[test]
fn the_builtin_table_agrees_with_quickfix() {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let folder = std::env::var("SAKER_DATA").unwrap_or_else(|_| default.into());
    let Ok(text) = std::fs::read_to_string(format!("{folder}/fix/FIX44.xml")) else {
        return println!("skipped: {folder}/fix/FIX44.xml is absent");
    };
    let mut differences = Vec::new();
    let (ours, theirs) = (Dictionary::builtin(), Dictionary::from_quickfix_xml(&text).unwrap());
    compare("header", &ours.header, &theirs.header, &mut differences);
    for (msg_type, fieldset) in &ours.messages {
        let name = String::from_utf8_lossy(msg_type);
        compare(&name, fieldset, theirs.message(msg_type).unwrap(), &mut differences);
    }
    for tag in 1..1024 {
        let Some(field) = ours.field(tag) else { continue };
        let Some(other) = theirs.field(tag) else {
            differences.push(format!("{tag} does not exist"));
            continue;
        };
        // A few codes are strings in one and numbers in the other.
        let text = [field.kind, other.kind].contains(&FieldType::Text);
        if field.kind != other.kind && !text {
            differences.push(format!("{tag} is {:?}, not {:?}", other.kind, field.kind));
        }
        if !field.values.is_empty() && field.values != other.values {
            differences.push(format!("{tag}: {:?} {:?}", field.values, other.values));
        }
    }
    assert!(differences.is_empty(), "{differences:#?}");
}

fn compare(name: &str, ours: &Fieldset, theirs: &Fieldset, differences: &mut Vec<String>) {
    for tag in (1..1024).filter(|&tag| ours.allowed.contains(tag) && !theirs.allowed.contains(tag))
    {
        differences.push(format!("{name} does not allow {tag}"));
    }
    let sorted = |fieldset: &Fieldset| {
        let mut tags = fieldset.required.clone();
        tags.sort_unstable();
        tags
    };
    if sorted(ours) != sorted(theirs) {
        differences.push(format!("{name} requires {:?}", theirs.required));
    }
    for (count, group) in &ours.groups {
        match theirs.group(*count) {
            Some(other) if other.delimiter == group.delimiter => {
                compare(&format!("{name}/{count}"), &group.entry, &other.entry, differences);
            }
            _ => differences.push(format!("{name}: group {count} differs")),
        }
    }
}
