// One disk, or half-plane, of a picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mctensor/embed/embedding.hpp"
#include "mctensor/pictures/disk.hpp"
#include "mctensor/pictures/picture.hpp"
#include "src/pictures/drawing.hpp"
#include "src/pictures/label_layout.hpp"
#include "src/pictures/picture_view.hpp"

namespace mct::embed {

class DiskPanel {
 public:
  static constexpr double margin = 22;  ///< above and below the disk

  /// With `centre` in the middle, `left` pixels from the left edge of the page. `drawn`: the nodes;
  /// empty: all.
  DiskPanel(const Embedding& embedding, const Drawing& drawing, const PictureOptions& options,
            std::int32_t centre, double left, std::vector<std::int32_t> drawn);

  std::string svg();
  /// Of the nodes, edges and labels that svg() has drawn.
  const DrawnCounts& counts() const { return counts_; }
  /// Where the frame ends.
  double bottom() const { return 2 * (margin + radius_) + 6; }

 private:
  double page_x(double x) const { return left_ + options_.size / 2.0 + radius_ * x; }
  double page_y(double y) const { return margin + radius_ * (1 - y); }
  const DiskPoints& places() const { return view_.nodes(); }
  double x(std::int32_t node) const { return page_x(places().x[std::size_t(node)]); }
  double y(std::int32_t node) const { return page_y(places().y[std::size_t(node)]); }
  double prominence_of(std::int32_t node) const {
    return prominence(places().gap[std::size_t(node)], drawing_.forest.size[std::size_t(node)]);
  }
  double dot(std::int32_t node) const;
  std::string_view colour(std::size_t group) const { return palette().light[group]; }
  std::size_t groups() const { return drawing_.subtrees.size() + 1; }
  std::size_t group_of(std::int32_t node) const { return drawing_.colour[std::size_t(node)]; }
  bool is_subtree(std::int32_t node) const;

  std::string frame() const;
  std::string rings();
  std::string cones() const;
  std::string cone(std::int32_t node) const;
  std::string far_edge(const ConeEdge& cone) const;
  std::vector<std::int32_t> cone_nodes() const;
  std::string edges();
  std::string edge(std::int32_t from, std::int32_t to) const;
  std::string nodes();
  std::string labels();

  const Embedding& embedding_;
  const Drawing& drawing_;
  const PictureOptions& options_;
  std::int32_t centre_;
  double left_;
  std::string_view clip_;
  double radius_;
  PictureView view_;
  std::vector<std::int32_t> order_;  // those that are drawn, the most prominent first
  std::vector<bool> is_drawn_;
  std::string ring_texts_;
  std::vector<Box> ring_boxes_;
  DrawnCounts counts_;
};

}  // namespace mct::embed
