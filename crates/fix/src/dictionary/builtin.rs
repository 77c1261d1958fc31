//! The built-in table: the session layer, and the order and market-data messages of saker.
//!
//! Facts of FIX 4.4 (volumes 1 to 6) in our own form. It is a profile: of the fields of the large
//! messages it lists those that a cash or futures venue uses.

use super::FieldType::{self, *};
use super::{Dictionary, Field, Fieldset, Group};

/// Type, tags, and the enumeration (space-separated, empty for none).
type FieldRow = (FieldType, &'static [u32], &'static str);

const FIELDS: &[FieldRow] = &[
    (Text, &[1, 8, 11, 15, 17, 19, 22, 30, 35, 37, 41, 48, 49, 50, 55, 56, 57, 58, 65], ""),
    (Text, &[66, 100, 106, 107, 112, 115, 116, 117, 120, 128, 129, 142, 143, 144, 145], ""),
    (Text, &[167, 198, 207, 262, 278, 282, 283, 284, 320, 322, 336, 347, 372, 379, 448], ""),
    (Text, &[461, 523, 526, 527, 553, 554, 583, 625, 628, 762, 790, 299], ""),
    (Unsigned, &[7, 9, 16, 34, 36, 45, 90, 93, 95, 212, 348, 350, 354, 369, 383, 630, 789], ""),
    (Unsigned, &[78, 146, 267, 268, 384, 386, 453, 627, 802, 816], ""),
    (Float, &[6, 14, 31, 32, 38, 44, 99, 110, 111, 140, 151, 152, 202, 210, 231, 270, 271], ""),
    (Float, &[12, 118, 119, 132, 133, 192, 194, 381, 424, 425, 426, 451, 561, 562, 811], ""),
    (Int, &[10, 102, 103, 108, 264, 290, 346, 371, 452, 582, 803, 812, 813, 814, 833], ""),
    (Int, &[380], "0 1 2 3 4 5 6 7"),
    (Int, &[98], "0 1 2 3 4 5 6"),
    (Int, &[373], "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 99"),
    (Int, &[581], "1 2 3 4 6 7 8"),
    (Int, &[265], "0 1"),
    (Int, &[323], "1 2 5 6"),
    (Int, &[201], "0 1"),
    (Int, &[378], "0 1 2 3 4 5 6 7 8 9 10 99"),
    (Int, &[660], "1 2 3 4 5 99"),
    (Int, &[815], "0 1 2 3"),
    (Int, &[851], "1 2 3"),
    (Boolean, &[43, 97, 113, 114, 121, 123, 141, 266, 377, 464, 547, 636, 912], ""),
    (Data, &[89, 91, 96, 213, 349, 351, 355], ""),
    (UtcTimestamp, &[52, 60, 62, 122, 126, 168, 483, 586, 629], ""),
    (Date, &[64, 75, 193, 229, 272, 432, 541], ""),
    (UtcTimeOnly, &[273], ""),
    (MonthYear, &[200], ""),
    (MultipleValue, &[18, 276, 277, 286, 291, 292, 529, 546], ""),
    (Char, &[5, 63, 81, 206, 274, 285, 447, 528, 544, 589, 590, 591], ""),
    (Char, &[21], "1 2 3"),
    (Char, &[39], "0 1 2 3 4 6 7 8 9 A B C D E"),
    (Char, &[40], "1 2 3 4 6 7 8 9 D E G I J K L M P"),
    (Char, &[54], "1 2 3 4 5 6 7 8 9 A B C D E F G"),
    (Char, &[59], "0 1 2 3 4 5 6 7"),
    (Char, &[77], "C F O R"),
    (Char, &[150], "0 3 4 5 6 7 8 9 A B C D E F G H I"),
    (Char, &[263], "0 1 2"),
    (Char, &[269], "0 1 2 3 4 5 6 7 8 9 A B C"),
    (Char, &[279], "0 1 2"),
    (Char, &[281], "0 1 2 3 4 5 6 7 8 9 A B C"),
    (Char, &[434], "1 2"),
];

/// Count, members with the delimiter first, required members.
type GroupRow = (u32, &'static [u32], &'static [u32]);

/// A member that is itself a count nests its group.
const GROUPS: &[GroupRow] = &[
    (146, &[55, 65, 48, 22, 461, 167, 762, 200, 541, 201, 202, 206, 207, 231, 106, 107], &[]),
    (267, &[269], &[269]),
    (
        268,
        &[
            269, 270, 15, 271, 272, 273, 274, 275, 336, 625, 276, 277, 282, 283, 284, 286, 59, 432,
            126, 110, 18, 287, 37, 299, 288, 289, 346, 290, 546, 811, 58, 354, 355,
        ],
        &[269],
    ),
    (384, &[372, 385], &[]),
    (386, &[336, 625], &[]),
    (453, &[448, 447, 452, 802], &[]),
    (627, &[628, 629, 630], &[]),
    (802, &[523, 803], &[]),
    (816, &[817], &[]),
];

/// Members of [`GROUPS`] whose types are not listed above.
const GROUP_FIELDS: &[FieldRow] =
    &[(Text, &[275, 288, 289, 817], ""), (Int, &[287], ""), (Char, &[385], "R S")];

