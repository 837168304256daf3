// The suite's results as a page to read.
#pragma once

#include <filesystem>

#include "validation/results.hpp"

namespace mct::validation {

/// The page of a report.
inline std::filesystem::path report_path(const std::filesystem::path& directory) {
  return directory / "index.html";
}

/// Writes report_path(directory): one file that needs nothing else, neither a network nor
/// JavaScript. Makes the directory if it is missing. Throws IoError; an older page is then kept.
void write_html_report(const Results& results, const std::filesystem::path& directory);

}  // namespace mct::validation
