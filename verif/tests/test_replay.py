"""`saker replay` against a scan of the decoded JSON that shares no code with it."""

import json
from decimal import Decimal

STOPS = [
    # name, symbol, side, trigger: both sides, on busy and on quiet instruments, hit and not hit
    ("afl-up", "AFLT", "buy", "76.50"),
    ("afl-down", "AFLT", "sell", "74.80"),
    ("afl-never", "AFLT", "buy", "99.00"),
    ("moex-down", "MOEX", "sell", "87.00"),
    ("moex-deep", "MOEX", "sell", "84.26"),
    ("moex-at-once", "MOEX", "buy", "10.00"),
    ("bond-flat", "RU000A0ZYFE2", "buy", "98"),
    ("bond-below", "XS0893212398", "sell", "107"),
    ("absent", "NOSUCH", "buy", "1.00"),
]


def strategy_file(path, stops):
    text = ["[limits]", "max_order_quantity = 100", "max_open_orders = 10", "max_position = 1000"]
    for name, symbol, side, trigger in stops:
        text += [
            "[[strategy]]",
            f'name = "{name}"',
            'kind = "stop"',
            f'symbol = "{symbol}"',
            f'side = "{side}"',
            f'trigger = "{trigger}"',
            'order_type = "market"',
            "quantity = 1",
        ]
    path.write_text("\n".join(text) + "\n")
    return path


def expected(messages, stops):
    """The first trade of each stop's symbol at or beyond its trigger."""
    open_stops = {name: (symbol, side, Decimal(trigger)) for name, symbol, side, trigger in stops}
    fires = []
    for index, message in enumerate(messages):
        for entry_index, entry in enumerate(message["fields"]["GroupMDEntries"]):
            if "MDEntryPx" not in entry:
                continue
            price = entry["MDEntryPx"]
            for name, (symbol, side, trigger) in list(open_stops.items()):
                hit = price >= trigger if side == "buy" else price <= trigger
                if entry["Symbol"] == symbol and hit:
                    fires.append((name, index, entry_index, price))
                    del open_stops[name]
    return fires


def test_every_trigger_fires_once_and_no_other(saker, data, moex, tmp_path):
    capture = data / "moex" / "data.dat"
    decoded = saker("fast", "decode", *moex, capture).stdout
    messages = [json.loads(line, parse_float=Decimal) for line in decoded.splitlines()]
    want = expected(messages, STOPS)
    assert {name for name, *_ in want} >= {"afl-up", "moex-down", "bond-flat", "moex-at-once"}
    assert {name for name, *_ in want}.isdisjoint({"afl-never", "bond-below", "absent"})

    strategies = strategy_file(tmp_path / "stops.toml", STOPS)
    report = saker("replay", capture, *moex, "--strategy", strategies, "--json").stdout
    report = json.loads(report, parse_float=Decimal)
    got = [
        (fire["strategy"], fire["message"], fire["entry"], Decimal(fire["price"]))
        for fire in report["fires"]
    ]
    assert sorted(got) == sorted(want)
    assert report["orders"]["sent"] == len(want)
    assert report["input"]["messages"] == 5020
    assert report["input"]["entries"] == 6737


def test_prepared_orders_are_whole_frames(saker, data, moex, tmp_path):
    """Each fired order is an Ethernet frame that scapy finds correct, with a correct FIX body."""
    from scapy.all import IP, TCP, Ether

    strategies = strategy_file(tmp_path / "stops.toml", STOPS[:1])
    capture = data / "moex" / "data.dat"
    report = json.loads(saker("replay", capture, *moex, "--strategy", strategies, "--json").stdout)
    frame = bytes.fromhex(report["fires"][0]["frame"])
    packet = Ether(frame)
    again = Ether(frame)
    del again[IP].chksum, again[IP].len, again[TCP].chksum
    assert bytes(again) == frame
    order = bytes(packet[TCP].payload)
    body, checksum = order[: order.rindex(b"10=")], order[order.rindex(b"10=") + 3 : -1]
    assert sum(body) % 256 == int(checksum)
    fields = dict(f.split(b"=", 1) for f in order.split(b"\x01") if f)
    assert fields[b"35"] == b"D" and fields[b"55"] == b"AFLT" and fields[b"54"] == b"1"


def test_bad_input_is_named(saker, data, moex, tmp_path):
    capture = data / "moex" / "data.dat"
    strategies = strategy_file(tmp_path / "stops.toml", STOPS)
    cut = tmp_path / "cut.dat"
    cut.write_bytes(capture.read_bytes()[:1000])
    bad_toml = tmp_path / "bad.toml"
    bad_toml.write_text('[[strategy]]\nname = "x"\nkind = "stopp"\n')

    done = saker("replay", capture, *moex, "--strategy", bad_toml, check=False)
    assert done.returncode != 0 and b"bad.toml" in done.stderr and b"stopp" in done.stderr
    done = saker("replay", tmp_path / "none", *moex, "--strategy", strategies, check=False)
    assert done.returncode != 0 and b"none" in done.stderr
    done = saker("fast", "decode", *moex, cut, check=False)
    assert done.returncode != 0 and b"byte " in done.stderr
    assert len(done.stdout.splitlines()) > 5, "messages before the cut are still printed"


