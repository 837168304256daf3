// Sarkar's embedding of a tree in the hyperbolic plane.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/tiling/htiling.hpp"
#include "mctensor/geometry/tiling/ltiling.hpp"
#include "mctensor/graph/tree.hpp"

namespace mct::embed {
inline namespace MCT_ISA_NAMESPACE {

/// The length of edges with which Sarkar's embedding keeps all distances of the tree within a
/// factor 1 + epsilon. (A distance of the tree is the number of edges times this length.) The
/// length is 2 log(2 D / pi) (1 + epsilon) / epsilon. D is the largest number of edges of a node,
/// but at least 3. Source: Sala et al. 2018, section 3.1. Throws DomainError unless epsilon > 0.
inline double sarkar_edge_length(const Tree& tree, double epsilon) {
  if (!(epsilon > 0))
    throw DomainError("sarkar_edge_length: epsilon " + number_text(epsilon) + " is not above 0");
  const double degree = double(std::max<std::size_t>(tree.largest_degree(), 3));
  return (1 + epsilon) / epsilon * 2 * std::log(2 * degree / 3.14159265358979323846);
}

/// The points of the nodes of a tree, in the order of the nodes' numbers. All edges have the same
/// length, and neighbouring edges of a node enclose equal angles (Sarkar 2011). Plane is
/// geometry::LTiling<V>, geometry::HTiling<V, 2>, or another class with a Point, a Ray, turned()
/// and advance(). In the tilings a tree may be as deep as memory allows. The root lies at the
/// plane's origin, and its first edge leads along the plane's first coordinate.
///
/// Edges have their length within the error of Plane::advance. An angle has an error of a few u^N.
/// So the result is an exact embedding in which each edge is turned by that error. progress(n) is
/// called when the edges of n nodes are placed.
template <class Plane, class V>
std::vector<typename Plane::Point> sarkar_embedding(
    const Plane& plane, const Tree& tree, const V& edge_length,
    const std::function<void(std::size_t)>& progress = {}) {
  using Ray = typename Plane::Ray;
  std::vector<Ray> rays(tree.size());
  // in all planes the last two coordinates of a tangent are its direction
  auto& start = rays[0].direction;
  start = {};
  start[start.size() - 2] = V(1);
  for (std::size_t node = 0; node < tree.size(); ++node) {
    const auto& children = tree.children(node);
    // the direction to the parent, opposite to that in which the edge arrived
    const bool root = node == 0;
    const Ray back = root ? rays[0] : Plane::turned(rays[node], V(-1), V(0));
    const double parts = double(children.size()) + (root ? 0 : 1);
    for (std::size_t i = 0; i < children.size(); ++i) {
      const V part = V(2 * double(i + (root ? 0 : 1))) / V(parts);
      V cosine;
      V sine;
      if constexpr (std::is_arithmetic_v<V>) {
        cosine = V(std::cos(double(part) * 3.14159265358979323846));
        sine = V(std::sin(double(part) * 3.14159265358979323846));
      } else {
        cosine = cospi(part);
        sine = sinpi(part);
      }
      rays[std::size_t(children[i])] =
          plane.advance(Plane::turned(back, cosine, sine), edge_length);
    }
    if (progress) progress(node + 1);
  }
  std::vector<typename Plane::Point> points;
  points.reserve(rays.size());
  for (Ray& ray : rays) points.push_back(std::move(ray.at));
  return points;
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::embed
