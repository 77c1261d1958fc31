//! The file: what it means, and what is refused with which line and key.

mod support;

use saker_strategy::{
    Comparison, OrderType, Problem, Side, Source, StrategyError, StrategyFile, TimeInForce, Trigger,
};
use support::{TWO, instruments};

fn refused(text: &str) -> StrategyError {
    match StrategyFile::from_toml(text) {
        Err(error) => error,
        Ok(file) => file.resolve(&instruments()).expect_err("it should be refused"),
    }
}

/// `TWO` with one line replaced.
fn with(line: usize, text: &str) -> String {
    let mut lines: Vec<&str> = TWO.lines().collect();
    lines[line - 1] = text;
    lines.join("\n")
}

fn assert_refused(text: &str, line: usize, key: &str, problem: Problem) {
    assert_eq!(refused(text), StrategyError { line, key: key.to_owned(), problem }, "{text}");
}

#[test]
fn two_strategies_become_two_slots() {
    let file = StrategyFile::from_toml(TWO).unwrap();
    assert_eq!(file.symbols().collect::<Vec<_>>(), [("MSFT", None), ("AAPL", None)]);
    let plan = file.resolve(&instruments()).unwrap();
    let [stop, cross] = plan.slots() else { panic!("{plan:?}") };
    assert_eq!((stop.name.as_str(), stop.instrument), ("msft-stop", 1));
    let trigger = Trigger { source: Source::Trade, comparison: Comparison::AtMost, bound: 118_000 };
    assert_eq!(stop.trigger, trigger);
    assert_eq!((stop.order.side, stop.order.price, stop.order.quantity), (Side::Sell, 110_000, 2));
    assert_eq!(stop.order.order_type, OrderType::Limit);
    assert_eq!(stop.order.time_in_force, TimeInForce::Day);
    assert_eq!((stop.rearm, stop.cooldown_ns), (false, 0));
    let trigger = Trigger { source: Source::Offer, comparison: Comparison::AtMost, bound: 18_950 };
    assert_eq!((cross.instrument, cross.trigger), (0, trigger));
    assert_eq!((cross.order.side, cross.order.price), (Side::Buy, 18_950));
    assert_eq!(cross.order.time_in_force, TimeInForce::ImmediateOrCancel);
    assert_eq!((cross.rearm, cross.cooldown_ns), (true, 500_000));
    assert_eq!(cross.limits.max_position, 500);
}

#[test]
fn a_strategy_may_have_its_own_limits_price_and_type() {
    let text = with(23, "max_position = 7\nmax_order_quantity = 10\nprice = \"190\"");
    let plan = StrategyFile::from_toml(&text).unwrap().resolve(&instruments()).unwrap();
    let cross = &plan.slots()[1];
    assert_eq!(cross.order.price, 19_000);
    assert_eq!((cross.limits.max_position, cross.limits.max_order_quantity), (7, 10));
    assert_eq!(cross.limits.max_open_orders, 4);
    let text = with(13, "order_type = \"market\"");
    let plan = StrategyFile::from_toml(&text).unwrap().resolve(&instruments()).unwrap();
    assert_eq!(plan.slots()[0].order.order_type, OrderType::Market);
    assert_eq!(plan.slots()[0].order.price, 0);
}

#[test]
fn a_segment_selects_among_boards() {
    let text = with(19, "symbol = \"SBER\"\nmarket_segment = \"SMAL\"");
    let plan = StrategyFile::from_toml(&text).unwrap().resolve(&instruments()).unwrap();
    assert_eq!(plan.slots()[1].instrument, 3);
    let ambiguous = Problem::AmbiguousSymbol("SBER".to_owned());
    assert_refused(&with(19, "symbol = \"SBER\""), 19, "symbol", ambiguous);
    let unknown = Problem::UnknownSymbol("SBER in market segment X".to_owned());
    let text = with(19, "symbol = \"SBER\"\nmarket_segment = \"X\"");
    assert_refused(&text, 19, "symbol", unknown);
}

