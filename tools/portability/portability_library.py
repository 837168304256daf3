#!/usr/bin/env python3
"""The compiled library for another compiler or processor, and which of its tests portability.py runs with it."""
import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# What is compiled as one program, as MCT_TOGETHER does; no test that needs MPFR, which is here for one processor alone.
LIBRARY_SUBJECTS = {
    "tensor": (("arg_extreme", "convert", "create", "elementwise", "npy", "random_views", "safetensors",
                "view"),),
    "linalg": (("pack", "plain_order", "residues"),),
    "geometry": (("one_point_tensors", "operations", "pairs", "product", "rejected", "stereographic"),
                 ("halfspace_batch",), ("halfspace_planes",), ("tiling_codec", "tiling_group", "tiling_word")),
}
OFF = ("MCT_BUILD_VALIDATION", "MCT_BUILD_TESTS", "MCT_BUILD_BENCH", "MCT_BUILD_EXAMPLES", "MCT_CUDA", "MCT_WITH_MPI",
       "MCT_WITH_ZLIB", "MCT_WITH_EIGEN")


def configuration(command, processor, include):
    """What CMake is told: `command` is a compiler with -std and options, which the library has too, but for -march:
    its kernels are those of this machine's processor, or, of x86-64-v2, those that run on every one."""
    standard = next(word for word in command if word.startswith("-std=c++"))[-2:]
    kernels = "BASELINE" if "-march=x86-64-v2" in command else "NATIVE"
    flags = [word for word in command[1:] if not word.startswith(("-std=", "-march="))]
    words = [f"-DCMAKE_CXX_COMPILER={command[0]}", f"-DCMAKE_CXX_STANDARD={standard}",
             f"-DCMAKE_CXX_FLAGS={' '.join(flags)}", "-DCMAKE_BUILD_TYPE=Release",
             "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG", f"-DMCT_KERNELS={kernels}", "-DMCT_TOGETHER=ON",
             f"-DXSIMD_INCLUDE_DIR={include}", *(f"-D{option}=OFF" for option in OFF)]
    if processor == "arm64":
        c_compiler = re.sub(r"g\+\+$", "gcc", command[0])
        words += ["-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64", f"-DCMAKE_C_COMPILER={c_compiler}"]
    return words


def build_library(command, processor, folder, include, jobs):
    """Words that link the library, built in `folder`."""
    for words in (["cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja",
                   *configuration(command, processor, include)],
                  ["cmake", "--build", str(folder), "--parallel", str(jobs), "--target", "mctensor"]):
        made = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "CLICOLOR": "0"})
        if made.returncode:
            lines = [line for line in (made.stdout + made.stderr).splitlines() if "rror" in line]
            raise RuntimeError(f"the library does not compile: {(lines or ['no message'])[0][:200]}")
    # as pkg-config would say: the library, and what it needs (-pthread)
    libs = re.search(r"^Libs: .*-lmctensor(.*)$", (folder / "mctensor.pc").read_text("utf-8"), re.MULTILINE)
    return [str(folder / "src" / "libmctensor.a"), *libs.group(1).split()]


def joined_source(subject, tests, folder):
    """A source that includes all of these tests."""
    path = folder / f"{subject}_{tests[0]}_and_others.cpp"
    path.write_text("".join(f'#include "{ROOT}/tests/{subject}/{test}_test.cpp"\n' for test in tests), "utf-8")
    return path
