//! The data types of FIX 4.4 (volume 1, "Data types") as far as their text differs.

use crate::value;

/// A data type. Types with the same syntax share a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FieldType {
    /// `String`, `Currency`, `Country`, `Exchange`: any text.
    #[default]
    Text,
    /// `MultipleValueString`: texts with a space between them.
    MultipleValue,
    /// `char`: one character.
    Char,
    /// `Boolean`: Y or N.
    Boolean,
    /// `int`.
    Int,
    /// `SeqNum`, `NumInGroup`, `Length`: an int that is not negative.
    Unsigned,
    /// `float`, `Qty`, `Price`, `PriceOffset`, `Amt`, `Percentage`.
    Float,
    /// `UTCTimestamp`.
    UtcTimestamp,
    /// `UTCTimeOnly`.
    UtcTimeOnly,
    /// `UTCDateOnly`, `LocalMktDate`.
    Date,
    /// `month-year`: `YYYYMM`, `YYYYMMDD` or `YYYYMMwN`.
    MonthYear,
    /// `data`: any bytes.
    Data,
}

impl FieldType {
    /// Whether `text`, which is not empty, is a value of the type. Numbers beyond 64 bits are not.
    pub fn accepts(self, text: &[u8]) -> bool {
        match self {
            FieldType::Text | FieldType::MultipleValue | FieldType::Data => true,
            FieldType::Char => text.len() == 1,
            FieldType::Boolean => value::parse_bool(text).is_some(),
            FieldType::Int => value::parse_int(text).is_some(),
            FieldType::Unsigned => value::parse_uint(text).is_some(),
            FieldType::Float => value::parse_decimal(text).is_some(),
            FieldType::UtcTimestamp => value::parse_timestamp(text).is_some(),
            FieldType::UtcTimeOnly => value::parse_time_of_day(text).is_some(),
            FieldType::Date => value::is_date(text),
            FieldType::MonthYear => is_month_year(text),
        }
    }
}

fn is_month_year(text: &[u8]) -> bool {
    let Some((month, rest)) = text.split_at_checked(6) else { return false };
    let month_ok = month.iter().all(u8::is_ascii_digit)
        && matches!((month[4], month[5]), (b'0', b'1'..=b'9') | (b'1', b'0'..=b'2'));
    match rest {
        [] => month_ok,
        [b'w', week] => month_ok && (b'1'..=b'5').contains(week),
        _ => value::is_date(text),
    }
}

#[cfg(test)]
mod tests {
    use super::FieldType::*;

    #[test]
    fn values_of_each_type() {
        let accepted = [
            (Char, "1"),
            (Boolean, "N"),
            (Int, "-3"),
            (Unsigned, "007"),
            (Float, "-0.50"),
            (UtcTimestamp, "20180112-23:28:59.432"),
            (UtcTimeOnly, "23:28:59"),
            (Date, "19650228"),
            (MonthYear, "201812"),
            (MonthYear, "201812w3"),
            (MonthYear, "20181231"),
        ];
        let refused = [
            (Char, "12"),
            (Boolean, "y"),
            (Int, "3.0"),
            (Unsigned, "-1"),
            (Float, "+200.00"),
            (UtcTimestamp, "20180112"),
            (UtcTimeOnly, "23:28"),
            (Date, "20180230"),
            (MonthYear, "201813"),
            (MonthYear, "201812w6"),
            (MonthYear, "20181232"),
        ];
        for (kind, text) in accepted {
            assert!(kind.accepts(text.as_bytes()), "{kind:?} {text}");
        }
        for (kind, text) in refused {
            assert!(!kind.accepts(text.as_bytes()), "{kind:?} {text}");
        }
    }
}
