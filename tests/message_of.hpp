// The text of an expected exception.
#pragma once

#include <string>

namespace mct::testing {

/// The message of the E that a call throws; "" if it throws none.
template <class E, class F>
std::string message_of(const F& f) {
  try {
    f();
  } catch (const E& error) {
    return error.what();
  }
  return "";
}

}  // namespace mct::testing
