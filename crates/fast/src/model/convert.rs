//! Type conversion (§8): between the application's values and the types of fields.

use super::{FieldType, OwnedValue};
use crate::error::ErrorCode;
use crate::value::Value;

const MAX_EXPONENT: i32 = 63;

/// Converts `value` to `target` by the rules of §8.
///
/// # Errors
/// D1 or D10 where the types have no conversion, D11 where a string has the wrong syntax, R1, R3,
/// R4 or R5 where the value cannot be represented.
pub fn convert(value: Value<'_>, target: FieldType) -> Result<OwnedValue, ErrorCode> {
    match target {
        FieldType::Int32 => integer(value, true, i128::from(i32::MIN), i128::from(i32::MAX)),
        FieldType::UInt32 => integer(value, false, 0, i128::from(u32::MAX)),
        FieldType::Int64 => integer(value, true, i128::from(i64::MIN), i128::from(i64::MAX)),
        FieldType::UInt64 => integer(value, false, 0, i128::from(u64::MAX)),
        FieldType::Decimal => {
            let (mantissa, exponent) = match value {
                Value::Decimal { mantissa, exponent } => (mantissa, exponent),
                Value::Int(value) => (value, 0),
                // An integer above an int64 may still have a mantissa after its zeros are cut.
                Value::UInt(value) => scaled(i128::from(value), 0)?,
                Value::Ascii(bytes) => decimal_text(bytes)?,
                Value::Unicode(text) => decimal_text(text.as_bytes())?,
                Value::Bytes(_) => return Err(ErrorCode::D10),
            };
            if !(-MAX_EXPONENT..=MAX_EXPONENT).contains(&exponent) {
                return Err(ErrorCode::R1);
            }
            Ok(OwnedValue::Decimal { mantissa, exponent })
        }
        FieldType::Ascii => match value {
            Value::Ascii(bytes) if bytes.is_ascii() => Ok(OwnedValue::Ascii(bytes.to_vec())),
            Value::Unicode(text) if text.is_ascii() => {
                Ok(OwnedValue::Ascii(text.as_bytes().to_vec()))
            }
            Value::Ascii(_) | Value::Unicode(_) => Err(ErrorCode::R3),
            other => Ok(OwnedValue::Ascii(text_of(other).into_bytes())),
        },
        FieldType::Unicode => match value {
            Value::Unicode(text) => Ok(OwnedValue::Unicode(text.to_owned())),
            Value::Ascii(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) if text.is_ascii() => Ok(OwnedValue::Unicode(text.to_owned())),
                _ => Err(ErrorCode::R3),
            },
            other => Ok(OwnedValue::Unicode(text_of(other))),
        },
        FieldType::Bytes => match value {
            Value::Bytes(bytes) => Ok(OwnedValue::Bytes(bytes.to_vec())),
            Value::Ascii(bytes) => hexadecimal(bytes).map(OwnedValue::Bytes),
            Value::Unicode(text) => hexadecimal(text.as_bytes()).map(OwnedValue::Bytes),
            Value::UInt(_) | Value::Int(_) | Value::Decimal { .. } => Err(ErrorCode::D10),
        },
    }
}

/// §8.1.2: the decimal that a string such as `-0.10` stands for; its digits give the exponent.
///
/// # Errors
/// D11 for another syntax, R1 where it does not fit.
pub fn parse_decimal(text: &str) -> Result<(i64, i32), ErrorCode> {
    decimal_text(text.as_bytes())
}

/// §6.3.2: divides the mantissa by ten while it has no remainder; zero becomes (0, 0).
///
/// # Errors
/// R1 where the exponent leaves -63..=63.
pub(crate) fn normalize(mantissa: i64, exponent: i32) -> Result<(i64, i32), ErrorCode> {
    if mantissa == 0 {
        return Ok((0, 0));
    }
    let (mut mantissa, mut exponent) = (mantissa, exponent);
    while mantissa % 10 == 0 {
        mantissa /= 10;
        exponent += 1;
    }
    if exponent.abs() > MAX_EXPONENT { Err(ErrorCode::R1) } else { Ok((mantissa, exponent)) }
}

fn integer(value: Value<'_>, signed: bool, min: i128, max: i128) -> Result<OwnedValue, ErrorCode> {
    let (number, out_of_range) = match value {
        Value::UInt(value) => (i128::from(value), ErrorCode::R4),
        Value::Int(value) => (i128::from(value), ErrorCode::R4),
        Value::Decimal { mantissa, exponent } => {
            (integral(mantissa, exponent).ok_or(ErrorCode::R5)?, ErrorCode::R5)
        }
        Value::Ascii(bytes) => (integer_text(bytes, signed)?, ErrorCode::R4),
        Value::Unicode(text) => (integer_text(text.as_bytes(), signed)?, ErrorCode::R4),
        Value::Bytes(_) => return Err(ErrorCode::D10),
    };
    if number < min || number > max {
        return Err(out_of_range);
    }
    // The bounds above are within the type that each arm converts to.
    if signed {
        i64::try_from(number).map(OwnedValue::Int).map_err(|_| out_of_range)
    } else {
        u64::try_from(number).map(OwnedValue::UInt).map_err(|_| out_of_range)
    }
}

