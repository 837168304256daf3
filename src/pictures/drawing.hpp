// The parts that pictures of an embedding have in common: its edges, its trees, its colours.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "mctensor/graph/spanning_forest.hpp"
#include "mctensor/pictures/disk.hpp"
#include "mctensor/pictures/picture.hpp"

namespace mct::embed {

struct Drawing {
  HalfSpacePoints points;
  Graph edges;  ///< among the nodes of the embedding, by its numbers
  SpanningForest forest;
  std::int32_t centre = 0;
  std::vector<std::int32_t> subtrees;  ///< their roots, the largest first
  std::vector<std::uint8_t> colour;    ///< of each node: 1 + the number of its subtree, or 0
};

/// Throws DomainError as write_disk_svg.
Drawing make_drawing(const Embedding& embedding, const Graph& edges, const PictureOptions& options);

/// Colours of the nodes in no subtree (the first) and in each, on light and on dark ground; series
/// that the colour-blind can tell apart come first.
struct Palette {
  std::array<std::string_view, PictureOptions::most_subtrees + 1> light, dark;
};
const Palette& palette();

/// The size at which a node appears, in parts of the largest size: it shrinks with the metric
/// towards the edge of the disk and grows with the nodes below it. `gap` as in DiskPoints.
double prominence(double gap, std::int32_t subtree_size);

}  // namespace mct::embed
