// The option --device of commands that compute.
#pragma once

namespace CLI {
class App;
}

namespace mct::cli {

/// Adds --device to a command that computes on the CPU alone so far: `cuda` throws DeviceError,
/// which says why there is no device, or that the command has no use for one yet; another word
/// throws DomainError.
void add_device_option(CLI::App& command);

}  // namespace mct::cli
