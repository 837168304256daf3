// The names of an enumeration for Python.
#pragma once

#include <nanobind/nanobind.h>

#include "mctensor/base/names.hpp"

namespace mct::python {

template <class E, std::size_t count>
nanobind::tuple tuple_of(const Names<E, count>& names) {
  nanobind::list list;
  for (const auto& item : names) list.append(nanobind::str(item.name.data(), item.name.size()));
  return nanobind::tuple(list);
}

}  // namespace mct::python
