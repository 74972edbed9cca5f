"""Decides claims about layouts with isl (pip install islpy) and compares with the verdicts of girih.

    cargo test --test prove claims_for_isl -- --ignored --nocapture | python scripts/prove_isl.py [seconds per claim]

Values become Presburger formulas over the coordinates; a claim is the emptiness of its counterexamples, and their lexicographic
minimum is the least one. Prints each disagreement and a count.
"""
import json
import sys
from collections import Counter
from multiprocessing import Pipe, Process

import islpy as isl


def names(prefix, image):
    return [f"{prefix}{k}" for k in range(len(image["shape"]))]


def inside(prefix, image):
    return " and ".join(f"0 <= {c} < {n}" for c, n in zip(names(prefix, image), image["shape"]))


def value(prefix, image):
    terms = [f"{d}*{c}" for c, d in zip(names(prefix, image), image["stride"])]
    return " + ".join(terms + [str(image["offset"])]).replace("+ -", "- ")


def tuple_of(prefix, image):
    """The coordinate, highest leaf first, so that lexicographic order is the order of indices."""
    return ", ".join(reversed(names(prefix, image)))


def values(image):
    return isl.Set(f"{{ [v] : exists {', '.join(names('x', image))} : {inside('x', image)} and v = {value('x', image)} }}")


def counterexamples(kind, images):
    a = images[0]
    if kind == "injective":
        i, j = names("x", a), names("y", a)
        before = " or ".join(
            " and ".join([f"{i[l]} = {j[l]}" for l in range(k + 1, len(i))] + [f"{j[k]} < {i[k]}"]) for k in range(len(i))
        )
        b = dict(a)
        return a, isl.Set(
            f"{{ [{tuple_of('x', a)}] : {inside('x', a)} and exists {', '.join(j)} : {inside('y', b)} and ({before})"
            f" and {value('x', a)} = {value('y', b)} }}"
        )
    if kind == "disjoint":
        a, b = images
        return b, isl.Set(
            f"{{ [{tuple_of('x', b)}] : {inside('x', b)} and exists {', '.join(names('y', a))} : {inside('y', a)}"
            f" and {value('x', b)} = {value('y', a)} }}"
        )
    if kind == "inside":
        family = values(images[1])
        for m in images[2:]:
            family = family.union(values(m))
        at = isl.Map(f"{{ [{tuple_of('x', a)}] -> [v] : {inside('x', a)} and v = {value('x', a)} }}")
        return a, at.domain().subtract(at.intersect_range(family).domain())
    raise ValueError(kind)


def equal(a, b):
    """The least index where two functions differ: both as functions of the index."""
    def function(m):
        p, bounds, terms = 1, [], []
        for c, n in zip(names("x", m), m["shape"]):
            terms.append(f"{p}*{c}")
            p *= n
        return isl.Map(f"{{ [i] -> [v] : exists {', '.join(names('x', m))} : {inside('x', m)} and i = {' + '.join(terms)} and v = {value('x', m)} }}")
    f, g = function(a), function(b)
    return f.subtract(g).union(g.subtract(f)).domain()


def decide(line, pipe):
    if line["kind"] == "equal":
        bad, shape = equal(*line["images"]), [2**62]
    else:
        of, bad = counterexamples(line["kind"], line["images"])
        shape = of["shape"]
    if bad.is_empty():
        return pipe.send(("true", None))
    pipe.send(("false", None))
    point = bad.lexmin().sample_point()
    c = [point.get_coordinate_val(isl.dim_type.set, k).to_python() for k in range(len(shape))]
    index, p = 0, 1
    for c, n in zip(reversed(c), shape):
        index, p = index + c * p, p * n
    pipe.send(("false", index))


def main():
    limit = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    count = Counter()
    for text in sys.stdin:
        if not text.startswith("{"):
            continue
        line = json.loads(text)
        mine, theirs = Pipe(duplex=False)
        p = Process(target=decide, args=(line, theirs))
        p.start()
        theirs.close()
        verdict, at = "skipped", None
        try:
            while mine.poll(limit):
                verdict, at = mine.recv()
        except EOFError:
            pass
        p.kill()
        p.join()
        kind = line["kind"]
        if "unknown" in (verdict, line["verdict"]) or verdict == "skipped":
            count[kind, f"isl {verdict}, girih {line['verdict']}"] += 1
            if line["verdict"] == "unknown":
                print("unknown:", line["claim"], "isl:", verdict, at)
        elif verdict != line["verdict"] or at is not None and at != line["at"]:
            count[kind, "DISAGREE"] += 1
            print("disagree:", json.dumps(line), "isl:", verdict, at, flush=True)
        else:
            count[kind, verdict + (" with the least" if at is not None else " alone" if verdict == "false" else "")] += 1
    for key, n in sorted(count.items()):
        print(*key, n)


main()
