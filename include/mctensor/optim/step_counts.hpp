// Counts of steps in the files of optimizers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "mctensor/error.hpp"
#include "mctensor/tensor/safetensors.hpp"

namespace mct::optim {

/// No training takes more steps; up to here they are exact as double.
inline constexpr std::int64_t most_steps = std::int64_t(1) << 53;

/// The entry `name`: `size` counts. Throws IoError for another number of them, and for one that is
/// negative or beyond most_steps.
inline std::vector<std::int64_t> load_step_counts(const std::filesystem::path& path,
                                                  const SafetensorsReader& reader,
                                                  const std::string& name, std::size_t size) {
  auto counts = reader.load<std::int64_t, 1>(name).values();
  if (counts.size() != size)
    throw IoError(path.string() + ": entry '" + name + "' has " + std::to_string(counts.size()) +
                  " numbers, expected " + std::to_string(size));
  for (const std::int64_t count : counts)
    if (count < 0 || count > most_steps)
      throw IoError(path.string() + ": entry '" + name + "' holds " + std::to_string(count) +
                    ", which is no number of steps");
  return counts;
}

}  // namespace mct::optim
