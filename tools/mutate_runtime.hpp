// Included before everything else in the programs of tools/mutate.py: which of the mutants that are
// compiled into them is switched on.
#pragma once

#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace mutate {

inline int number_from_environment() {
  const char* text = std::getenv("MCT_MUTANT");
  return text == nullptr ? 0 : std::atoi(text);
}

/// The mutant that is switched on; 0: none.
inline const int chosen = number_from_environment();

/// Leaves a mark that the mutant's code ran: one that lived without was never tried.
inline void leave_mark() {
  static bool marked = false;
  if (marked) return;
  marked = true;
  const char* path = std::getenv("MCT_MUTANT_MARK");
  if (path == nullptr) return;
  if (std::FILE* file = std::fopen(path, "w")) std::fclose(file);
}

/// True if mutant k is to take the place of the original. Constant expressions keep the original.
constexpr bool on(int k) {
  if (std::is_constant_evaluated() || chosen != k) return false;
  leave_mark();
  return true;
}

}  // namespace mutate
