//! Prepared messages: encoded in advance, sent by another party in the session's name, accounted
//! for afterwards (seed 001 §4.5.2).

use saker_wire::time::Nanos;

use super::outbound::encode;
use super::{Prepared, PreparedError, SendError, Session};
use crate::encode::{Header, MAX_SEQ_WIDTH, Writer};
use crate::parse::frame_with_limit;
use crate::tag::{self, msg_type};

impl Session {
    /// Encodes a message with the next MsgSeqNum, nine digits wide, without sending it. It stays
    /// valid until the session sends anything: then [`Session::refresh`] it.
    pub fn prepare(
        &mut self,
        now: Nanos,
        msg_type: &str,
        body: impl FnOnce(&mut Writer<'_>),
    ) -> Result<Prepared, SendError> {
        if !self.is_logged_on() {
            return Err(SendError::NotLoggedOn);
        }
        let seq = self.outbound_seq;
        let header = Header {
            msg_type,
            msg_seq_num: seq,
            seq_width: MAX_SEQ_WIDTH,
            sender: &self.config.sender_comp_id,
            target: &self.target,
            sending_time: now,
            poss_dup: None,
        };
        let encoded = encode(&mut self.scratch, &header, &mut self.dates, body)?;
        Ok(Prepared { bytes: encoded.bytes.to_vec(), seq, layout: encoded.layout })
    }

    /// Patches a prepared message to the next MsgSeqNum and to `now`.
    pub fn refresh(&mut self, now: Nanos, prepared: &mut Prepared) {
        let Prepared { bytes, seq, layout } = prepared;
        // Numbers up to MAX_SEQ fit the width, and the layout came with the bytes; a caller who
        // replaced either finds the message unchanged.
        if self.outbound_seq <= super::MAX_SEQ
            && crate::patch::msg_seq_num(bytes, layout, self.outbound_seq).is_ok()
            && crate::patch::sending_time(bytes, layout, now, &mut self.dates).is_ok()
        {
            *seq = self.outbound_seq;
        }
    }

    /// A prepared message was sent in this session's name at `now`: its number is used, and it is
    /// kept for resending. Nothing is added to the output. The session may have ended meanwhile:
    /// the peer may have the message all the same, and the next Logon must not reuse its number.
    pub fn note_prepared_sent(&mut self, now: Nanos, bytes: &[u8]) -> Result<u32, PreparedError> {
        let Some((message, size)) = frame_with_limit(bytes, self.config.max_message)? else {
            return Err(PreparedError::NotOurs);
        };
        let ours = size == bytes.len()
            && message.get(tag::SENDER_COMP_ID) == Some(self.config.sender_comp_id.as_bytes())
            && message.get(tag::TARGET_COMP_ID) == Some(self.target.as_bytes())
            && !msg_type::is_admin(message.msg_type());
        let found = message.msg_seq_num().map_err(|_| PreparedError::NotOurs)?;
        if !ours {
            return Err(PreparedError::NotOurs);
        }
        if found != self.outbound_seq {
            return Err(PreparedError::OutOfSequence { expected: self.outbound_seq, found });
        }
        self.store.push(found, bytes);
        self.count_sent(now);
        Ok(found)
    }
}
