#!/usr/bin/env bash
# Builds, tests and measures the library on the GPU of this machine.
#
# usage: bench/cuda_report.sh [FILE]
#
# Prints a table in Markdown and writes it to FILE [build/cuda/report.md]: device, clocks, what was
# achieved, what the machine code lets expect, their ratio; beside it cuBLAS, a copy, and PyTorch
# where it is installed: with nanobind beside it the package is built, MCAdamW, operations of
# manifolds and attention are compared with the CPU there and measured. The last line says how long
# each part took. Without a device it compiles the benchmark and ends with 2 and the reason.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
build=build/cuda
report=${1:-$build/report.md}

fail() {
  echo "cuda_report: $1" >&2
  exit 2
}

[[ $# -le 1 ]] || fail "usage: bench/cuda_report.sh [FILE]"
command -v nvcc >/dev/null || [[ -n ${CUDACXX:-} ]] ||
  fail "nvcc was not found; set CUDACXX to its path"

configure() {
  cmake --preset release -B "$build" -DMCT_CUDA=ON -DMCT_BUILD_VALIDATION=OFF -DMCT_BUILD_BENCH=OFF \
    -DMCT_BUILD_EXAMPLES=OFF "$@" >/dev/null
}
compile() { cmake --build "$build" --parallel "$(nproc)" --target "$@"; }

configure
compile mct_which_device mct_bench_cuda_objects
if ! architecture=$("$build/mct_which_device" 2>"$build/reason"); then
  fail "the benchmark compiles, but cannot run: $(cat "$build/reason")"
fi

# PyTorch that sees this GPU, and what its package is built with
python=/usr/bin/python3
sees_gpu() { "$1" -c 'import sys, torch; sys.exit(not torch.cuda.is_available())' 2>/dev/null; }
sees_gpu "$python" || python=python3
package=OFF module=()
if sees_gpu "$python" && "$python" -c 'import nanobind, numpy' 2>/dev/null; then
  package=ON module=(mctensor_python)
fi

# this device alone
configure -DCMAKE_CUDA_ARCHITECTURES="$architecture-real" -DMCT_BUILD_PYTHON=$package \
  -DPython_EXECUTABLE="$(command -v "$python")"
SECONDS=0
tests=(device_device_test)
# without Boost.Context, which the simulator's half of those tests needs, there are none
grep -q "cuda_on_device_test" "$build/build.ninja" && tests+=(cuda_on_device_test)
compile mct_bench_cuda "${tests[@]}" "${module[@]}"
built=$SECONDS

for test in "${tests[@]}"; do "$build/tests/${test%%_*}/$test" --gtest_brief=1; done
tested=$((SECONDS - built))

# measure: no other output belongs to the table
measure() {
  echo "# MCTensor on a GPU"
  echo
  if command -v nvidia-smi >/dev/null; then
    nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,clocks.max.mem,power.limit \
      --format=csv,noheader | sed 's/^/nvidia-smi: /' || true
  fi
  echo "nvcc: $("${CUDACXX:-nvcc}" --version | sed -n 's/.*release //p')"
  echo
  "$build/mct_bench_cuda"
  if sees_gpu "$python"; then
    "$python" bench/peers/torch_cuda.py
    [[ $package == OFF ]] ||
      PYTHONPATH="$build/python" "$python" -B tests/device/torch_on_device.py
  else
    echo
    echo "PyTorch with CUDA is not installed."
  fi
}
measure | tee "$report"
echo
echo "built in $built s, tested in $tested s, measured in $((SECONDS - built - tested)) s: $report"
