use super::*;

const A: Mac = [2, 0, 0, 0, 0, 1];
const B: Mac = [2, 0, 0, 0, 0, 2];
const GROUP: Mac = [1, 0, 0x5e, 1, 2, 3];

fn pass(switch: &mut Switch, now: Nanos, port: u8, to: Mac, from: Mac) -> Vec<u8> {
    let mut bytes = [to, from].concat();
    bytes.resize(60, 0);
    let mut out = Outbox::default();
    let frame = RxFrame { port, id: 9, first_byte_ns: now, bytes: &bytes };
    switch.receive(now, frame, &mut out);
    for frame in &out.frames {
        assert_eq!(frame.bytes, bytes);
        assert_eq!(frame.ready_at, now + 300);
        assert_eq!(frame.cause, Some(9));
    }
    out.frames.iter().map(|frame| frame.port).collect()
}

#[test]
fn floods_until_it_has_learnt() {
    let mut switch = Switch::new(SwitchConfig::flooding(4, 300));
    assert_eq!(pass(&mut switch, 0, 1, B, A), [0, 2, 3]);
    assert_eq!(pass(&mut switch, 10, 3, A, B), [1]);
    assert_eq!(pass(&mut switch, 20, 1, B, A), [3]);
    assert_eq!(switch.stats().flooded, 1);
    assert_eq!(switch.stats().sent, 5);
}

#[test]
fn a_moved_station_is_found_again() {
    let mut switch = Switch::new(SwitchConfig::flooding(4, 300));
    pass(&mut switch, 0, 1, B, A);
    pass(&mut switch, 1, 2, B, A);
    assert_eq!(pass(&mut switch, 2, 3, A, B), [2]);
}

#[test]
fn addresses_age() {
    let mut switch = Switch::new(SwitchConfig::flooding(3, 300));
    pass(&mut switch, 0, 1, B, A);
    assert_eq!(switch.port_of(300 * SECOND, A), Some(1));
    assert_eq!(switch.port_of(300 * SECOND + 1, A), None);
    assert_eq!(pass(&mut switch, 301 * SECOND, 2, A, B), [0, 1]);
}

#[test]
fn a_full_table_floods_and_counts() {
    let mut switch = Switch::new(SwitchConfig { table_size: 1, ..SwitchConfig::flooding(3, 300) });
    pass(&mut switch, 0, 0, B, A);
    pass(&mut switch, 1, 1, A, B);
    assert_eq!(switch.stats().table_full, 1);
    assert_eq!(pass(&mut switch, 2, 0, B, A), [1, 2]);
    // When the old entry has aged there is room again.
    pass(&mut switch, 301 * SECOND + 2, 1, A, B);
    assert_eq!(switch.port_of(301 * SECOND + 2, B), Some(1));
}

#[test]
fn groups_go_to_their_ports_only() {
    let groups = BTreeMap::from([(GROUP, vec![0, 2])]);
    let config =
        SwitchConfig { multicast: Multicast::Groups(groups), ..SwitchConfig::flooding(4, 300) };
    let mut switch = Switch::new(config);
    assert_eq!(pass(&mut switch, 0, 0, GROUP, A), [2]);
    assert_eq!(pass(&mut switch, 0, 1, GROUP, A), [0, 2]);
    assert_eq!(pass(&mut switch, 0, 1, [1, 0, 0x5e, 9, 9, 9], A), [] as [u8; 0]);
    assert_eq!(pass(&mut switch, 0, 1, BROADCAST, A), [0, 2, 3]);
    assert_eq!(switch.stats().filtered, 1);
}

#[test]
fn reserved_and_returning_frames_are_filtered() {
    let mut switch = Switch::new(SwitchConfig::flooding(4, 300));
    pass(&mut switch, 0, 1, B, A);
    assert_eq!(pass(&mut switch, 1, 1, A, B), [] as [u8; 0]);
    assert_eq!(pass(&mut switch, 2, 1, [1, 0x80, 0xc2, 0, 0, 14], A), [] as [u8; 0]);
    assert_eq!(switch.stats().filtered, 2);
}
