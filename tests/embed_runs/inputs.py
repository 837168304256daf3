#!/usr/bin/env python3
"""What `mct embed` says of bad and of unusual input.

usage: inputs.py MCT EDGES
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

# name, content of the list, options, exit code, what the output has
CASES = [
    ("a NUL byte", b"a\tb\nb\0c\td\n", [], 2, "'edges.tsv', line 2"),
    ("a third column that is no number", b"a\tb\t1\nb\tc\tx\n", [], 2, "'edges.tsv', line 2"),
    ("another number of columns", b"a\tb\nb\tc\td\te\n", [], 2, "'edges.tsv', line 2"),
    ("a name that is no UTF-8", b"a\tb\nb\t\xff\n", [], 2, "'edges.tsv', line 2"),
    ("a very long line", b"a\tb\nb\t" + b"c" * (1 << 21) + b"\n", [], 2, "'edges.tsv', line 2"),
    ("an empty file", b"", [], 2, "edges.tsv"),
    ("a single node", b"a\ta\n", [], 2, "without edges"),
    ("a cycle", b"a\tb\nb\tc\nc\ta\n", ["--epochs", "3"], 0, "there are cycles"),
    ("an isolated node", b"a\tb\nc\tc\n", ["--epochs", "3"], 0, "3 nodes, 1 edges"),
    ("an edge alone", b"a\tb\n", ["--epochs", "3"], 0, "2 nodes, 1 edges"),
    ("a closure to be made", b"a\tb\nb\tc\n", ["--epochs", "3"], 0, "the closure, 3 edges"),
    ("an undirected list", b"".join(b"%d\t%d\n" % (i | 1, i + 1 & ~1) for i in range(30)), ["--epochs", "3"], 0,
     "no hierarchy (16 of 31 nodes have nothing above them"),
    ("edges as they are given", b"a\tb\nb\tc\n", ["--epochs", "3", "--as-given"], 0,
     "3 nodes, 2 edges"),
    ("weights", b"a\tb\t2\nb\tc\t0.5\n", ["--epochs", "3", "--as-given"], 0, "3 nodes, 2 edges"),
    ("names that word vectors cannot tell apart", b"a b\tc\na_b\tc\n", ["--epochs", "3"], 0,
     "points.tsv               not there"),
    ("a model that there is not", b"a\tb\n", ["--model", "klein"], 2, "no model 'klein'"),
    ("an optimizer that there is not", b"a\tb\n", ["--optimizer", "adam"], 2, "are rsgd, radam"),
    ("Radam", b"a\tb\nb\tc\n", ["--epochs", "3", "--optimizer", "radam"], 0, "radam, learning rate"),
    ("a dtype that there is not", b"a\tb\n", ["--dtype", "float16"], 2, "no dtype 'float16'; there are float64, float32"),
    ("float32", b"a\tb\nb\tc\n", ["--epochs", "3", "--dtype", "float32"], 0, "2 components, in float32"),
    ("float32 where there is none", b"a\tb\n", ["--dtype", "float32", "--model", "mc-half-space"], 2,
     "not in the space mc-half-space, 2 dimensions, 2 components in float32"),
    ("components that there are not", b"a\tb\n", ["--model", "half-space", "--components", "2"], 2,
     "2 components, expected 1"),
    ("another dimension of the L-tiling", b"a\tb\n", ["--model", "l-tiling", "--dim", "3"], 2,
     "3 dimensions, expected 2"),
    ("a rate that is no number", b"a\tb\n", ["--lr", "fast"], 2, "--lr"),
    ("a negative rate", b"a\tb\n", ["--lr", "-1"], 2, "--lr"),
    ("a radius that is learned too fast", b"a\tb\nc\tb\nd\ta\ne\ta\n",
     ["--learn-radius", "1e4", "--epochs", "50"], 2, "the rate 10000 of its logarithm is too large"),
    ("a configuration that there is not", b"a\tb\n", ["--config", "none.json"], 2, "none.json"),
]


def run(mct, directory, *options):
    result = subprocess.run([mct, "embed", "edges.tsv", "-o", "out", *options], cwd=directory,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                            timeout=100)
    return result.returncode, result.stdout


def check(mct, name, content, options, code, message):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "edges.tsv").write_bytes(content)
        found, output = run(mct, folder, *options)
        good = found == code and message in output
        if code == 2:
            # nothing is left that looks like a run
            good = good and not (folder / "out" / "embedding.safetensors").exists()
        if not good:
            print(f"{name}: exit code {found}, expected {code} and '{message}': {output}")
        return good


def check_config(mct, edges):
    """run.json repeats a run, and the command line goes before it."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "edges.tsv").write_bytes(Path(edges).read_bytes())
        options = ["--epochs", "4", "--seed", "7", "--model", "ball", "--batch", "64"]
        if run(mct, folder, *options)[0] != 0:
            return False
        (folder / "out").rename(folder / "first")
        config = ["--config", "first/run.json"]
        if run(mct, folder, *config)[0] != 0:
            return False
        name = "embedding.safetensors"
        if (folder / "first" / name).read_bytes() != (folder / "out" / name).read_bytes():
            print("run.json does not repeat the run")
            return False
        code, output = run(mct, folder, *config)
        if code != 2 or "holds a run" not in output:
            print("a run was overwritten:", code, output)
            return False
        code, output = run(mct, folder, *config, "--resume", "--seed", "8")
        if code != 2 or "its seed is 7, expected 8" not in output:
            print("another run was resumed:", code, output)
            return False
        code, output = run(mct, folder, *config, "--resume", "--dtype", "float32")
        if code != 2 or "its dtype is missing, expected \"float32\"" not in output:
            print("a run of double was resumed in float:", code, output)
            return False
        (folder / "out").rename(folder / "second")
        if run(mct, folder, *config, "--seed", "8")[0] != 0:
            return False
        if json.loads((folder / "out" / "run.json").read_text())["seed"] != 8:
            print("the command line does not go before the configuration")
            return False
        (folder / "bad.json").write_text('{"sed": 3}')
        code, output = run(mct, folder, "--config", "bad.json")
        return code == 2 and "no setting 'sed'" in output


