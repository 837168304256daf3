#include "apps/mct/device_option.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <string>

#include "mctensor/device/devices.hpp"
#include "mctensor/error.hpp"

namespace mct::cli {
namespace {

ComputeDevice device_named(const std::string& name) {
  if (name == "cpu") return ComputeDevice::cpu;
  if (name != "cuda") throw DomainError(fmt::format("--device {} is neither cpu nor cuda", name));
  try {
    cuda::require_device();
  } catch (const DeviceError& error) {
    throw DeviceError(fmt::format("--device cuda: {}", error.what()));
  }
  return ComputeDevice::cuda;
}

template <class Use>
void add(CLI::App& command, const Use& use) {
  command
      .add_option_function<std::string>(
          "--device", [use](const std::string& name) { use(device_named(name)); },
          "Where it computes: cpu or cuda [cpu]")
      ->type_name("DEVICE")
      ->trigger_on_parse();
}

}  // namespace

void add_device_option(CLI::App& command, ComputeDevice& device) {
  add(command, [&device](ComputeDevice named) { device = named; });
}

void add_device_option(CLI::App& command, const char* reason) {
  add(command, [reason](ComputeDevice named) {
    if (named != ComputeDevice::cpu) throw DeviceError(fmt::format("--device cuda: {}", reason));
  });
}

}  // namespace mct::cli