#[test]
fn unknown_keys_are_named_with_their_line() {
    for (line, key) in [(5, "max_positions"), (13, "tif"), (22, "cool_down")] {
        let error = refused(&with(line, &format!("{key} = 1")));
        assert_eq!((error.line, error.key.as_str()), (line, key));
        assert!(error.to_string().contains("unknown field"), "{error}");
    }
    let error = refused("[limit]\nmax_position = 1");
    assert_eq!((error.line, error.key.as_str()), (1, "[limit]"));
}

#[test]
fn wrong_types_and_syntax_are_named_with_their_line() {
    for (line, text) in [(10, "side = 5"), (11, "trigger = 11.80"), (12, "quantity = -1")] {
        let error = refused(&with(line, text));
        assert_eq!(error.line, line, "{error}");
        assert!(matches!(error.problem, Problem::Toml(_)), "{error}");
        assert!(text.starts_with(&error.key), "{error}");
    }
    assert_eq!(refused("[limits\n").line, 1);
    assert_eq!(refused("x").line, 1);
}

#[test]
fn each_problem_is_named_with_its_line_and_key() {
    let not_one_of = |value: &str, allowed| Problem::NotOneOf { value: value.to_owned(), allowed };
    assert_refused(&with(8, "kind = \"slop\""), 8, "kind", not_one_of("slop", "stop, cross"));
    assert_refused(&with(10, "side = \"Buy\""), 10, "side", not_one_of("Buy", "buy, sell"));
    assert_refused(&with(7, "name = \"\""), 7, "name", Problem::Empty);
    let not_decimal = Problem::NotDecimal("1,5".to_owned());
    assert_refused(&with(11, "trigger = \"1,5\""), 11, "trigger", not_decimal);
    assert_refused(&with(12, ""), 6, "quantity", Problem::Missing);
    assert_refused(&with(13, ""), 6, "price", Problem::Missing);
    assert_refused(&with(4, ""), 6, "max_position", Problem::Missing);
    let too_large = Problem::OutOfRange { value: 101, least: 1, most: 100 };
    assert_refused(&with(12, "quantity = 101"), 12, "quantity", too_large);
    let zero = Problem::OutOfRange { value: 0, least: 1, most: 100 };
    assert_refused(&with(12, "quantity = 0"), 12, "quantity", zero);
    let stop = Problem::Meaningless("kind \"stop\"");
    assert_refused(&with(14, "threshold = \"1\""), 14, "threshold", stop);
    let cross = Problem::Meaningless("kind \"cross\"");
    assert_refused(&with(22, "trigger = \"1\""), 22, "trigger", cross);
    let once = Problem::Meaningless("rearm = false");
    assert_refused(&with(14, "cooldown_us = 1"), 14, "cooldown_us", once);
    let market = Problem::Meaningless("order_type \"market\"");
    assert_refused(&with(14, "order_type = \"market\""), 13, "price", market);
    let double = Problem::DuplicateName { name: "msft-stop".to_owned(), first_line: 7 };
    assert_refused(&with(17, "name = \"msft-stop\""), 17, "name", double);
    let unit = Problem::NotRepresentable { value: "189.505".to_owned(), exponent: -2 };
    assert_refused(&with(21, "threshold = \"189.505\""), 21, "threshold", unit);
    let unknown = Problem::UnknownSymbol("MSFX".to_owned());
    assert_refused(&with(9, "symbol = \"MSFX\""), 9, "symbol", unknown);
    assert_eq!(
        refused(&with(12, "quantity = 101")).to_string(),
        "line 12: quantity: is 101, outside 1 to 100"
    );
}

#[test]
fn more_strategies_than_slots_are_refused() {
    let mut text = String::from(&TWO[..TWO.find("[[strategy]]").unwrap()]);
    for n in 0..=1024 {
        text += &format!(
            "[[strategy]]\nname = \"{n}\"\nkind = \"cross\"\nsymbol = \"AAPL\"\nside = \"buy\"\n\
             threshold = \"1\"\nquantity = 1\n"
        );
    }
    let error = refused(&text);
    assert_eq!(error.problem, Problem::TooMany { most: 1024 });
    assert_eq!(error.line, 6 + 7 * 1024);
}
