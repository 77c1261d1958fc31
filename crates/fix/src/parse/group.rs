//! Repeating groups: runs of fields that begin with a delimiter tag.

use super::Fields;

/// Iterator over the entries of a repeating group; see [`super::Message::group`].
#[derive(Debug, Clone)]
pub struct Entries<'a, 'm> {
    bytes: &'a [u8],
    at: usize,
    members: &'m [u32],
}

impl<'a, 'm> Entries<'a, 'm> {
    /// The group whose first delimiter is at offset `at`.
    pub(super) fn new(bytes: &'a [u8], at: usize, members: &'m [u32]) -> Self {
        Entries { bytes, at, members }
    }

    /// The group behind the next `count_tag` of `fields`.
    pub(super) fn after(
        mut fields: Fields<'a>,
        bytes: &'a [u8],
        count_tag: u32,
        members: &'m [u32],
    ) -> Self {
        let found = fields.any(|(tag, _)| tag == count_tag);
        Entries { bytes, at: if found { fields.offset() } else { bytes.len() }, members }
    }
}

impl<'a> Iterator for Entries<'a, '_> {
    type Item = Entry<'a>;

    fn next(&mut self) -> Option<Entry<'a>> {
        let delimiter = *self.members.first()?;
        let start = self.at;
        let mut fields = Fields::new(self.bytes, start);
        if fields.next()?.0 != delimiter {
            self.at = self.bytes.len();
            return None;
        }
        let mut end = fields.offset();
        while let Some((tag, _)) = fields.next() {
            if tag == delimiter || !self.members.contains(&tag) {
                break;
            }
            end = fields.offset();
        }
        self.at = end;
        Some(Entry { bytes: &self.bytes[start..end] })
    }
}

/// One entry of a repeating group; it has the getters of [`super::Message`].
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    bytes: &'a [u8],
}

impl<'a> Entry<'a> {
    /// Value of the first field with this tag.
    pub fn get(&self, tag: u32) -> Option<&'a [u8]> {
        self.fields().find(|field| field.0 == tag).map(|field| field.1)
    }

    /// All fields in order, the delimiter first.
    pub fn fields(&self) -> Fields<'a> {
        Fields::new(self.bytes, 0)
    }

    /// A group inside this entry; see [`super::Message::group`].
    pub fn group<'m>(&self, count_tag: u32, members: &'m [u32]) -> Entries<'a, 'm> {
        Entries::after(self.fields(), self.bytes, count_tag, members)
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::{Message, frame};
    use crate::test_wire::message;

    const ENTRY: [u32; 4] = [269, 270, 271, 290];

    fn prices(message: &Message<'_>) -> Vec<(u8, i64)> {
        let entries = message.group(268, &ENTRY);
        entries
            .map(|entry| (entry.char(269).unwrap(), entry.decimal(270).unwrap().mantissa))
            .collect()
    }

    #[test]
    fn the_snapshot_of_the_seeds_table_3_has_three_entries() {
        let bytes = message(
            "35=W|34=22|49=SIMULATOR|52=20180112-23:28:59.432|56=CLIENT1|55=MSFT|262=1|268=3|\
             269=0|270=1170|271=296|290=1|269=1|270=1200|271=497|290=1|269=2|270=1170|271=1|58=end|",
        );
        let (message, _) = frame(&bytes).unwrap().unwrap();
        assert_eq!(prices(&message), [(b'0', 1170), (b'1', 1200), (b'2', 1170)]);
        let last = message.group(268, &ENTRY).last().unwrap();
        assert_eq!(last.fields().count(), 3, "the entry ends where its members end");
        assert!(message.group(146, &[55]).next().is_none());
    }

    #[test]
    fn groups_and_fields_beyond_the_index_are_found() {
        let filler: String = (0..40).map(|n| format!("{}=x|", 1000 + n)).collect();
        let bytes =
            message(&format!("35=W|{filler}268=2|269=0|270=5|269=1|270=6|95=3|96=a\x01b|58=t|"));
        let (message, _) = frame(&bytes).unwrap().unwrap();
        assert_eq!(prices(&message), [(b'0', 5), (b'1', 6)]);
        assert_eq!(message.get(96), Some(&b"a\x01b"[..]));
        assert_eq!(message.get(58), Some(&b"t"[..]));
        assert_eq!(message.get(59), None);
        assert_eq!(message.fields().count(), 3 + 40 + 5 + 3 + 1);
    }
}
