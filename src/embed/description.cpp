#include "src/embed/description.hpp"

#include "mctensor/embed/embedding.hpp"
#include "mctensor/error.hpp"

namespace mct::embed {
namespace {

void require_value(const std::string& file, const SafetensorsReader& reader, const std::string& key,
                   const std::string& value) {
  const auto found = reader.metadata().find(key);
  if (found == reader.metadata().end())
    throw IoError(file + ": no state of a training, its " + key + " is missing");
  if (with_present_names(found->second) != value)
    throw IoError(file + ": a training whose " + key + " is '" + found->second + "', not '" +
                  value + "'");
}

}  // namespace

void describe(SafetensorsWriter& writer, const Description& description) {
  for (const auto& [key, value] : description) writer.set_metadata(key, value);
}

void require_description(const std::string& file, const SafetensorsReader& reader,
                         const Description& description) {
  for (const auto& [key, value] : description) require_value(file, reader, key, value);
}

}  // namespace mct::embed
