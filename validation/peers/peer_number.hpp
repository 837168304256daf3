// The functions that a peer's number type needs to be measured.
#pragma once

#include <cmath>
#include <concepts>

#include "validation/core/real.hpp"

namespace mct::validation {

namespace peer_detail {

using std::sqrt;
template <class V>
auto root(const V& v) -> decltype(sqrt(v)) {
  return sqrt(v);
}

}  // namespace peer_detail

/// A peer P:
///   P::Value                      its number type, with + - * / sqrt
///   P::from(const Real&)          a Value: the exact number, rounded to the peer's format
///   P::to(const Value&, Real&)    the Value, exactly
template <class P>
concept PeerNumber = requires(const typename P::Value& v, const Real& exact, Real& out) {
  { P::from(exact) } -> std::same_as<typename P::Value>;
  { v + v } -> std::convertible_to<typename P::Value>;
  { v - v } -> std::convertible_to<typename P::Value>;
  { v* v } -> std::convertible_to<typename P::Value>;
  { v / v } -> std::convertible_to<typename P::Value>;
  { peer_detail::root(v) } -> std::convertible_to<typename P::Value>;
  P::to(v, out);
};

}  // namespace mct::validation
