#!/usr/bin/env python3
"""Trains by `mpirun -n K mct embed`: the same files as by one process, after a process is killed,
too. Exit code 77 where there is no mpirun or mct was built without MPI.

usage: mpi.py MCT EDGES
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from kill import SAME, compare

OPTIONS = ["--epochs", "3", "--burn-in", "1", "--checkpoint-every", "0.02", "--seed", "3"]
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1",
                   # three processes that wait for each other on two busy processors
                   OMPI_MCA_mpi_yield_when_idle="1")
ENVIRONMENT.pop("OMP_NUM_THREADS", None)  # processes share the processors


def start(processes, mct, edges, directory, *more):
    mpirun = ["mpirun", "-n", str(processes)] if processes > 0 else []
    return subprocess.Popen([*mpirun, mct, "embed", edges, "-o", str(directory), *OPTIONS, *more],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            env=ENVIRONMENT)


def finish(process, code=0):
    output = process.communicate(timeout=400)[0]
    if process.returncode != code:
        raise SystemExit(f"exit code {process.returncode} instead of {code}: {output}")
    return output


def processes_of(mpirun):
    """The process numbers of what this mpirun has started."""
    listed = Path(f"/proc/{mpirun.pid}/task/{mpirun.pid}/children").read_text().split()
    return [int(pid) for pid in listed if Path(f"/proc/{pid}/comm").read_text().strip() == "mct"]


def kill_one(mct, edges, directory):
    """Kills one of three on their way; mpirun must end."""
    run = start(3, mct, edges, directory)
    while not (directory / "checkpoint.safetensors").exists():
        time.sleep(0.005)
    os.kill(processes_of(run)[1], signal.SIGKILL)
    run.communicate(timeout=200)
    return run.returncode != 0


def main(mct, edges):
    if shutil.which("mpirun") is None:
        return 77
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        finish(start(0, mct, edges, folder / "whole"))
        run = start(3, mct, edges, folder / "3")
        output = run.communicate(timeout=400)[0]
        if "built without MPI" in output:
            return 77
        if run.returncode != 0:
            raise SystemExit(f"exit code {run.returncode}: {output}")
        if output.count("training  ") != 1:
            print("not rank 0 alone has printed:", output)
            return 1
        if not compare(SAME["embed"], folder / "whole", folder / "3"):
            return 1
        broken = folder / "broken"
        if not kill_one(mct, edges, broken):
            print("mpirun did not tell of a process that was killed")
            return 1
        finish(start(2, mct, edges, broken, "--resume"))  # by two what three have begun
        if not compare(SAME["embed"], folder / "whole", broken):
            return 1
        output = finish(start(2, mct, edges, folder / "3"), code=2)
        if "rank 0: " not in output:
            print("a directory that is in use was not refused:", output)
            return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))
