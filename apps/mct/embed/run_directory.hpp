// The directory of a run that can be stopped and go on.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace mct::cli {

struct RunDirectory {
  std::filesystem::path path;
  std::vector<std::string> files;       ///< what a run leaves there, beside run.json
  std::string state;                    ///< of these, one that no directory has without run.json
  std::vector<std::string> may_differ;  ///< settings that a run may be resumed with others of

  /// Makes the directory, removes what processes that were killed left of files, and writes the
  /// description to run.json, or compares it with the one that is there. Throws DomainError naming
  /// what differs, and if there is a run that is not to be resumed; IoError for what cannot be read
  /// or written.
  void open(const nlohmann::ordered_json& description, bool resume) const;
};

}  // namespace mct::cli