def check_more_epochs(mct):
    """A run is resumed for more epochs with nothing but their number, and run.json has it."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "edges.tsv").write_text("a\tb\nc\tb\nd\ta\ne\ta\n")
        for options, epochs in (["--epochs", "20"], 20), (["--resume", "--epochs", "40"], 40), \
                (["--resume"], 40):
            code, output = run(mct, folder, *options)
            found = json.loads((folder / "out" / "run.json").read_text())
            if code != 0 or (found["epochs"], found["burn-in"]) != (epochs, 4) \
                    or f"trained   {epochs} epochs" not in output:
                print(*options, "exit code", code, found, output)
                return False
        code, output = run(mct, folder, "--resume", "--epochs", "30")
        if code != 2 or "--epochs 30 is too few" not in output:
            print("fewer epochs than there are:", code, output)
            return False
        return json.loads((folder / "out" / "run.json").read_text())["epochs"] == 40


def check_input_in_directory(mct):
    """No run replaces the list that it reads, or another file that is no run's."""
    for name in "points.tsv", "names.txt":
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / "out").mkdir()
            (folder / "out" / name).write_text("a\tb\n")
            (folder / "edges.tsv").symlink_to(folder / "out" / name)
            code, output = run(mct, folder, "--epochs", "3")
            if code != 2 or f"holds '{name}'" not in output \
                    or (folder / "out" / name).read_text() != "a\tb\n":
                print("a list was replaced:", code, output)
                return False
    return True


def main(mct, edges):
    good = [check(mct, *case) for case in CASES]
    good.append(check_config(mct, edges))
    good.append(check_more_epochs(mct))
    good.append(check_input_in_directory(mct))
    return 0 if all(good) else 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))
