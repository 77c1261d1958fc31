"""`saker fast decode` and `encode` on the MOEX capture."""

import json

from scapy.all import IP, UDP, Ether, Raw, wrpcap


def test_counts_and_shape(saker, data, moex):
    lines = saker("fast", "decode", *moex, data / "moex" / "data.dat").stdout.splitlines()
    messages = [json.loads(line) for line in lines]
    assert len(messages) == 5020
    assert sum(len(m["fields"]["GroupMDEntries"]) for m in messages) == 6737
    first = messages[0]
    assert list(first) == ["template", "id", "fields"]
    assert (first["template"], first["id"]) == ("Benchmark", 2521)
    assert first["fields"]["MsgSeqNum"] == 91650
    assert b'"MDEntryPx":74.78' in lines[0], "decimals are exact"
    assert "MDEntryDate" not in first["fields"]["GroupMDEntries"][0], "absent fields are left out"


def test_encode_is_the_inverse(saker, data, moex, tmp_path):
    capture = data / "moex" / "data.dat"
    text = saker("fast", "decode", *moex, capture).stdout
    lines = tmp_path / "lines.json"
    lines.write_bytes(text)
    for framing in ("none", "u32le", "u16be"):
        options = ["--templates", data / "moex" / "test.xml", "--reset", "message"]
        options += ["--length-prefix", framing]
        again = tmp_path / f"{framing}.dat"
        again.write_bytes(saker("fast", "encode", *options, lines).stdout)
        assert saker("fast", "decode", *options, again).stdout == text


def test_the_engine_runs_what_the_compiler_made(saker, data, moex, tmp_path):
    capture, templates = data / "moex" / "data.dat", data / "moex" / "test.xml"
    program = tmp_path / "moex.prog"
    options = ["--preamble", "4", "--reset", "message", "--profile", capture]
    listing = saker("fast", "compile", templates, *options, "-o", program, "--listing").stdout
    text = tmp_path / "moex.asm"
    text.write_bytes(listing)
    again = tmp_path / "again.prog"
    saker("fast", "asm", text, "-o", again)
    assert again.read_bytes() == program.read_bytes()

    report = json.loads(saker("fast", "run", program, capture, "--json").stdout)
    assert report["messages"] == report["complete"] == 5020
    assert report["cycles_per_field"] == round(report["cycles"] / report["fields"], 3) < 1
    compared = ["--templates", templates, "--json"]
    report = json.loads(saker("fast", "run", program, capture, *compared).stdout)
    cases = report["optimisations"]
    assert list(cases) == ["base", "segments", "precalculate", "wide", "rows", "all"]
    assert all(cases["all"]["cycles"] <= case["cycles"] <= cases["base"]["cycles"]
               for case in cases.values())

    program.write_bytes(program.read_bytes()[:-1])
    done = saker("fast", "run", program, capture, check=False)
    assert done.returncode == 1 and b"moex.prog" in done.stderr


def test_the_engine_takes_every_framing(saker, data, moex, tmp_path):
    capture, templates = data / "moex" / "data.dat", data / "moex" / "test.xml"
    raw, packets, at = capture.read_bytes(), [], 0
    lines = saker("fast", "decode", *moex, capture).stdout.splitlines()[1:101]
    for line in lines:
        # The preamble is the sequence number, that of the next message ends this one.
        number = json.loads(line)["fields"]["MsgSeqNum"]
        end = raw.index(number.to_bytes(4, "little"), at + 4)
        packets.append(raw[at:end])
        at = end
    framed = {
        "u8": b"".join(bytes([len(p)]) + p for p in packets),
        "u16be": b"".join(len(p).to_bytes(2, "big") + p for p in packets),
        "u32le": b"".join(len(p).to_bytes(4, "little") + p for p in packets),
        "step": b"".join(b"8=STEP.1.0.0\x0135=UF\x0195=%d\x0196=%s\x01" % (len(p), p)
                         for p in packets),
    }
    wrpcap(str(tmp_path / "pcap"), [Ether() / IP() / UDP(dport=9000) / Raw(p) for p in packets])
    options = ["--preamble", "4", "--reset", "message"]
    program = tmp_path / "moex.prog"
    plain = tmp_path / "plain"
    plain.write_bytes(b"".join(packets))
    saker("fast", "compile", templates, *options, "--profile", plain, "-o", program)
    expected = json.loads(saker("fast", "run", program, plain, "--json").stdout)
    assert expected["complete"] == len(packets) == 100
    for framing, content in framed.items():
        (tmp_path / framing).write_bytes(content)
    for framing in [*framed, "pcap"]:
        file, again = tmp_path / framing, tmp_path / "again.prog"
        saker("fast", "compile", templates, *options, "--profile", file, "--framing", framing,
              "-o", again)
        assert again.read_bytes() == program.read_bytes()
        report = json.loads(
            saker("fast", "run", program, file, "--framing", framing, "--json").stdout)
        assert report == expected, framing
    cut = tmp_path / "cut"
    cut.write_bytes(framed["u16be"][:-1])
    done = saker("fast", "run", program, cut, "--framing", "u16be", check=False)
    assert done.returncode == 1 and b"byte" in done.stderr


def test_generated_code_is_rust(saker, data):
    code = saker("fast", "gen", data / "moex" / "test.xml").stdout.decode()
    assert "pub struct Benchmark {" in code and "pub struct Decoder {" in code
