"""`saker demo`, read by scapy and by nothing of saker's."""

import hashlib
import json

from scapy.all import IP, TCP, UDP, Ether, PcapNgReader, Raw
from scapy.layers.inet import in4_chksum


def captures(folder):
    return sorted(folder.glob("*.pcapng"))


def test_report(demo):
    report = json.loads((demo / "report.json").read_text())
    assert report["invariants"] and all(v is True for v in report["invariants"].values())
    orders = report["orders"]
    assert orders["sent"] > 0
    assert orders["acknowledged"] == orders["sent"]
    assert orders["filled"] > 0
    for row in report["latency"]:
        assert row["count"] > 0
        quantiles = [row[k] for k in ("min_ns", "p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns")]
        assert quantiles == sorted(quantiles)
    assert (demo / "report.html").read_text().lstrip().lower().startswith("<!doctype html>")


def test_html_is_self_contained(demo):
    page = (demo / "report.html").read_text()
    for outside in ("src=", "@import", 'rel="stylesheet"', "fetch("):
        assert outside not in page


def test_same_seed_same_bytes(saker, demo, tmp_path):
    saker("demo", "--seed", "7", "--seconds", "2", "--out", tmp_path)
    digest = lambda p: hashlib.sha256(p.read_bytes()).hexdigest()
    names = {p.name for p in demo.iterdir()}
    assert names == {p.name for p in tmp_path.iterdir()}
    for name in sorted(names):
        assert digest(demo / name) == digest(tmp_path / name), name


def test_other_seed_other_bytes(saker, demo, tmp_path):
    saker("demo", "--seed", "8", "--seconds", "2", "--out", tmp_path)
    for mine, other in zip(captures(demo), captures(tmp_path), strict=True):
        assert mine.read_bytes() != other.read_bytes()


def test_no_bad_checksum_and_no_malformed_packet(demo):
    files = captures(demo)
    assert files
    seen = {"tcp": 0, "udp": 0, "other": 0}
    for file in files:
        for packet in PcapNgReader(str(file)):
            frame = bytes(packet)
            assert isinstance(packet, Ether) and 14 < len(frame) <= 1514
            if IP not in packet:
                seen["other"] += 1
                assert packet.type == 0x0806 and Raw not in packet
                continue
            ip = packet[IP]
            fresh = ip.copy()
            del fresh.chksum
            assert IP(bytes(fresh)).chksum == ip.chksum
            assert ip.len <= len(frame) - 14
            segment = frame[14 + ip.ihl * 4 : 14 + ip.len]
            # A correct checksum sums to zero over the segment that contains it.
            assert in4_chksum(ip.proto, ip, segment) == 0
            if TCP in packet:
                seen["tcp"] += 1
            elif UDP in packet:
                seen["udp"] += 1
                assert packet[UDP].len == len(segment)
            else:
                raise AssertionError(f"neither TCP nor UDP: {packet.summary()}")
    assert seen["tcp"] > 100 and seen["udp"] > 100 and seen["other"] > 0
