// The description of the training that a file belongs to.
#pragma once

#include <map>
#include <string>

#include "mctensor/tensor/safetensors.hpp"

namespace mct::embed {

/// All settings on which the rest of a training depends, by name.
using Description = std::map<std::string, std::string>;

void describe(SafetensorsWriter& writer, const Description& description);
/// Throws IoError, naming the first entry that is missing or another, unless the file is of a
/// training with this description.
void require_description(const std::string& file, const SafetensorsReader& reader,
                         const Description& description);

}  // namespace mct::embed
