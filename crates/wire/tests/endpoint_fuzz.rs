//! Random segments, calls and instants in every state: never a panic, never a broken invariant (the
//! endpoint asserts its own after every call), never an endless loop.

#![allow(clippy::unwrap_used)] // a test may fail

mod endpoint_support;

use endpoint_support::script::{ACK, FIN, IRS, ISS, OUR_PORT, PEER_PORT, RST, SYN};
use proptest::prelude::*;
use saker_wire::endpoint::{Config, Endpoint, KeepAlive, State};
use saker_wire::tcp::{TcpFlags, TcpHeader, TcpOption, TcpOptions};
use saker_wire::time::{MILLISECOND, Nanos, SECOND};

#[derive(Debug, Clone)]
enum Step {
    /// A segment near what the endpoint expects, or anywhere.
    Segment {
        flags: u8,
        seq: Near,
        ack: Near,
        window: u16,
        len: usize,
    },
    Send(usize),
    Recv(usize),
    Delegate,
    Report {
        len: usize,
        offset: u32,
    },
    Revoke,
    Close,
    Abort,
    Wait(Nanos),
    Deadline,
    Poll,
}

/// A sequence number relative to the one that would be right.
#[derive(Debug, Clone, Copy)]
enum Near {
    Exact,
    Off(i32),
    Any(u32),
}

impl Near {
    fn around(self, exact: u32) -> u32 {
        match self {
            Near::Exact => exact,
            Near::Off(by) => exact.wrapping_add(by as u32),
            Near::Any(number) => number,
        }
    }
}

fn near() -> impl Strategy<Value = Near> {
    prop_oneof![
        6 => Just(Near::Exact),
        3 => (-3000i32..3000).prop_map(Near::Off),
        1 => any::<u32>().prop_map(Near::Any),
    ]
}

fn flags() -> impl Strategy<Value = u8> {
    let usual = [ACK, ACK, ACK, ACK | FIN, SYN, SYN | ACK, RST, RST | ACK, FIN];
    prop_oneof![9 => prop::sample::select(usual.to_vec()).prop_map(|f| f.0), 1 => any::<u8>()]
}

fn segment() -> impl Strategy<Value = Step> {
    let window = prop_oneof![Just(0u16), 1u16..100, any::<u16>()];
    let len = prop_oneof![4 => Just(0usize), 3 => 1usize..50, 1 => 1usize..3000];
    (flags(), near(), near(), window, len)
        .prop_map(|(flags, seq, ack, window, len)| Step::Segment { flags, seq, ack, window, len })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        20 => segment(),
        6 => (1usize..4000).prop_map(Step::Send),
        5 => (1usize..4000).prop_map(Step::Recv),
        3 => Just(Step::Delegate),
        6 => (prop_oneof![4 => 1usize..300, 1 => 0usize..20_000], prop_oneof![5 => Just(0u32), 1 => any::<u32>()])
            .prop_map(|(len, offset)| Step::Report { len, offset }),
        2 => Just(Step::Revoke),
        1 => Just(Step::Close),
        1 => (0u8..10).prop_map(|n| if n == 0 { Step::Abort } else { Step::Poll }),
        4 => (0..3 * SECOND).prop_map(Step::Wait),
        4 => Just(Step::Deadline),
        10 => Just(Step::Poll),
    ]
}

fn config() -> impl Strategy<Value = Config> {
    (
        100usize..5000,
        100usize..5000,
        60usize..5000,
        1usize..5,
        prop::option::of(0u8..15),
        any::<bool>(),
    )
        .prop_map(|(send, retransmit, receive, ranges, scale, delays)| Config {
            local_port: OUR_PORT,
            remote_port: PEER_PORT,
            mss: 100,
            send_capacity: send,
            retransmit_capacity: retransmit,
            receive_capacity: receive,
            reassembly_ranges: ranges,
            window_scale: scale,
            delayed_ack_ns: if delays { 40 * MILLISECOND } else { 0 },
            keep_alive: Some(KeepAlive { idle_ns: SECOND, interval_ns: SECOND, probes: 3 }),
            user_timeout_ns: 30 * SECOND,
            connect_timeout_ns: 30 * SECOND,
            ..Config::default()
        })
}

/// What the peer would send next, learned from what the endpoint emits.
struct Guess {
    seq: u32,
    ack: u32,
}

