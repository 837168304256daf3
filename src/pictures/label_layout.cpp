#include "src/pictures/label_layout.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace mct::embed {
namespace {

/// Advance widths of Helvetica's characters 32 to 126 in thousandths of the font size (Adobe Font
/// Metrics).
constexpr std::array<std::int16_t, 95> helvetica = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};
constexpr double letter = 0.556;
constexpr double square = 1;
constexpr std::uint8_t first_byte_of_squares = 0xE1;  // of U+1000 and beyond

}  // namespace

double text_width(std::string_view text, double size) {
  double width = 0;
  for (const char c : text) {
    const auto byte = std::uint8_t(c);
    if ((byte & 0xC0) == 0x80) continue;  // a further byte of one character
    if (byte >= 32 && byte < 127)
      width += helvetica[byte - 32u] / 1000.0;
    else
      width += byte < first_byte_of_squares ? letter : square;
  }
  return width * size;
}

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
