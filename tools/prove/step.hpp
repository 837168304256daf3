// One step of what is recorded, and how lists are printed as JSON.
#pragma once

#include <cstdio>
#include <vector>

namespace prove {

/// Values that are written down, by number.
using Ids = std::vector<int>;

/// One operation: its operands are values before its results.
struct Step {
  const char* operation;
  Ids operands, results;
};

inline void print_ids(const Ids& ids) {
  std::printf("[");
  for (std::size_t i = 0; i < ids.size(); ++i) std::printf("%s%d", i ? ", " : "", ids[i]);
  std::printf("]");
}
/// A member of an object: a list whose elements `print_one` prints.
template <class List, class Print>
void print_list(const char* name, const List& list, const Print& print_one) {
  std::printf("\"%s\": [", name);
  bool first = true;
  for (const auto& one : list) {
    if (!first) std::printf(", ");
    first = false;
    print_one(one);
  }
  std::printf("]");
}
/// A member of an object: values.
inline void print_ids(const char* name, const Ids& ids) {
  std::printf("\"%s\": ", name);
  print_ids(ids);
}
inline void print_step(const Step& step) {
  std::printf("{\"operation\": \"%s\", ", step.operation);
  print_ids("operands", step.operands);
  std::printf(", ");
  print_ids("results", step.results);
  std::printf("}");
}

}  // namespace prove