fn poll(endpoint: &mut Endpoint, now: Nanos, guess: &mut Guess) {
    let mut payload = Vec::new();
    let mut count = 0;
    while let Some(transmit) = endpoint.poll_transmit(now, &mut payload) {
        count += 1;
        assert!(count < 500, "polling ends");
        let header = transmit.header;
        if header.flags.contains(ACK) {
            guess.seq = header.ack;
        }
        let len = payload.len() as u32
            + u32::from(header.flags.contains(SYN))
            + u32::from(header.flags.contains(FIN));
        guess.ack = header.seq.wrapping_add(len);
    }
}

fn apply(endpoint: &mut Endpoint, step: &Step, now: &mut Nanos, guess: &mut Guess) {
    match *step {
        Step::Segment { flags, seq, ack, window, len } => {
            let header = TcpHeader {
                src_port: PEER_PORT,
                dst_port: OUR_PORT,
                seq: seq.around(guess.seq),
                ack: ack.around(guess.ack),
                flags: TcpFlags(flags),
                window,
                urgent: 0,
            };
            let mut area = Vec::new();
            TcpOption::Mss(len as u16).emit(&mut area);
            TcpOption::WindowScale(flags).emit(&mut area);
            let options = TcpOptions::parse(&area).unwrap();
            endpoint.on_segment(*now, &header, &options, &vec![7; len]);
        }
        Step::Send(len) => assert!(endpoint.send(&vec![1; len]) <= len),
        Step::Recv(len) => {
            endpoint.recv_up_to(len, &mut Vec::new());
        }
        Step::Delegate => {
            endpoint.delegate();
        }
        Step::Report { len, offset } => {
            let before = endpoint.delegated();
            let seq = before.map_or(0, |grant| grant.seq).wrapping_add(offset);
            let result = endpoint.delegate_sent(*now, seq, &vec![2; len]);
            match before {
                Some(grant) if offset == 0 && (1..=grant.limit_bytes as usize).contains(&len) => {
                    result.unwrap();
                    assert_eq!(endpoint.delegated().unwrap().seq, seq.wrapping_add(len as u32));
                }
                _ => {
                    result.unwrap_err();
                    assert_eq!(endpoint.delegated(), before);
                }
            }
        }
        Step::Revoke => {
            let _ = endpoint.revoke();
        }
        Step::Close => endpoint.close(),
        Step::Abort => endpoint.abort(),
        Step::Wait(ns) => {
            *now += ns;
            endpoint.on_deadline(*now);
        }
        Step::Deadline => {
            if let Some(at) = endpoint.next_deadline() {
                *now = at.max(*now);
                endpoint.on_deadline(*now);
                poll(endpoint, *now, guess);
                assert!(endpoint.next_deadline().is_none_or(|next| next > *now), "time goes on");
            }
        }
        Step::Poll => poll(endpoint, *now, guess),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn anything_goes(
        config in config(),
        listens in any::<bool>(),
        greets in prop::bool::weighted(0.9),
        steps in prop::collection::vec(step(), 0..150),
    ) {
        let mut now = SECOND;
        let mut guess = Guess { seq: IRS, ack: ISS };
        let mut endpoint = if listens {
            Endpoint::listen(config, ISS).unwrap()
        } else {
            Endpoint::connect(config, ISS, now).unwrap()
        };
        poll(&mut endpoint, now, &mut guess);
        if greets {
            let flags = if listens { SYN.0 } else { (SYN | ACK).0 };
            let syn = Step::Segment {
                flags, seq: Near::Exact, ack: Near::Exact, window: 5000, len: 0,
            };
            apply(&mut endpoint, &syn, &mut now, &mut guess);
            poll(&mut endpoint, now, &mut guess);
            if listens {
                let ack = Step::Segment {
                    flags: ACK.0, seq: Near::Exact, ack: Near::Exact, window: 5000, len: 0,
                };
                apply(&mut endpoint, &ack, &mut now, &mut guess);
            }
            prop_assert_eq!(endpoint.state(), State::Established);
        }
        for step in &steps {
            apply(&mut endpoint, step, &mut now, &mut guess);
            poll(&mut endpoint, now, &mut guess);
            endpoint.take_events().for_each(drop);
        }
    }
}
