// The directory of a run that can be stopped and resumed.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace mct::cli {

/// Locks a directory for this process, until the lock or the process ends in any way.
class DirectoryLock {
 public:
  DirectoryLock() = default;
  /// Throws DomainError if another process has the lock. If the file system has no locks, it does
  /// nothing.
  explicit DirectoryLock(const std::filesystem::path& directory);
  DirectoryLock(DirectoryLock&& other) noexcept { *this = std::move(other); }
  DirectoryLock& operator=(DirectoryLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~DirectoryLock();

 private:
  int descriptor_ = -1;
};

struct RunDirectory {
  std::filesystem::path path;
  std::vector<std::string> files;       ///< files that a run writes there, except run.json
  std::vector<std::string> may_differ;  ///< settings that may differ when a run is resumed
  std::string option = "-o";            ///< the option that names the directory
  /// Gives the description of an earlier version the present names; null: none has others.
  void (*bring_up_to_date)(nlohmann::ordered_json& description) = nullptr;

  /// Makes the directory, removes incomplete files of killed processes, and writes the description
  /// to run.json, or compares it with the existing one. The run has the directory for itself as
  /// long as the lock lives. Throws DomainError naming the difference, if another process works
  /// there, if there is a run that should not be resumed, and for an existing one of `files` that
  /// is not from a run and would be replaced; IoError for files that cannot be read or written.
  [[nodiscard]] DirectoryLock open(const nlohmann::ordered_json& description, bool resume) const;
  /// The existing description; null if there is none. Throws IoError.
  nlohmann::ordered_json description() const;
  /// Writes the description again if it has changed.
  void describe(const nlohmann::ordered_json& description) const;
};

}  // namespace mct::cli
