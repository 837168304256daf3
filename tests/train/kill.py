#!/usr/bin/env python3
"""Kills `mct train gpt` in the middle of a run, resumes it, and compares with a run in one piece.

usage: kill.py MCT
"""
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STRATEGY = "stochastic-states"
OPTIONS = ["--strategy", STRATEGY, "--width", "16", "--heads", "2", "--layers", "1",
           "--context", "16", "--batch", "4", "--steps", "600"]


def command(mct, text, directory, *more):
    return [mct, "train", "gpt", "--text", str(text), "--out", str(directory), *OPTIONS, *more]


def kill_after_checkpoint(arguments, checkpoint):
    """True if the process was still at work when it was killed."""
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    while not checkpoint.exists() and process.poll() is None:
        time.sleep(0.01)
    time.sleep(0.05)
    at_work = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    return at_work


def plant_leftovers(directory):
    """What a process leaves that is killed while it writes."""
    for path in (directory / ".checkpoint.safetensors.7-3.tmp", directory / ".seconds.json.1-0.tmp",
                 directory.parent / ".gpt.jsonl.123456-12.tmp"):
        path.write_bytes(b"half a file")


def main(mct):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        text = folder / "text"
        text.write_bytes(bytes(97 + i * i % 7 * (i % 3) for i in range(45000)))
        run = STRATEGY + "-0.999"
        subprocess.run(command(mct, text, folder / "whole"), check=True, stdout=subprocess.DEVNULL)
        broken = folder / "broken"
        if not kill_after_checkpoint(command(mct, text, broken),
                                     broken / run / "checkpoint.safetensors"):
            print("the run ended before it could be killed")
            return 1
        plant_leftovers(broken / run)
        if (broken / run / "weights.safetensors").exists():
            print("the killed run had already written its weights")
            return 1
        subprocess.run(command(mct, text, broken, "--resume"), check=True,
                       stdout=subprocess.DEVNULL)
        for name in ("weights.safetensors", "checkpoint.safetensors", "metrics.jsonl"):
            if (folder / "whole" / run / name).read_bytes() != (broken / run / name).read_bytes():
                print(name + " differs")
                return 1
        leftover = [p for p in folder.rglob("*") if "tmp" in p.name]
        for path in leftover:
            print("left over:", path)
        if leftover:
            return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(sys.argv[1]))
