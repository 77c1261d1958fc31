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
