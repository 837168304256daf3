// A line of the source that calls.
#pragma once

#include <source_location>

namespace mct::cuda {

#ifdef __cpp_lib_source_location
using CallSite = std::source_location;
#else
/// For clang before 16, which has no std::source_location.
class CallSite {
 public:
  static constexpr CallSite current(unsigned line = __builtin_LINE(),
                                    unsigned column = __builtin_COLUMN()) {
    CallSite at;
    at.line_ = line;
    at.column_ = column;
    return at;
  }
  constexpr unsigned line() const { return line_; }
  constexpr unsigned column() const { return column_; }

 private:
  unsigned line_ = 0, column_ = 0;
};
#endif

}  // namespace mct::cuda
