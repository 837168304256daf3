"""check_command.py MCT: the digits that `mct check` counts, compared with exact fractions."""
import csv
import fractions
import math
import pathlib
import random
import sys
import tempfile

from program import Program

Exact = fractions.Fraction


class Check(Program):
    def run(self, code, *arguments, expect=()):
        return super().run(code, "check", *arguments, expect=expect)

    def write(self, name, rows):
        text = "\n".join(", ".join(repr(x) for x in row) for row in rows)
        (self.directory / name).write_text("# numbers\n" + text + "\n")

    def digits(self, *arguments):
        self.run(0, *arguments, "--csv", "digits.csv", expect=["right digits"])
        with open(self.directory / "digits.csv") as file:
            return list(csv.DictReader(file))


def numbers_of(program, name):
    return [float(line) for line in (program.directory / name).read_text().splitlines() if line[0] != "#"]


def exact(row):
    """What the row says in f64x2; it has 36 digits."""
    return Exact(row["in f64x2"])


def digits_of(result, truth):
    error = abs(Exact(result) - truth)
    return 17 if error == 0 else max(0, min(17, -math.log10(error / abs(truth)))) if truth else 0


def compare(rows, results, truths):
    assert len(rows) == len(results) == len(truths), len(rows)
    for row, result, truth in zip(rows, results, truths):
        assert abs(exact(row) - truth) <= abs(truth) * Exact(1, 10**29), (row, truth)
        expected = digits_of(result, truth)
        counted = float(row["right digits"])
        # the radius counts, too: never more digits than there are
        assert expected - 0.05 <= counted <= expected + 0.01 or counted >= 16.9, (row, expected)


def arithmetic(program):
    random.seed(1)
    numbers = [random.uniform(1, 2) * 2.0**random.randint(-30, 30) for _ in range(60)]
    x, y = numbers[:30], numbers[30:]
    program.write("x.txt", [[v] for v in x])
    program.write("y.txt", [[v] for v in y])
    for name, function in {"add": lambda a, b: a + b, "sub": lambda a, b: a - b,
                           "mul": lambda a, b: a * b, "div": lambda a, b: a / b}.items():
        truths = [function(Exact(a), Exact(b)) for a, b in zip(x, y)]
        compare(program.digits(name, "x.txt", "y.txt"), [function(a, b) for a, b in zip(x, y)], truths)
        # a result of another program, with errors of every size
        wrong = [float(truth) * (1 + 10.0**-(1 + k / 2)) for k, truth in enumerate(truths)]
        program.write("wrong.txt", [[v] for v in wrong])
        compare(program.digits(name, "x.txt", "y.txt", "--result", "wrong.txt"), wrong, truths)
    # a 0 beside a result that is none has no digits, however small the result is
    program.write("small.txt", [[3e-323], [3e-322], [5e-324]])
    program.write("zeros.txt", [[0.0], [0.0], [0.0]])
    rows = program.digits("abs", "small.txt", "--result", "zeros.txt")
    assert all(float(row["right digits"]) == 0 for row in rows), rows
    # exact zeros have all digits
    rows = program.digits("sub", "x.txt", "x.txt")
    assert all(float(row["right digits"]) == 17 for row in rows), rows


def products(program):
    random.seed(2)
    a = [[random.uniform(-1, 1) for _ in range(7)] for _ in range(4)]
    b = [[random.uniform(-1, 1) for _ in range(3)] for _ in range(7)]
    program.write("a.csv", a)
    program.write("b.csv", b)
    truths = [sum(Exact(a[i][k]) * Exact(b[k][j]) for k in range(7)) for i in range(4) for j in range(3)]
    plain = [[sum(a[i][k] * b[k][j] for k in range(7)) for j in range(3)] for i in range(4)]
    program.write("c.csv", plain)
    rows = program.digits("mm", "a.csv", "b.csv", "--result", "c.csv")
    compare(rows, [v for row in plain for v in row], truths)
    assert "certain" in program.run(0, "mm", "a.csv", "b.csv") and "certain" in program.run(0, "exp", "a.csv")
    # what is written encloses the exact result
    rows = program.digits("div", "x.txt", "y.txt")
    for row, a, b in zip(rows, numbers_of(program, "x.txt"), numbers_of(program, "y.txt")):
        assert abs(exact(row) - Exact(a) / Exact(b)) <= Exact(row["radius"]), row
    # a transposed result is another one
    program.write("turned.csv", [list(column) for column in zip(*plain)])
    program.run(2, "mm", "a.csv", "b.csv", "--result", "turned.csv", expect=["shape (3, 4)", "shape (4, 3)"])
    # a sum that cancels: doubles one after the other lose it
    terms = [1e16, 1.0, -1e16]
    program.write("terms.txt", [[v] for v in terms])
    program.write("naive.txt", [[(terms[0] + terms[1]) + terms[2]]])
    row, = program.digits("sum", "terms.txt", "--result", "naive.txt")
    assert exact(row) == 1 and float(row["right digits"]) == 0, row