const HEADER_REQUIRED: &[u32] = &[8, 9, 35, 49, 56, 34, 52];
const HEADER: &[u32] =
    &[115, 128, 90, 91, 50, 142, 57, 143, 116, 144, 129, 145, 43, 97, 122, 212, 213, 347, 369, 627];
const TRAILER: &[u32] = &[93, 89, 10];

const INSTRUMENT: &[u32] = &[
    55, 65, 48, 22, 461, 167, 762, 200, 541, 201, 202, 206, 207, 231, 106, 107, 348, 349, 350, 351,
];
const TEXT: &[u32] = &[58, 354, 355];
const CLIENT: &[u32] = &[1, 660, 581, 453, 526, 583];
/// Terms of an order that an execution report repeats.
const TERMS: &[u32] = &[
    229, 75, 589, 590, 591, 63, 64, 21, 18, 110, 111, 854, 38, 152, 423, 44, 99, 15, 376, 377, 59,
    168, 432, 126, 427, 528, 529, 582, 120, 77, 210,
];
/// Terms of an order alone.
const ROUTING: &[u32] = &[100, 386, 114];
const EXECUTION: &[u32] = &[
    198, 527, 11, 41, 66, 19, 103, 378, 32, 31, 30, 336, 625, 29, 424, 425, 426, 60, 113, 12, 13,
    381, 118, 119, 851, 797, 636, 911, 912, 790, 584, 194, 192, 193,
];
const EXTRA_FIELDS: &[FieldRow] = &[
    (Text, &[376, 584], ""),
    (Int, &[423, 427, 854, 911], ""),
    (Char, &[13, 29], ""),
    (Boolean, &[797], ""),
    (Text, &[827], ""),
];

/// MsgType, required body fields, optional body fields in lists.
type MessageRow = (&'static str, &'static [u32], &'static [&'static [u32]]);

const MESSAGES: &[MessageRow] = &[
    ("0", &[], &[&[112]]),
    ("1", &[112], &[]),
    ("2", &[7, 16], &[]),
    ("3", &[45], &[&[371, 372, 373], TEXT]),
    ("4", &[36], &[&[123]]),
    ("5", &[], &[TEXT]),
    ("8", &[37, 17, 150, 39, 54, 151, 14, 6], &[EXECUTION, CLIENT, INSTRUMENT, TERMS, &[40], TEXT]),
    (
        "9",
        &[37, 11, 41, 39, 434],
        &[&[198, 526, 583, 636, 586, 66, 1, 660, 581, 229, 75, 60, 102], TEXT],
    ),
    ("A", &[98, 108], &[&[95, 96, 141, 789, 383, 384, 464, 553, 554]]),
    ("D", &[11, 54, 60, 40], &[CLIENT, INSTRUMENT, TERMS, ROUTING, &[81, 117, 140], TEXT]),
    ("F", &[41, 11, 54, 60], &[CLIENT, INSTRUMENT, &[37, 66, 586, 38, 152, 376], TEXT]),
    ("G", &[41, 11, 54, 60, 40], &[CLIENT, INSTRUMENT, TERMS, ROUTING, &[37, 66, 586], TEXT]),
    ("V", &[262, 263, 264, 267, 146], &[&[265, 266, 286, 546, 547, 386, 815, 812]]),
    ("W", &[268], &[INSTRUMENT, &[262, 291, 292, 451, 813, 814]]),
    ("Y", &[262], &[&[281, 816], TEXT]),
    ("d", &[320, 322, 323], &[INSTRUMENT, &[15, 336, 625, 827, 561, 562], TEXT]),
    ("j", &[372, 380], &[&[45, 379], TEXT]),
];

impl Dictionary {
    /// The session layer, orders (D F G 8 9), market data (V W Y), d and j.
    pub fn builtin() -> Self {
        let mut dictionary = Dictionary { partial: true, ..Dictionary::default() };
        for &(kind, tags, values) in FIELDS.iter().chain(GROUP_FIELDS).chain(EXTRA_FIELDS) {
            let mut values: Vec<_> =
                values.split_whitespace().map(|value| value.as_bytes().to_vec()).collect();
            values.sort_unstable();
            for &tag in tags {
                dictionary.define(tag, Field { kind, values: values.clone() });
            }
        }
        dictionary.header = fieldset(HEADER_REQUIRED, &[HEADER]);
        dictionary.trailer = fieldset(&[], &[TRAILER]).allowed;
        for &(msg_type, required, optional) in MESSAGES {
            dictionary.messages.push((msg_type.into(), fieldset(required, optional)));
        }
        dictionary.messages.sort_by(|one, other| one.0.cmp(&other.0));
        dictionary
    }
}

fn fieldset(required: &[u32], optional: &[&[u32]]) -> Fieldset {
    let mut set = Fieldset::default();
    for &tag in required {
        set.add(tag, true);
    }
    for &tag in optional.iter().flat_map(|list| list.iter()) {
        set.add(tag, false);
    }
    let counts = GROUPS.iter().filter(|(count, ..)| set.allowed.contains(*count));
    set.groups = counts
        .map(|&(count, members, required)| {
            (count, Group { delimiter: members[0], entry: fieldset(required, &[members]) })
        })
        .collect();
    set
}