/// The integer that a decimal is, if it is one of at most 38 digits.
fn integral(mantissa: i64, exponent: i32) -> Option<i128> {
    let mut number = i128::from(mantissa);
    if number == 0 {
        return Some(0);
    }
    for _ in 0..exponent.unsigned_abs() {
        if exponent > 0 {
            number = number.checked_mul(10)?;
        } else if number % 10 == 0 {
            number /= 10;
        } else {
            return None;
        }
    }
    Some(number)
}

fn integer_text(text: &[u8], signed: bool) -> Result<i128, ErrorCode> {
    let text = trim(text);
    let (negative, digits) = match text.split_first() {
        Some((b'-', digits)) if signed => (true, digits),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(ErrorCode::D11);
    }
    let mut number: i128 = 0;
    for digit in digits {
        number = number
            .checked_mul(10)
            .and_then(|number| number.checked_add(i128::from(digit - b'0')))
            .ok_or(ErrorCode::R4)?;
    }
    Ok(if negative { -number } else { number })
}

fn decimal_text(text: &[u8]) -> Result<(i64, i32), ErrorCode> {
    let text = trim(text);
    let (negative, number) = match text.split_first() {
        Some((b'-', number)) => (true, number),
        _ => (false, text),
    };
    let mut mantissa: i128 = 0;
    let mut digits = 0usize;
    let mut point = None;
    for byte in number {
        match byte {
            b'.' if point.is_none() => point = Some(digits),
            b'0'..=b'9' => {
                digits += 1;
                mantissa = mantissa
                    .checked_mul(10)
                    .and_then(|mantissa| mantissa.checked_add(i128::from(byte - b'0')))
                    .ok_or(ErrorCode::R1)?;
            }
            _ => return Err(ErrorCode::D11),
        }
    }
    if digits == 0 {
        return Err(ErrorCode::D11);
    }
    let decimals = point.map_or(0, |point| digits - point);
    let exponent = i32::try_from(decimals).map_err(|_| ErrorCode::R1)?;
    scaled(if negative { -mantissa } else { mantissa }, -exponent)
}

/// Cuts zeros only as far as the ranges of mantissa and exponent demand it.
fn scaled(mantissa: i128, exponent: i32) -> Result<(i64, i32), ErrorCode> {
    let (mut mantissa, mut exponent) = (mantissa, exponent);
    loop {
        if exponent >= -MAX_EXPONENT
            && let Ok(mantissa) = i64::try_from(mantissa)
        {
            return if exponent > MAX_EXPONENT {
                Err(ErrorCode::R1)
            } else {
                Ok((mantissa, exponent))
            };
        }
        if mantissa % 10 != 0 {
            return Err(ErrorCode::R1);
        }
        mantissa /= 10;
        exponent += 1;
    }
}

fn hexadecimal(text: &[u8]) -> Result<Vec<u8>, ErrorCode> {
    let mut bytes = Vec::with_capacity(text.len() / 2);
    let mut high = None;
    for &byte in text.iter().filter(|byte| !is_whitespace(**byte)) {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            b'A'..=b'F' => byte - b'A' + 10,
            _ => return Err(ErrorCode::D11),
        };
        match high.take() {
            None => high = Some(digit),
            Some(high) => bytes.push(high << 4 | digit),
        }
    }
    if high.is_some() { Err(ErrorCode::D11) } else { Ok(bytes) }
}

