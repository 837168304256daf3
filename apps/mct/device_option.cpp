#include "apps/mct/device_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "mctensor/device/devices.hpp"
#include "mctensor/error.hpp"

namespace mct::cli {

void add_device_option(CLI::App& command) {
  command
      .add_option_function<std::string>(
          "--device",
          [](const std::string& device) {
            if (device == "cpu") return;
            if (device != "cuda")
              throw DomainError(fmt::format("--device {}: there are cpu, cuda", device));
            try {
              cuda::require_device();
            } catch (const DeviceError& error) {
              throw DeviceError(fmt::format("--device cuda: {}", error.what()));
            }
            throw DeviceError("--device cuda: this command does not compute on a GPU yet");
          },
          "Where it computes: cpu or cuda [cpu]")
      ->type_name("DEVICE")
      ->trigger_on_parse();
}

}  // namespace mct::cli
