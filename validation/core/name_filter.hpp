// The filter of the command line, which chooses among operations by their names.
#pragma once

#include <memory>
#include <string>

namespace re2 {
class RE2;
}

namespace mct::validation {

/// A regular expression in RE2's syntax, searched in any case. The time is linear in the name
/// whatever the expression: those of the standard library take exponential time for (.*)*, and
/// recurse for every parenthesis.
class NameFilter {
 public:
  /// Throws DomainError if the text is not a regular expression, or would need more than some
  /// megabytes, as a{1000}{1000} does. An empty text lets all pass.
  explicit NameFilter(const std::string& text);
  NameFilter(NameFilter&&) noexcept;
  ~NameFilter();

  bool passes(const std::string& name) const;

 private:
  std::unique_ptr<re2::RE2> pattern_;
};

}  // namespace mct::validation
