"""hostile_files.py MCT: files that somebody else may have made, through the program's commands.

Each must be refused with exit code 2 and a message that names the file, without an output file.
"""
import os
import pathlib
import struct
import sys
import tempfile
import zlib

from program import Program


def front_file(points, powers):
    """A compressed embedding in the encoding `front`: `points` times one word of many powers."""
    bits = [(i, (points - 1).bit_length()) for i in range(points)]
    text = []
    for number, (i, width) in enumerate(bits):
        text.append(format(i, f"0{width}b") + "1")  # nothing of the word before is dropped
        if number == 0:
            text.append("0" + "1011" * (powers // 2))
        text.append("000")
    joined = "".join(text)
    joined += "0" * (-len(joined) % 8)
    tiles = int(joined, 2).to_bytes(len(joined) // 8, "big")
    content = b"MCTTILE\x1a" + bytes([1, 6, 0, 0]) + struct.pack("<QQQ", points, len(tiles), 0)
    content += tiles
    return content + struct.pack("<I", zlib.crc32(content))


class Mct(Program):
    def expect_refusal(self, words, *arguments):
        output = self.run(2, *arguments, expect=[words])
        for name in ("json.exception", "std::", "CaseMaker"):
            if name in output:
                sys.exit(f"mct {' '.join(map(str, arguments))}: '{name}' means nothing to a user\n{output}")


def check_decompress(mct, directory):
    # 14000 points in 75 kB: two gigabytes of text
    bomb = front_file(14000, 150000)
    assert len(bomb) < 80000
    (directory / "bomb.mct").write_bytes(bomb)
    mct.expect_refusal("bomb.mct': the text of 14000 points takes", "decompress", "bomb.mct",
                       "--out", "bomb.csv")
    # the work is the same for fewer decimals
    mct.expect_refusal("--most-digits", "decompress", "bomb.mct", "--decimals", 1, "--out",
                       "bomb.csv")
    if (directory / "bomb.csv").exists():
        sys.exit("bomb.csv was written")
    (directory / "small.mct").write_bytes(front_file(30, 40))
    mct.expect_refusal("more than the 100", "decompress", "small.mct", "--most-digits", 100, "--out",
                       "small.csv")
    mct.run(0, "decompress", "small.mct", "--out", "small.csv")
    if (directory / "small.csv").read_text().count("\n") != 30:
        sys.exit("small.csv does not have 30 points")


def check_tables(mct, directory):
    row = ",".join(["1"] * 64)
    for label in ("12", "3000000", "1e300", "-1"):
        (directory / "digits.csv").write_text(f"{row},3\n" * 20 + f"{row},{label}\n")
        mct.expect_refusal("digits.csv:21: ", "train", "regression", "--task", "digits",
                           "--arithmetic", "f64", "--quick", "--data", directory)


def check_descriptions(mct, directory):
    run = directory / "out" / "plus-0.999"
    run.mkdir(parents=True)
    text = directory / "text"
    text.write_text("a b c d e f " * 5000)
    for content, words in (('{"strategy":' + "[" * 100000, "nested"), ("{", "not valid JSON")):
        (run / "run.json").write_text(content)
        mct.expect_refusal(words, "train", "gpt", "--quick", "--strategy", "plus", "--text", text,
                           "--out", directory / "out", "--resume")
    os.mkfifo(directory / "pipe")
    mct.expect_refusal("it is not a regular file", "train", "gpt", "--text", directory / "pipe")


def main():
    os.environ["OMP_NUM_THREADS"] = "1"
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        mct = Mct(sys.argv[1], directory)
        check_decompress(mct, directory)
        check_tables(mct, directory)
        check_descriptions(mct, directory)


main()
