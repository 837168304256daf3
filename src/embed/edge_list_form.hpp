// What an edge list looks like: comments, separator, header.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mctensor/embed/read_graph.hpp"
#include "src/embed/columns.hpp"

namespace mct::embed {

/// What was given, and found where it was not.
struct EdgeListForm {
  Separator separator = Separator::automatic;
  bool header = false;
  std::vector<std::string> marks;  // of comments

  bool is_comment(std::string_view line) const;
};

/// From the first lines of a file, by the rule that read_graph states. Throws IoError, naming file
/// and line, for what may be read in two ways, for files in other known forms, and for a header
/// that says the opposite of the options.
EdgeListForm form_of(const std::filesystem::path& path, const EdgeListOptions& options);

/// A decimal number that is finite and >= 0; where semicolons separate, with a comma, too.
std::optional<double> weight_in(std::string_view text, Separator separator);

}  // namespace mct::embed
