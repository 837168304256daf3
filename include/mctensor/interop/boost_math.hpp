// What Boost.Math needs to run on expansions: root finders, quadrature, constants.
//
// Its algorithms call functions by argument-dependent lookup, and constants come from decimal
// strings; both are ours. Link mctensor::mctensor for the strings.
#pragma once

#include <boost/lexical_cast.hpp>
#include <boost/math/policies/policy.hpp>
#include <boost/math/tools/precision.hpp>
#include <istream>
#include <string>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/expansion/io.hpp"
#include "mctensor/math/all.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {

/// Reads one word as from_string does: what lexical_cast calls for constants.
template <class T, int N>
requires is_component_v<T>
inline std::istream& read_constant(std::istream& in, Expansion<T, N>& x) {
  std::string word;
  if (in >> word) x = from_string<Expansion<T, N>>(word);
  return in;
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
