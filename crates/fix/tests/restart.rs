//! Two sessions over transports that break at random: in the end every application message has
//! arrived exactly once, in order.

mod support;

use std::collections::VecDeque;

use proptest::prelude::*;
use saker_fix::parse::frame;
use saker_fix::session::{Event, Session};
use saker_fix::tag;
use support::{Pair, SECOND, body, client, exchange};

#[derive(Debug, Clone)]
enum Step {
    /// An application message; true: from the initiator.
    Send(bool),
    /// Bytes arrive: to the acceptor if true, at most so many.
    Carry(bool, usize),
    /// The transport breaks, with what is on its way, and comes up again.
    Restart,
    /// One side notices later than the other that the transport broke.
    HalfRestart(bool),
    Wait(u64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => any::<bool>().prop_map(Step::Send),
        8 => (any::<bool>(), 1usize..600).prop_map(|(to, count)| Step::Carry(to, count)),
        1 => Just(Step::Restart),
        1 => any::<bool>().prop_map(Step::HalfRestart),
        2 => (1u64..40).prop_map(|seconds| Step::Wait(seconds * SECOND)),
    ]
}

/// One end: what it sent, what came, and the bytes on their way to it.
#[derive(Default)]
struct End {
    sent: Vec<String>,
    received: Vec<String>,
    inbox: VecDeque<u8>,
}

impl End {
    fn take_events(&mut self, session: &mut Session) {
        while let Some(event) = session.poll_event() {
            if let Event::Application(bytes) = event {
                let (message, _) = frame(&bytes).expect("verified").expect("whole");
                self.received.push(message.str(tag::TEXT).expect("a text").to_owned());
                session.recycle(bytes);
            }
        }
    }
}

struct World {
    pair: Pair,
    acceptor: End,
    initiator: End,
    next: u32,
}

impl World {
    fn apply(&mut self, step: &Step) {
        let now = self.pair.now;
        match *step {
            Step::Send(from_initiator) => {
                let text = format!("message {}", self.next);
                self.next += 1;
                let (session, end) = match from_initiator {
                    true => (&mut self.pair.initiator, &mut self.initiator),
                    false => (&mut self.pair.acceptor, &mut self.acceptor),
                };
                if session.send(now, "j", body(&text)).is_ok() {
                    end.sent.push(text);
                }
            }
            Step::Carry(to_acceptor, count) => {
                let (session, end) = match to_acceptor {
                    true => (&mut self.pair.acceptor, &mut self.acceptor),
                    false => (&mut self.pair.initiator, &mut self.initiator),
                };
                let bytes: Vec<u8> = end.inbox.drain(..count.min(end.inbox.len())).collect();
                session.on_bytes(now, &bytes);
            }
            Step::Restart => {
                self.pair.disconnect();
                self.reconnect();
            }
            Step::HalfRestart(initiator_first) => {
                match initiator_first {
                    true => self.pair.initiator.on_disconnect(now),
                    false => self.pair.acceptor.on_disconnect(now),
                }
                self.pair.now += SECOND;
                self.pair.disconnect();
                self.reconnect();
            }
            Step::Wait(span) => {
                self.pair.now += span;
                self.pair.on_deadlines();
                // A host reconnects when a session gives up.
                if self.pair.acceptor.is_disconnected() || self.pair.initiator.is_disconnected() {
                    self.pair.disconnect();
                    self.reconnect();
                }
            }
        }
        self.acceptor.take_events(&mut self.pair.acceptor);
        self.initiator.take_events(&mut self.pair.initiator);
        let pair = &mut self.pair;
        for (session, inbox) in [
            (&mut pair.initiator, &mut self.acceptor.inbox),
            (&mut pair.acceptor, &mut self.initiator.inbox),
        ] {
            while let Some(bytes) = session.poll_output() {
                inbox.extend(bytes);
            }
        }
    }

    fn reconnect(&mut self) {
        self.acceptor.inbox.clear();
        self.initiator.inbox.clear();
        self.pair.connect();
    }
}

fn run(steps: &[Step], gap_capacity: usize) -> Result<(), TestCaseError> {
    let (mut acceptor, mut initiator) = (exchange(), client());
    // A message that was on its way for too long is rejected rather than delivered: another rule.
    acceptor.sending_time_limit_ns = None;
    initiator.sending_time_limit_ns = None;
    acceptor.gap_capacity = gap_capacity;
    initiator.gap_capacity = gap_capacity;
    let mut world = World {
        pair: Pair::new(acceptor, initiator),
        acceptor: End::default(),
        initiator: End::default(),
        next: 0,
    };
    world.pair.connect();
    for step in steps {
        world.apply(step);
    }
    world.apply(&Step::Restart);
    for round in 0.. {
        world.apply(&Step::Carry(true, usize::MAX));
        world.apply(&Step::Carry(false, usize::MAX));
        if world.acceptor.inbox.is_empty() && world.initiator.inbox.is_empty() {
            break;
        }
        prop_assert!(round < 100, "the sessions never come to rest");
    }
    let pair = &world.pair;
    prop_assert!(pair.acceptor.is_logged_on() && pair.initiator.is_logged_on());
    prop_assert_eq!(pair.acceptor.next_outbound_seq(), pair.initiator.next_inbound_seq());
    prop_assert_eq!(pair.initiator.next_outbound_seq(), pair.acceptor.next_inbound_seq());
    prop_assert_eq!(&world.initiator.sent, &world.acceptor.received);
    prop_assert_eq!(&world.acceptor.sent, &world.initiator.received);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_message_arrives_exactly_once(steps in prop::collection::vec(step(), 0..150)) {
        run(&steps, 1 << 20)?;
    }

    /// With hardly any room for messages above a gap, they are asked for again.
    #[test]
    fn dropping_held_messages_loses_none(steps in prop::collection::vec(step(), 0..150)) {
        run(&steps, 300)?;
    }

    /// Whatever arrives, the session does not panic and does not hoard.
    #[test]
    fn hostile_bytes_do_no_harm(
        logged_on in any::<bool>(),
        pieces in prop::collection::vec(
            prop_oneof![
                prop::collection::vec(any::<u8>(), 0..40),
                "35=[0-5ADj]\\|34=[0-9]{1,2}\\|((43|123|141)=Y\\|)?(7|36|112|98)=[0-9]{1,3}\\|(16|108)=[0-9]\\|"
                    .prop_map(|text| support::message(support::START, &text)),
            ],
            0..40,
        ),
    ) {
        let mut config = exchange();
        config.max_message = 512;
        config.output_capacity = 4_096;
        let mut session = Session::acceptor(config);
        session.on_connect(support::START);
        if logged_on {
            let logon = support::message(support::START, "35=A|34=1|98=0|108=30|");
            session.on_bytes(support::START, &logon);
        }
        for piece in &pieces {
            session.on_bytes(support::START, piece);
            while session.poll_event().is_some() {}
            prop_assert!(session.output().len() <= 4_096 + 2 * 512);
        }
    }
}
