use super::*;

fn sent(offer: Offer) -> Transit {
    match offer {
        Offer::Sent(transit) => transit,
        Offer::Refused(reason) => panic!("refused: {reason:?}"),
    }
}

fn line(config: LinkConfig) -> Line {
    Line::new(config, 7, "line")
}

/// 10 Gbit/s is 0.8 ns a byte. A frame of 60 bytes: preamble 6.4 ns, last byte of the FCS at
/// (8 + 60 + 4) * 0.8 = 57.6 ns, line free at (72 + 12) * 0.8 = 67.2 ns.
#[test]
fn shortest_frames_back_to_back_at_ten_gigabit() {
    let mut line = line(LinkConfig::ten_gigabit(100));
    let first = sent(line.offer(1_000, 60));
    assert_eq!((first.tx_first, first.tx_last), (1_007, 1_058));
    assert_eq!(first.arrival, Some(Arrival { first: 1_107, last: 1_158, corrupt: false }));
    // 67.2 + 6.4 = 73.6 and 67.2 + 57.6 = 124.8.
    let second = sent(line.offer(1_000, 60));
    assert_eq!((second.tx_first, second.tx_last), (1_074, 1_125));
    // Roundings do not add up: the sixteenth begins at 15 * 67.2 = 1008 ns exactly.
    for _ in 2..15 {
        sent(line.offer(1_000, 60));
    }
    let sixteenth = sent(line.offer(1_000, 60));
    assert_eq!((sixteenth.tx_first, sixteenth.tx_last), (1_000 + 1_008 + 7, 1_000 + 1_008 + 58));
}

/// 1 Gbit/s is 8 ns a byte: preamble 64 ns, last byte of a 1514-byte frame at (8 + 1514 + 4) * 8 =
/// 12 208 ns, the next preamble at 12 304 ns.
#[test]
fn longest_frames_back_to_back_at_one_gigabit() {
    let mut line = line(LinkConfig::one_gigabit(5_000));
    let first = sent(line.offer(0, 1_514));
    assert_eq!((first.tx_first, first.tx_last), (64, 12_208));
    assert_eq!(first.arrival, Some(Arrival { first: 5_064, last: 17_208, corrupt: false }));
    let second = sent(line.offer(10, 1_514));
    assert_eq!((second.tx_first, second.tx_last), (12_304 + 64, 12_304 + 12_208));
}

#[test]
fn an_idle_line_sends_at_once() {
    let mut line = line(LinkConfig::ten_gigabit(0));
    sent(line.offer(0, 60));
    // The line is free at 67.2 ns: at 67 a frame waits for 0.2 ns, at 200 it does not wait.
    assert_eq!(sent(line.offer(67, 60)).tx_first, 74);
    assert_eq!(sent(line.offer(200, 60)).tx_first, 207);
}

#[test]
fn odd_rates_round_up_by_less_than_a_picosecond() {
    let config = LinkConfig::clean(3_000_000_000, 0);
    assert_eq!(config.line_time_ps(3), 8_000);
    assert_eq!(config.line_time_ps(1), 2_667);
}

#[test]
fn tail_drop_counts_waiting_bytes_only() {
    let mut line = line(LinkConfig { queue_bytes: 200, ..LinkConfig::one_gigabit(0) });
    // One is being sent, two of 100 bytes wait, the fourth does not fit.
    for _ in 0..3 {
        sent(line.offer(0, 100));
    }
    assert_eq!(line.offer(0, 100), Offer::Refused(DropReason::Queue));
    assert_eq!(line.stats.drops.queue, 1);
    assert_eq!(line.stats.queue_peak_bytes, 200);
    // (8 + 100 + 4 + 12) * 8 = 992 ns later the first of the waiting ones begins to leave.
    assert_eq!(line.offer(991, 100), Offer::Refused(DropReason::Queue));
    sent(line.offer(992, 100));
}

#[test]
fn lengths_outside_the_limits_are_refused() {
    let mut line = line(LinkConfig::ten_gigabit(0));
    assert_eq!(line.offer(0, 13), Offer::Refused(DropReason::Length));
    assert_eq!(line.offer(0, 1_519), Offer::Refused(DropReason::Length));
    sent(line.offer(0, 1_518));
    assert_eq!(line.stats.drops.length, 2);
}

#[test]
fn jitter_keeps_order_and_spacing() {
    let mut line = line(LinkConfig { jitter_ns: 10_000, ..LinkConfig::ten_gigabit(50) });
    let mut last_end = 0;
    let mut late = 0;
    for n in 0..500 {
        let now = n * 200;
        let transit = sent(line.offer(now, 60));
        let arrival = transit.arrival.expect("the line loses nothing");
        // Rounding may take one nanosecond of the 16 ns of gap and preamble.
        assert!(arrival.first >= last_end + 15, "{arrival:?} after {last_end}");
        assert!(arrival.first >= transit.tx_first + 50);
        late += u64::from(arrival.first > transit.tx_first + 50);
        last_end = arrival.last;
    }
    assert!(late > 450);
}

#[test]
fn a_reordered_frame_is_overtaken() {
    let config = LinkConfig { reorder_ns: 1_000, ..LinkConfig::ten_gigabit(0) };
    let mut always = line(LinkConfig { reorder: Probability::ALWAYS, ..config.clone() });
    let transit = sent(always.offer(0, 60));
    assert_eq!(transit.arrival.map(|arrival| arrival.first), Some(1_007));
    assert_eq!(always.receiver_free, 0, "it holds nothing back");
    assert_eq!(always.stats.reordered, 1);
}

#[test]
fn a_copy_follows_its_frame() {
    let config = LinkConfig { duplicate: Probability::ALWAYS, ..LinkConfig::ten_gigabit(0) };
    let mut line = line(config);
    let transit = sent(line.offer(0, 60));
    assert_eq!(transit.arrival.map(|arrival| arrival.first), Some(7));
    assert_eq!(transit.copy.map(|copy| copy.first), Some(74));
    // The sender's side is not held up by the copy.
    assert_eq!(sent(line.offer(0, 60)).tx_first, 74);
}

#[test]
fn switching_one_impairment_on_leaves_the_draws_of_the_others() {
    let lossy =
        LinkConfig { loss: Probability::per_million(200_000), ..LinkConfig::ten_gigabit(0) };
    let both = LinkConfig { duplicate: Probability::per_million(300_000), ..lossy.clone() };
    let (mut one, mut other) = (line(lossy), line(both));
    for n in 0..1_000 {
        let lost = |transit: Transit| transit.arrival.is_none();
        assert_eq!(lost(sent(one.offer(n * 100, 60))), lost(sent(other.offer(n * 100, 60))));
    }
    assert!(other.stats.duplicated > 0);
    assert_eq!(one.stats.drops.loss, other.stats.drops.loss);
}
