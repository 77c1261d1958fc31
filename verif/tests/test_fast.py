"""`saker fast decode` and `encode` on the MOEX capture."""

import json


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


def test_generated_code_is_rust(saker, data):
    code = saker("fast", "gen", data / "moex" / "test.xml").stdout.decode()
    assert "pub struct Benchmark {" in code and "pub struct Decoder {" in code
