"""together.py, which runs tests of several subjects: what it says of those that pass, fail, crash, hang or skip."""
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("together.py")
SUBJECTS = {
    "passes": "import os\ndef test(): assert os.getcwd().endswith('passes')",
    "fails": "def test(): assert 1 == 2",
    "crashes": "import os\ndef test(): os.kill(os.getpid(), 9)",
    "leaves": "import os\ndef test(): os._exit(3)",
    "hangs": "import pathlib, time\ndef test(): pathlib.Path('began').touch(); time.sleep(60)",
    "skips": "import pytest\npytest.skip('not here', allow_module_level=True)",
    "folder": "import os, sys, subprocess, here\n"
              "def test(): assert here.A == 1 and sys.path.count(os.getcwd()) > 0\n"
              "def test_of_what_it_starts(): subprocess.run([sys.executable, '-c', 'import here'], check=True)",
}


@pytest.fixture
def command(tmp_path):
    def of(*names, seconds=30):
        words = [sys.executable, str(PROGRAM), "--preload", "pytest", "--seconds", str(seconds)]
        for name in names:
            folder = tmp_path / name
            folder.mkdir()
            file = folder / f"test_{name}.py"
            file.write_text(SUBJECTS[name])
            (folder / "here.py").write_text("A = 1")
            words += ["--subject", name, str(folder), str(file)]
        return words
    return of


def run(words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd="/", timeout=60)


def in_order(output, *texts):
    """Whether these stand one after the other."""
    place = 0
    for text in texts:
        place = output.find(text, place) + 1
        assert place > 0, (text, output)


def test_each_is_run_whatever_another_does(command):
    done = run(command("passes", "fails", "crashes", "leaves", "skips", "folder"))
    assert done.returncode == 1
    in_order(done.stdout, "passes: /", "1 passed", "fails: /", "1 == 2", "fails: failed, exit code 1", "crashes: /",
             "crashes: failed, exit code -9", "leaves: failed, exit code 3", "skips: /", "not here",
             "folder: /", "2 passed")
    assert done.stdout.count("failed, ") == 3


@pytest.mark.parametrize("names, code", [("passes skips", 0), ("skips", 5), ("crashes", 1), ("skips fails", 1)])
def test_exit_codes(command, names, code):
    assert run(command(*names.split())).returncode == code


def test_what_takes_too_long_is_ended(command):
    done = run(command("hangs", "passes", seconds=2))
    assert done.returncode == 1
    in_order(done.stdout, "hangs: failed, longer than 2 seconds", "1 passed")


def test_what_runs_ends_with_the_program(command, tmp_path):
    """As where ctest kills it."""
    program = subprocess.Popen(command("hangs"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (tmp_path / "hangs" / "began").exists():
        time.sleep(0.01)
    children = Path(f"/proc/{program.pid}/task/{program.pid}/children").read_text().split()
    program.send_signal(signal.SIGKILL)
    program.wait()
    assert len(children) == 1
    for _ in range(500):
        if not Path(f"/proc/{children[0]}").exists() or " Z " in Path(f"/proc/{children[0]}/stat").read_text():
            return
        time.sleep(0.01)
    os.kill(int(children[0]), signal.SIGKILL)
    raise AssertionError("a test outlives the program")


def test_a_module_that_is_missing_is_a_failure(command):
    words = command("passes")
    words[words.index("pytest")] = "there_is_no_such_module"
    done = run(words)
    assert done.returncode == 1 and "there_is_no_such_module" in done.stdout
