#!/usr/bin/env python3
"""Trains by `mpirun -n K mct train gpt`: the same files for any number of processes, after one of them
is killed at some moment, too; processes with other settings are refused. Exit code 77 where there is no
mpirun or mct was built without MPI.

usage: mpi.py MCT
"""
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

OPTIONS = ["--width", "32", "--heads", "2", "--layers", "1", "--context", "16", "--batch", "6"]
STEPS = "12"
SAME = ("weights.safetensors", "checkpoint.safetensors", "metrics.jsonl", "run.json")
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1",
                   # more processes that wait for each other than there are processors
                   OMPI_MCA_mpi_yield_when_idle="1")
ENVIRONMENT.pop("OMP_NUM_THREADS", None)  # processes share the processors


def command(processes, mct, text, directory, *more):
    mpirun = ["mpirun", "-n", str(processes)] if processes > 0 else []
    return [*mpirun, mct, "train", "gpt", "--text", str(text), "--out", str(directory), *OPTIONS, *more]


def start(arguments):
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            env=ENVIRONMENT)


def finish(arguments, code=0):
    process = start(arguments)
    output = process.communicate(timeout=200)[0]
    if "built without MPI" in output:
        sys.exit(77)
    if process.returncode != code:
        raise SystemExit(f"exit code {process.returncode} instead of {code}: {output}")
    return output


def name_of(pid):
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:  # it has just ended
        return ""


def processes_of(mpirun):
    """The process numbers of what this mpirun has started."""
    try:
        listed = Path(f"/proc/{mpirun.pid}/task/{mpirun.pid}/children").read_text().split()
    except OSError:
        return []
    return [int(pid) for pid in listed if name_of(pid) == "mct"]


def compare(one, other):
    for name in SAME:
        if (one / name).read_bytes() != (other / name).read_bytes():
            print(name, "differs between", one, "and", other)
            return False
    return True


def same_for_any_number(mct, text, folder):
    """Of several strategies; the last one alone, without mpirun."""
    options = ["--steps", STEPS, "--strategy", "plus,stochastic-states,split8"]
    for processes in (1, 2, 4):
        output = finish(command(processes, mct, text, folder / str(processes), *options))
        if output.count(f"{STEPS} steps of") != 1:
            print("not rank 0 alone has printed:", output)
            return False
    finish(command(0, mct, text, folder / "0", "--micro-batch", "1", *options))
    runs = ["plus-0.999", "stochastic-states-0.999", "split8-0.999"]
    return all(compare(folder / "1" / run, folder / other / run)
               for run in runs for other in ("0", "2", "4"))


def kill_one(process, processes, checkpoint, generator):
    """Kills one of them once there is a checkpoint; True if mpirun then ends and says so, None if the
    run was over before."""
    while process.poll() is None and (not checkpoint.exists() or
                                      len(processes_of(process)) != processes):
        time.sleep(0.005)
    time.sleep(generator.uniform(0, 0.5))
    victims = processes_of(process) if process.poll() is None else []
    if len(victims) != processes:
        process.communicate()
        return None
    os.kill(generator.choice(victims), signal.SIGKILL)
    begin = time.monotonic()
    output = process.communicate(timeout=60)[0]
    # the second where mpirun sees first that the others could not go on
    told = re.search(r"process rank \d+ .* exited on signal 9|returned\s+a non-zero exit code", output)
    if process.returncode == 0 or not told or time.monotonic() - begin > 20:
        print("mpirun did not tell of a process that was killed:", output)
        return False
    return True


def killed_and_resumed(mct, text, folder):
    """Kills a process at random moments and goes on with other numbers of them."""
    options = ["--steps", "300", "--strategy", "plus"]
    run = folder / "broken" / "plus-0.999"
    finish(command(0, mct, text, folder / "whole", "--micro-batch", "1", *options))
    generator = random.Random(3)
    at_work = 0
    for processes in (3, 2, 4):
        resume = ["--resume"] if (run / "run.json").exists() else []
        process = start(command(processes, mct, text, folder / "broken", *options, *resume))
        killed = kill_one(process, processes, run / "checkpoint.safetensors", generator)
        if killed is False:
            return False
        at_work += killed is True
    if at_work < 2:
        print("only", at_work, "of 3 kills met a run at work")
        return False
    finish(command(2, mct, text, folder / "broken", *options, "--resume"))
    return compare(folder / "whole" / "plus-0.999", run)


def refused(mct, text, folder):
    """Another seed on one of three processes, another directory, a run that is there."""
    options = ["--steps", "4", "--strategy", "plus"]
    one = command(1, mct, text, folder / "other", *options)
    two = command(2, mct, text, folder / "other", *options, "--seed", "7")
    output = finish([*one, ":", *two[1:]], code=2)
    if "seed is 7 on rank 1 and 1 on rank 0" not in output:
        print("processes that differ were not refused:", output)
        return False
    output = finish(command(2, mct, text, folder / "2", *options), code=2)
    if "rank 0: " not in output:
        print("a directory that is in use was not refused:", output)
        return False
    return True


def compressed(mct, text, folder):
    """Two processes repeat themselves, and lose nearly nothing."""
    options = ["--steps", STEPS, "--strategy", "plus", "--compress-gradients"]
    for name in ("first", "second"):
        finish(command(2, mct, text, folder / name, *options))

    def loss(directory):
        lines = (directory / "metrics.jsonl").read_text().splitlines()
        return json.loads(lines[-1])["validation_loss"]

    first = folder / "first" / "plus-0.999"
    difference = loss(first) - loss(folder / "1" / "plus-0.999")
    if abs(difference) > 0.05:
        print("compressed gradients change the loss by", difference)
        return False
    return compare(first, folder / "second" / "plus-0.999")


def main(mct):
    if shutil.which("mpirun") is None:
        return 77
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        text = folder / "text"
        text.write_bytes(bytes(97 + i * i % 7 * (i % 3) for i in range(45000)))
        for check in (same_for_any_number, killed_and_resumed, refused, compressed):
            begin = time.monotonic()
            if not check(mct, text, folder):
                return 1
            print(f"{check.__name__}: {time.monotonic() - begin:.1f} s")
        leftover = [path for path in folder.rglob("*") if "tmp" in path.name]
        for path in leftover:
            print("left over:", path)
        return 1 if leftover else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(sys.argv[1]))
