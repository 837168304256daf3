// Checks of the options of optimizers, whose messages name the option and its value.
#pragma once

#include <cmath>
#include <string>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"

namespace mct::optim_detail {

/// Checks the options of one optimizer, whose name begins the messages.
class Options {
 public:
  explicit Options(const char* optimizer) : optimizer_(optimizer) {}

  void size(const char* name, double value) const {
    require(value >= 0 && std::isfinite(value), name, value,
            "is not a finite number of at least 0");
  }
  void finite(const char* name, double value) const {
    require(std::isfinite(value), name, value, "is not finite");
  }
  void beta(const char* name, double value) const {
    require(value >= 0 && value < 1, name, value, "is not in [0, 1)");
  }
  void above(const char* name, double value, double bound) const {
    require(value > bound && std::isfinite(value), name, value,
            ("is not a finite number above " + number_text(bound)).c_str());
  }
  void require(bool good, const char* name, double value, const char* what) const {
    if (good) return;
    fail(std::string(name) + " " + number_text(value) + " " + what);
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw DomainError(optimizer_ + (": " + what));
  }

 private:
  const char* optimizer_;
};

}  // namespace mct::optim_detail
