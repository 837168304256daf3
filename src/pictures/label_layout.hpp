// Labels beside points, without overlap.
#pragma once

#include <optional>
#include <vector>

namespace mct::embed {

/// A rectangle in pixels, y downwards.
struct Box {
  double left, top, right, bottom;

  bool overlaps(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

/// A point with a label, and the preferred direction of the label.
struct Dot {
  double x, y, radius;
  double outward_x, outward_y;
};

/// Places one label after the other in free places.
class LabelLayout {
 public:
  /// Labels stay within `page`.
  explicit LabelLayout(const Box& page) : page_(page) {}

  /// Keeps this box free of labels.
  void block(const Box& box) { taken_.push_back(box); }

  /// The box of a text of this width and font size beside a dot: to its outer side, outside at a
  /// corner, above or below, to the inner side, the first that is free and not off the page.
  std::optional<Box> place(const Dot& dot, double width, double size);

 private:
  bool free(const Box& box) const;

  Box page_;
  std::vector<Box> taken_;
};

}  // namespace mct::embed
