//! Builds capture files byte by byte, in either byte order, independently of the crate's writer.

#![allow(dead_code)] // not every test uses every part

/// Byte order of a file.
#[derive(Debug, Clone, Copy)]
pub struct Order {
    pub big_endian: bool,
}

pub const ORDERS: [Order; 2] = [Order { big_endian: false }, Order { big_endian: true }];

impl Order {
    pub fn u16(self, value: u16) -> [u8; 2] {
        if self.big_endian { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    pub fn u32(self, value: u32) -> [u8; 4] {
        if self.big_endian { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    pub fn u64(self, value: u64) -> [u8; 8] {
        if self.big_endian { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    pub fn pcap_header(self, magic: u32, network: u32) -> Vec<u8> {
        [
            &self.u32(magic)[..],
            &self.u16(2),
            &self.u16(4),
            &self.u32(0),
            &self.u32(0),
            &self.u32(65_535),
            &self.u32(network),
        ]
        .concat()
    }

    pub fn pcap_record(self, seconds: u32, fraction: u32, data: &[u8], original: u32) -> Vec<u8> {
        let len = data.len() as u32;
        [&self.u32(seconds)[..], &self.u32(fraction), &self.u32(len), &self.u32(original), data]
            .concat()
    }

    pub fn block(self, kind: u32, body: &[u8]) -> Vec<u8> {
        let len = self.u32(12 + body.len() as u32);
        [&self.u32(kind)[..], &len, body, &len].concat()
    }

    pub fn section(self) -> Vec<u8> {
        let body = [&self.u32(0x1A2B_3C4D)[..], &self.u16(1), &self.u16(0), &[0xFF; 8]].concat();
        self.block(0x0A0D_0D0A, &body)
    }

    pub fn option(self, code: u16, value: &[u8]) -> Vec<u8> {
        [&self.u16(code)[..], &self.u16(value.len() as u16), &padded(value)].concat()
    }

    pub fn interface(self, link_type: u16, snap_len: u32, options: &[(u16, &[u8])]) -> Vec<u8> {
        let mut body = [&self.u16(link_type)[..], &self.u16(0), &self.u32(snap_len)].concat();
        for (code, value) in options {
            body.extend(self.option(*code, value));
        }
        if !options.is_empty() {
            body.extend(self.option(0, &[]));
        }
        self.block(1, &body)
    }

    pub fn enhanced(self, id: u32, units: u64, data: &[u8], options: &[u8]) -> Vec<u8> {
        let len = data.len() as u32;
        let body = [
            &self.u32(id)[..],
            &self.u32((units >> 32) as u32),
            &self.u32(units as u32),
            &self.u32(len),
            &self.u32(len + 100),
            &padded(data),
            options,
        ]
        .concat();
        self.block(6, &body)
    }

    pub fn simple(self, original: u32, data: &[u8]) -> Vec<u8> {
        self.block(3, &[&self.u32(original)[..], &padded(data)].concat())
    }

    pub fn obsolete(self, id: u16, units: u64, data: &[u8]) -> Vec<u8> {
        let len = self.u32(data.len() as u32);
        let body = [
            &self.u16(id)[..],
            &self.u16(0xFFFF),
            &self.u32((units >> 32) as u32),
            &self.u32(units as u32),
            &len,
            &len,
            &padded(data),
        ]
        .concat();
        self.block(2, &body)
    }

    /// Two sections, the second in the other byte order, with every kind of packet block.
    pub fn everything(self) -> Vec<u8> {
        let other = Order { big_endian: !self.big_endian };
        let comment = [self.option(1, b"why"), self.option(0, &[])].concat();
        [
            self.section(),
            self.interface(1, 0, &[(2, b"eth0"), (9, &[9])]),
            self.interface(1, 0, &[(9, &[0x80 | 32]), (14, &self.u64(1_000))]),
            self.enhanced(0, 123_456_789_012, b"first", &comment),
            self.block(0x0000_0BAD, b"skipped!"),
            self.enhanced(1, 0x1_8000_0000, b"second", &[]),
            other.section(),
            other.interface(147, 4, &[(14, &other.u64((-5i64) as u64))]),
            other.obsolete(0, 7_000_001, b"third"),
            other.simple(9, b"four"),
        ]
        .concat()
    }
}

pub fn padded(bytes: &[u8]) -> Vec<u8> {
    let mut padded = bytes.to_vec();
    padded.resize(bytes.len().next_multiple_of(4), 0);
    padded
}
