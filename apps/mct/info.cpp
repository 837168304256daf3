// `mct info`: properties of this build and of the machine.
#include <fmt/format.h>

#include <CLI/App.hpp>

#include "apps/mct/command.hpp"
#include "apps/mct/version.hpp"
#include "mctensor/config.hpp"
#include "mctensor/device/devices.hpp"
#include "mctensor/linalg/bfloat16_units.hpp"
#include "mctensor/linalg/integer_unit.hpp"
#include "mctensor/tensor/isa.hpp"
#include "mctensor/tensor/threads.hpp"
#include "mctensor/version.h"
#include "output/machine.hpp"

#define MCT_STRINGIFY_(x) #x
#define MCT_STRINGIFY(x) MCT_STRINGIFY_(x)

namespace mct::cli {

std::string version_text() { return MCT_VERSION; }

namespace {

std::string bfloat16_units() {
  std::string units;
  if (has_bfloat16_unit(Bfloat16Unit::vector)) units = "AVX512-BF16";
  if (has_bfloat16_unit(Bfloat16Unit::matrix)) units += ", AMX-BF16";
  return units.empty() ? "none" : units;
}

void print_devices() {
  const auto devices = cuda::devices();
  if (devices.empty()) fmt::print("GPUs             none: {}\n", cuda::why_no_device());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const cuda::Device& d = devices[i];
    fmt::print(
        "GPU {:<12} {}, compute capability {}.{}{}, {:.1f} GiB, {} multiprocessors, {:.2f} GHz\n",
        i, d.name, d.major, d.minor, d.major < cuda::least_compute_capability ? " (too old)" : "",
        double(d.memory) / double(1 << 30), d.multiprocessors, d.clock / 1e9);
  }
}

struct Arguments {};

void describe_info(CLI::App& command, Arguments&) {
  command.description("Print version, compiler, instruction set, machine");
}

void run(Arguments) {
  fmt::print("mctensor         {}\n", version_text());
  fmt::print("compiler         {}\n", output::compiler_text(MCT_HAS_FMA != 0));
  fmt::print("compiled for     {}\n", MCT_STRINGIFY(MCT_ISA));
  std::string kernels;
  for (const Isa isa : available_isas()) kernels += (kernels.empty() ? "" : ", ") + to_string(isa);
  fmt::print("tensor kernels   {} of {} (MCT_ISA chooses)\n", to_string(active_isa()), kernels);
  fmt::print("integer products {}\n", integer_unit());
  fmt::print("bfloat16 units   {}\n", bfloat16_units());
  fmt::print("tensor threads   {} (OMP_NUM_THREADS chooses)\n", num_threads());
  fmt::print("processor        {}\n", output::processor_name());
  fmt::print("hardware threads {}\n", output::hardware_threads());
  print_devices();
}

const Command info_command("info", describe_info, run);

}  // namespace
}  // namespace mct::cli
