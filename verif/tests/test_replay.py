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
    assert done.returncode != 0 and b"offset" in done.stderr
    assert len(done.stdout.splitlines()) > 5, "messages before the cut are still printed"