/// §8.2.3, §8.3.2, §8.4: the string that a number or byte vector becomes.
fn text_of(value: Value<'_>) -> String {
    match value {
        Value::UInt(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Decimal { mantissa, exponent } => decimal_string(mantissa, exponent),
        Value::Bytes(bytes) => {
            let mut text = String::with_capacity(bytes.len() * 2);
            crate::json::push_hexadecimal(bytes, &mut text);
            text
        }
        Value::Ascii(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Value::Unicode(text) => text.to_owned(),
    }
}

fn decimal_string(mantissa: i64, exponent: i32) -> String {
    if mantissa == 0 {
        return "0".to_owned();
    }
    let (mut digits, mut exponent) = (mantissa.unsigned_abs(), exponent);
    while exponent < 0 && digits % 10 == 0 {
        digits /= 10;
        exponent += 1;
    }
    let mut text = digits.to_string();
    if exponent >= 0 {
        text.extend(std::iter::repeat_n('0', exponent.unsigned_abs() as usize));
    } else {
        let decimals = exponent.unsigned_abs() as usize;
        if text.len() <= decimals {
            text.insert_str(0, &"0".repeat(decimals + 1 - text.len()));
        }
        text.insert(text.len() - decimals, '.');
    }
    if mantissa < 0 {
        text.insert(0, '-');
    }
    text
}

fn is_whitespace(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn trim(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|byte| !is_whitespace(*byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !is_whitespace(*byte)).map_or(start, |last| last + 1);
    &text[start..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(mantissa: i64, exponent: i32) -> Result<OwnedValue, ErrorCode> {
        Ok(OwnedValue::Decimal { mantissa, exponent })
    }

    #[test]
    fn strings_become_integers_by_8_1_1() {
        let to = |text: &str, target| convert(Value::Unicode(text), target);
        assert_eq!(to(" -17\t", FieldType::Int32), Ok(OwnedValue::Int(-17)));
        assert_eq!(to("-0", FieldType::Int64), Ok(OwnedValue::Int(0)));
        assert_eq!(to("18446744073709551615", FieldType::UInt64), Ok(OwnedValue::UInt(u64::MAX)));
        assert_eq!(to("4294967296", FieldType::UInt32), Err(ErrorCode::R4));
        assert_eq!(to("-1", FieldType::UInt32), Err(ErrorCode::D11));
        assert_eq!(to("", FieldType::Int32), Err(ErrorCode::D11));
        assert_eq!(to("1 2", FieldType::Int32), Err(ErrorCode::D11));
        assert_eq!(to(&"9".repeat(60), FieldType::Int64), Err(ErrorCode::R4));
    }

    #[test]
    fn strings_become_decimals_by_8_1_2() {
        let to = |text: &str| convert(Value::Ascii(text.as_bytes()), FieldType::Decimal);
        assert_eq!(to("1"), decimal(1, 0));
        assert_eq!(to("1.1"), decimal(11, -1));
        assert_eq!(to(".1"), decimal(1, -1));
        assert_eq!(to(" -0.10 "), decimal(-10, -2));
        assert_eq!(to("5."), decimal(5, 0));
        assert_eq!(to("-.0"), decimal(0, -1));
        assert_eq!(to("."), Err(ErrorCode::D11));
        assert_eq!(to("1e5"), Err(ErrorCode::D11));
        assert_eq!(to(&format!("0.{}1", "0".repeat(63))), Err(ErrorCode::R1));
        assert_eq!(to("9223372036854775808"), Err(ErrorCode::R1));
        assert_eq!(to("9223372036854775800000"), decimal(9_223_372_036_854_775_800, 3));
    }

    #[test]
    fn strings_become_byte_vectors_by_8_1_3() {
        let to = |text: &str| convert(Value::Unicode(text), FieldType::Bytes);
        assert_eq!(to("0A f\n1"), Ok(OwnedValue::Bytes(vec![0x0a, 0xf1])));
        assert_eq!(to("abc"), Err(ErrorCode::D11));
        assert_eq!(to("xy"), Err(ErrorCode::D11));
    }

    #[test]
    fn numbers_become_strings_by_8_2_3_and_8_3_2() {
        let to = |mantissa, exponent| {
            let value = convert(Value::Decimal { mantissa, exponent }, FieldType::Unicode);
            match value {
                Ok(OwnedValue::Unicode(text)) => text,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(to(-5, -2), "-0.05");
        assert_eq!(to(1100, -2), "11");
        assert_eq!(to(1110, -2), "11.1");
        assert_eq!(to(11, 2), "1100");
        assert_eq!(to(0, -3), "0");
        assert_eq!(to(i64::MIN, -1), "-922337203685477580.8");
        assert_eq!(
            convert(Value::Bytes(&[0x00, 0xfe]), FieldType::Ascii),
            Ok(OwnedValue::Ascii(b"00fe".to_vec()))
        );
    }

    #[test]
    fn every_refused_conversion_has_its_code() {
        assert_eq!(convert(Value::Bytes(&[1]), FieldType::Int32), Err(ErrorCode::D10));
        assert_eq!(convert(Value::Int(1), FieldType::Bytes), Err(ErrorCode::D10));
        assert_eq!(convert(Value::Unicode("é"), FieldType::Ascii), Err(ErrorCode::R3));
        assert_eq!(convert(Value::Int(-1), FieldType::UInt64), Err(ErrorCode::R4));
        let half = Value::Decimal { mantissa: 5, exponent: -1 };
        assert_eq!(convert(half, FieldType::Int32), Err(ErrorCode::R5));
        let large = Value::Decimal { mantissa: 5, exponent: 63 };
        assert_eq!(convert(large, FieldType::Int32), Err(ErrorCode::R5));
        let whole = Value::Decimal { mantissa: 50, exponent: -1 };
        assert_eq!(convert(whole, FieldType::UInt32), Ok(OwnedValue::UInt(5)));
        let wide = Value::Decimal { mantissa: 1, exponent: 64 };
        assert_eq!(convert(wide, FieldType::Decimal), Err(ErrorCode::R1));
        assert_eq!(convert(Value::UInt(u64::MAX), FieldType::Decimal), Err(ErrorCode::R1));
    }
}
