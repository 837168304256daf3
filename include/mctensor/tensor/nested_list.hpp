// Numbers in nested braces, as a matrix is written: {{1, 2}, {3, 4}}.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace mct::tensor_detail {

/// True if a number of type X may be written for an element of type Value. For a number type this
/// is any number. For std::int64_t it is an integer, but not a bool. For bool it is a bool.
template <class X, class Value>
concept ElementLike = std::is_same_v<X, Value> ||
                      (!std::is_integral_v<Value> &&
                       (std::is_arithmetic_v<X> || std::is_convertible_v<X, Value>)) ||
                      (std::is_same_v<Value, std::int64_t> && std::is_integral_v<X> &&
                       !std::is_same_v<X, bool>);

/// A number, or a list of entries.
template <class Value>
struct NestedEntry {
  template <ElementLike<Value> X>
  NestedEntry(X value)  // NOLINT(google-explicit-constructor)
      : number(static_cast<Value>(value)) {}
  NestedEntry(std::initializer_list<NestedEntry> list) : is_list(true), entries(list) {}

  bool is_list = false;
  Value number{};
  std::vector<NestedEntry> entries;
};

/// A row of a list of rows; it cannot be a number. With this type {{2, 3}} differs from {2, 3},
/// which could be a shape.
template <class Value>
struct NestedRow {
  NestedRow(std::initializer_list<NestedEntry<Value>> list) : entry(list) {}

  NestedEntry<Value> entry;
};

}  // namespace mct::tensor_detail
