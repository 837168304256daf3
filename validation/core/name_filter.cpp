// The filter of the command line.
#include "validation/core/name_filter.hpp"

#include <re2/re2.h>

#include "mctensor/error.hpp"

namespace mct::validation {
namespace {

/// As much as a message needs to tell which filter is meant.
std::string shortened(const std::string& text) {
  constexpr std::size_t longest = 60;
  return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

}  // namespace

NameFilter::NameFilter(const std::string& text) {
  re2::RE2::Options options;
  options.set_case_sensitive(false);
  options.set_log_errors(false);
  pattern_ = std::make_unique<re2::RE2>(text, options);
  if (!pattern_->ok())
    throw DomainError("filter '" + shortened(text) +
                      "' is not a regular expression: " + shortened(pattern_->error()));
}

NameFilter::NameFilter(NameFilter&&) noexcept = default;
NameFilter::~NameFilter() = default;

bool NameFilter::passes(const std::string& name) const {
  return re2::RE2::PartialMatch(name, *pattern_);
}

}  // namespace mct::validation
