#include "src/pictures/label_layout.hpp"

#include <array>

namespace mct::embed {
bool LabelLayout::free(const Box& box) const {
  if (box.left < page_.left || box.right > page_.right || box.top < page_.top ||
      box.bottom > page_.bottom)
    return false;
  for (const Box& other : taken_)
    if (box.overlaps(other)) return false;
  return true;
}

std::optional<Box> LabelLayout::place(const Dot& dot, double width, double size) {
  constexpr double gap = 2;
  const double height = 1.15 * size;
  const double beside = dot.radius + gap;
  const double diagonal = 0.7 * dot.radius + gap / 2;
  // the nearest end of the text from the dot to the right (1), the left (-1), or its middle (0)
  const auto left = [&](int side, double distance) {
    return dot.x + side * distance + (side - 1) / 2.0 * width;
  };
  const auto top = [&](int side, double distance) {
    return dot.y + side * distance + (side - 1) / 2.0 * height;
  };
  const int h = dot.outward_x < 0 ? -1 : 1;
  const int v = dot.outward_y < 0 ? -1 : 1;
  const std::array<std::array<int, 2>, 8> sides = {
      {{h, 0}, {h, v}, {h, -v}, {0, v}, {-h, 0}, {0, -v}, {-h, v}, {-h, -v}}};
  for (const auto& [x_side, y_side] : sides) {
    const bool corner = x_side != 0 && y_side != 0;
    const double from_left = left(x_side, corner ? diagonal : beside);
    const double from_top = top(y_side, corner ? diagonal : beside);
    const Box box{from_left, from_top, from_left + width, from_top + height};
    if (!free(box)) continue;
    taken_.push_back({box.left - gap, box.top, box.right + gap, box.bottom});
    return box;
  }
  return std::nullopt;
}

}  // namespace mct::embed
