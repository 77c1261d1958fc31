"""Medians and leasts of the turns of mfast.sh, and their ratios to mFAST in the same turn.

Each row is compared with the mFAST that does the same: reads every field, reads nothing, or decodes and
encodes; once with templates loaded at run time and once with generated code.
"""

import statistics
import sys


def job(name: str) -> str:
    """What a candidate does, in mFAST's words."""
    if "encode" in name:
        return "decode and encode"
    # A generated structure is filled and not looked at; other candidates hand each field over.
    if name.endswith("nothing read") or name == "generated: decode":
        return "decode, nothing read"
    return "decode, every field read"


def main() -> None:
    turns: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for row in open(sys.argv[1]):
        bench, name, median, least = row.rstrip("\n").split("|")
        turns.setdefault((bench, name), []).append((float(median), float(least)))
    print(f"{'':<50} {'median':>10} {'least':>10} {'x loaded':>12} {'x generated':>12}")
    for (bench, name), times in turns.items():
        if "encode" in name and "decode" not in name:
            continue
        medians, leasts = zip(*times, strict=True)
        line = f"{bench + ': ' + name:<50} {statistics.median(medians):>10.1f} {min(leasts):>10.1f}"
        for peer, width in (("mFAST: ", 12), ("mFAST generated: ", 12)):
            theirs = turns.get((bench, peer + job(name)))
            ratio = "-"
            if theirs:
                of_turns = (their[0] / own[0] for their, own in zip(theirs, times, strict=True))
                leasts_ratio = min(least for _, least in theirs) / min(leasts)
                ratio = f"{statistics.median(of_turns):.1f} ({leasts_ratio:.1f})"
            line += f" {ratio:>{width}}"
        print(line)
    print("x loaded, x generated: to mFAST's templates loaded at run time and to its generated code,")
    print("doing the same; median of the turns' ratios, and in brackets the ratio of the leasts.")


main()