def geometry(program):
    program.write("x.csv", [[0.5, 0.0], [0.0, 1 - 1e-11]])
    program.write("y.csv", [[0.0, 0.0], [0.0, 0.0]])
    rows = program.digits("dist", "x.csv", "y.csv", "--model", "ball")
    assert abs(exact(rows[0]) - Exact("1.0986122886681098")) < 1e-15, rows  # log 3
    # what a formula in double loses next to the boundary
    naive = [math.acosh(1 + 2 * (a * a + b * b) / (1 - a * a - b * b)) for a, b in [(0.5, 0.0), (0.0, 1 - 1e-11)]]
    program.write("naive.csv", [[v] for v in naive])
    output = program.run(0, "dist", "x.csv", "y.csv", "--model", "ball", "--result", "naive.csv", "--worst", "1",
                         expect=["estimated", "2 results"])
    assert output.splitlines()[-2].split()[0] == "1", output
    moved = program.digits("expmap", "x.csv", "y.csv", "--model", "ball")
    assert all(len(row["in double"].split()) == 2 for row in moved), moved
    # a point outside: nothing is known, and it is said
    program.write("out.csv", [[2.0, 0.0], [0.1, 0.1]])
    program.run(0, "dist", "out.csv", "y.csv", "--model", "ball", expect=["1 results where nothing is known", "?"])
    # only points outside
    program.write("out.csv", [[2.0, 0.0], [3.0, 0.1]])
    program.run(0, "dist", "out.csv", "y.csv", "--model", "ball", expect=["2 results where nothing is known"])


def bad_input(program):
    program.run(0, "--list", expect=["log1p", "mm", "--model lorentz: dist"])
    program.run(2, expect=["no operation is given"])
    program.run(2, "nothing", "x.txt", expect=["no operation 'nothing'"])
    program.run(2, "exp", "x.txt", "y.txt", expect=["1 operand(s), but 2"])
    program.run(2, "dist", "x.csv", "--model", "ball", expect=["2 operand(s), but 1"])
    program.run(2, "nothing", "x.csv", "--model", "ball", expect=["nothing"])
    program.run(2, "dist", "x.csv", "y.csv", "--model", "klein", expect=["klein"])
    program.run(2, "dist", "x.csv", "y.csv", "--model", "ball", "--radius", "-1", expect=["-1"])
    program.run(2, "exp", "x.txt", "--radius", "2", expect=["--model"])
    program.run(2, "exp", "x.txt", "--worst", "-1", expect=["--worst"])
    (program.directory / "large.txt").write_text("1e400\n")
    program.run(2, "exp", "large.txt", expect=["1e400", "that a double holds"])
    program.write("big.txt", [[1e308]])
    assert "certain" not in program.run(0, "add", "big.txt", "big.txt", expect=["1 results where nothing is known"])
    program.run(2, "exp", "missing.txt", expect=["missing.txt"])
    program.run(2, "mm", "a.csv", "a.csv", expect=["shapes"])
    program.run(2, "add", "x.txt", "y.txt", "--result", "a.csv", expect=["'a.csv' has shape (4, 7)", "(30,)"])
    (program.directory / "bad.txt").write_text("1 2\n3 four\n")
    program.run(2, "exp", "bad.txt", expect=["'bad.txt', line 2", "four"])
    (program.directory / "ragged.txt").write_text("1 2\n\n3\n")
    program.run(2, "exp", "ragged.txt", expect=["'ragged.txt', line 3", "1 numbers where the lines before have 2"])
    (program.directory / "empty.txt").write_text("# nothing\n")
    program.run(2, "exp", "empty.txt", expect=["'empty.txt' has no numbers"])
    (program.directory / "bad.npy").write_bytes(b"no array")
    program.run(2, "exp", "bad.npy", expect=["bad.npy"])


def main():
    with tempfile.TemporaryDirectory() as directory:
        program = Check(sys.argv[1], directory)
        arithmetic(program)
        products(program)
        geometry(program)
        bad_input(program)
    print("mct check counts as fractions do")


if __name__ == "__main__":
    main()
