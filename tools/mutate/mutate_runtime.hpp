// Included before everything else in the programs of tools/mutate/mutate.py: which of the mutants
// that are compiled into them is switched on, and which of them each test reaches.
#pragma once

#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
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

constexpr int most_mutants = 1 << 16;

inline int number_from_environment() {
  const char* text = std::getenv("MCT_MUTANT");
  return text == nullptr ? 0 : std::atoi(text);
}

/// The mutant that is switched on; 0: none.
inline const int chosen = number_from_environment();

/// Which mutants' places have been reached, chosen or not.
inline unsigned char reached[most_mutants] = {};

/// True if mutant k is to take the place of the original. Constant expressions keep the original.
constexpr bool on(int k) {
  if (std::is_constant_evaluated()) return false;
  reached[k] = 1;
  return chosen == k;
}

/// a or b, where one may be of a type that stands for 0.
template <class A, class B>
constexpr auto either(bool first, const A& a, const B& b) {
  if constexpr (std::is_same_v<A, B>) {
    return first ? a : b;
  } else if constexpr (std::is_empty_v<A>) {
    return first ? B{} : b;
  } else {
    static_assert(std::is_empty_v<B>);
    return first ? a : A{};
  }
}

/// Writes which mutants each test reaches: a line with its name, its milliseconds and their
/// numbers. What is reached before a test counts for its suite, before all tests for every one.
class Coverage : public testing::EmptyTestEventListener {
 public:
  explicit Coverage(const char* path) : file_(std::fopen(path, "w")) {}

  void OnTestProgramStart(const testing::UnitTest&) override { write("*", 0); }
  void OnTestStart(const testing::TestInfo& test) override {
    write(std::string(test.test_suite_name()) + ".*", 0);
  }
  void OnTestEnd(const testing::TestInfo& test) override {
    write(std::string(test.test_suite_name()) + "." + test.name(), test.result()->elapsed_time());
  }
  void OnTestProgramEnd(const testing::UnitTest&) override {
    if (file_ != nullptr) std::fclose(file_);
  }

 private:
  void write(const std::string& name, long long milliseconds) {
    if (file_ == nullptr) return;
    std::fprintf(file_, "%s %lld", name.c_str(), milliseconds);
    for (int k = 0; k < most_mutants; ++k)
      if (reached[k] != 0) std::fprintf(file_, " %d", k);
    std::fprintf(file_, "\n");
    std::fill(reached, reached + most_mutants, static_cast<unsigned char>(0));
  }

  std::FILE* file_;
};

inline bool listen() {
  const char* path = std::getenv("MCT_MUTANT_COVERAGE");
  if (path != nullptr) testing::UnitTest::GetInstance()->listeners().Append(new Coverage(path));
  return path != nullptr;
}
inline const bool listening = listen();

}  // namespace mutate
