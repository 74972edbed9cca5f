#!/usr/bin/env python3
"""What another table of PTX instructions has that ours lacks, and the other way round.

    pip install apache-tvm-tirx        # its table of instructions, backend/cuda/ptx/table.py, is read for spellings alone
    cargo test --lib gpu::ptx::tests::spellings_are_printed -- --ignored --nocapture > ours.txt
    python scripts/compare_forms.py ours.txt [table.py] [--all]

Qualifiers are compared in any order, since that table does not always keep the ISA's. Of each mnemonic it prints how
many spellings each table has that the other lacks, and some of them (all with --all).
"""
import importlib.metadata
import importlib.util
import sys
from collections import defaultdict

DISTRIBUTION = "apache-tvm-tirx"
TABLE = "backend/cuda/ptx/table.py"


def theirs(path):
    """Their spellings, from the table's own list of instructions and of choices of modifiers."""
    if path is None:
        files = importlib.metadata.files(DISTRIBUTION) or []
        path = next(file.locate() for file in files if str(file).endswith(TABLE))
    spec = importlib.util.spec_from_file_location("table", path)
    table = importlib.util.module_from_spec(spec)
    sys.modules["table"] = table
    spec.loader.exec_module(table)
    for entry in table.TABLE.values():
        for choice in table.variants(entry):
            yield ".".join([entry.ptx_name, *filter(None, choice)])


def by_mnemonic(spellings):
    """Qualifiers in alphabetical order, with a spelling of each, by mnemonic."""
    all_of = defaultdict(dict)
    for spelling in spellings:
        mnemonic, *qualifiers = spelling.split(".")
        all_of[mnemonic].setdefault(tuple(sorted(qualifiers)), spelling)
    return all_of


def main():
    arguments = [a for a in sys.argv[1:] if a != "--all"]
    most = None if "--all" in sys.argv else 6
    with open(arguments[0]) as file:
        ours = by_mnemonic(word for word in map(str.strip, file) if word and " " not in word)
    other = by_mnemonic(theirs(arguments[1] if len(arguments) > 1 else None))
    for mnemonic in sorted(ours | other):
        here, there = ours.get(mnemonic, {}), other.get(mnemonic, {})
        for who, has, lacks in (("they", there, here), ("we", here, there)):
            only = sorted(has[key] for key in has.keys() - lacks.keys())
            if only:
                print(f"{mnemonic}: {who} have {len(only)} of {len(has)} that the other lacks: {', '.join(only[:most])}")


if __name__ == "__main__":
    main()