def test_what_was_done_before_a_cut_is_reported(saker, data, moex, tmp_path):
    capture = data / "moex" / "data.dat"
    strategies = strategy_file(tmp_path / "stops.toml", STOPS)
    cut = tmp_path / "cut.dat"
    cut.write_bytes(capture.read_bytes()[:1000])
    decoded = saker("fast", "decode", *moex, cut, check=False).stdout
    messages = [json.loads(line, parse_float=Decimal) for line in decoded.splitlines()]
    done = saker("replay", cut, *moex, "--strategy", strategies, "--json", check=False)
    assert done.returncode == 1
    message = f"message {len(messages)}: truncated".encode()
    assert b"cut.dat" in done.stderr and message in done.stderr and b"byte " in done.stderr
    report = json.loads(done.stdout)
    assert report["input"]["messages"] == len(messages)
    assert len(report["fires"]) == len(expected(messages, STOPS)) > 0


def test_a_capture_that_scapy_wrote(saker, data, moex, tmp_path):
    """The same messages as datagrams, several a packet, among others and in a file that ends early."""
    from scapy.all import ARP, IP, TCP, UDP, Ether, Raw, wrpcap

    templates, reset = moex[:2], moex[4:]
    decoded = saker("fast", "decode", *moex, data / "moex" / "data.dat").stdout
    messages = [json.loads(line, parse_float=Decimal) for line in decoded.splitlines()]
    lines = tmp_path / "lines.json"
    lines.write_bytes(decoded)
    prefix = ["--length-prefix", "u16be"]
    blocks = saker("fast", "encode", *templates, *reset, *prefix, lines).stdout
    units = []
    while blocks:
        length = int.from_bytes(blocks[:2], "big")
        units.append(blocks[2 : 2 + length])
        blocks = blocks[2 + length :]
    assert len(units) == len(messages)

    head = Ether(src="02:00:00:00:00:01", dst="01:00:5e:43:01:01") / IP(src="10.0.0.1", dst="239.195.1.1")
    frames = []
    for start in range(0, len(units), 3):
        payload = b"\x00" * 4 + b"".join(units[start : start + 3])
        frames.append(head / UDP(sport=5000, dport=16001) / Raw(payload))
        if start % 300 == 0:
            frames.append(head / UDP(sport=5000, dport=16002) / Raw(b"another channel"))
            frames.append(head / TCP() / Raw(b"no datagram"))
            frames.append(Ether() / ARP())
    for number, frame in enumerate(frames):
        frame.time = 1554366996 + number / 1000
    pcap = tmp_path / "moex.pcap"
    wrpcap(str(pcap), frames)

    strategies = strategy_file(tmp_path / "stops.toml", STOPS)
    options = [*moex, "--strategy", strategies, "--channel", "239.195.1.1:16001", "--json"]
    report = json.loads(saker("replay", pcap, *options).stdout, parse_float=Decimal)
    want = expected(messages, STOPS)
    got = [(f["strategy"], f["message"], f["entry"], Decimal(f["price"])) for f in report["fires"]]
    assert sorted(got) == sorted(want)
    noise = len(range(0, len(units), 300))
    assert report["input"]["packets"] == len(range(0, len(units), 3))
    assert report["input"]["messages"] == len(messages)
    assert report["input"]["dropped"] == {
        "datagram: to another address": noise,
        "frame: not UDP over IPv4": 2 * noise,
    }
    assert all(report["invariants"].values())
    rates = {row["window_ns"]: row["peak_pps"] for row in report["rates"]}
    assert set(rates) == {10**9, 10**8, 10**7, 10**6}

    cut = tmp_path / "cut.pcap"
    cut.write_bytes(pcap.read_bytes()[:-20])
    done = saker("replay", cut, *options, check=False)
    assert done.returncode == 1 and b"truncated" in done.stderr
    assert json.loads(done.stdout)["input"]["packets"] == len(range(0, len(units), 3)) - 1


def test_the_demo_s_capture_needs_no_options(saker, demo, tmp_path):
    capture = demo / "demo.pcapng"
    stops = [("a", "ALDER", "buy", "100.02"), ("b", "BIRCH", "sell", "25.48")]
    strategies = strategy_file(tmp_path / "stops.toml", stops)
    for lines in ([], ["--interface", "trader-feed-a-rx", "--interface", "trader-feed-b-rx"]):
        out = tmp_path / "out"
        saker("replay", capture, "--strategy", strategies, *lines, "--out", out)
        report = json.loads((out / "report.json").read_text())
        assert all(report["invariants"].values())
        assert {fire["symbol"] for fire in report["fires"]} == {"ALDER", "BIRCH"}
        assert report["input"]["dropped"]["packet: second copy"] > 100
        assert (out / "report.html").read_text().lstrip().lower().startswith("<!doctype html>")
    done = saker("replay", capture, "--strategy", strategies, "--interface", "eth9", check=False)
    assert done.returncode == 1 and b"eth9" in done.stderr and b"trader-feed-a-rx" in done.stderr
