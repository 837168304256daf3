// The option --device of commands that compute.
#pragma once

namespace CLI {
class App;
}

namespace mct::cli {

/// Where a command computes.
enum class ComputeDevice { cpu, cuda };

/// Adds --device to a command that computes on a GPU as well. It sets `device`, which must live as
/// long as the command. If there is no device, `cuda` throws DeviceError with the reason, before
/// the command does anything; another word throws DomainError.
void add_device_option(CLI::App& command, ComputeDevice& device);

/// Adds --device to a command that computes on the CPU alone. `cuda` throws DeviceError as above;
/// if there is a device, the error is `reason`: why the command does not use it.
void add_device_option(CLI::App& command, const char* reason);
/// The reason of `mct train`.
inline constexpr const char* models_are_on_the_cpu =
    "the models of mct train compute on the CPU, and so does what trains them: for a GPU there are "
    "AdamW's step and attention alone (docs/cuda.md)";

}  // namespace mct::cli
