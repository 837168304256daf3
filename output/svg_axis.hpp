// Axes of the report's plots: the range, the ticks, the place of a value on the page.
#pragma once

#include <string>
#include <vector>

namespace mct::output {

/// Ticks at multiples of 1, 2 or 5 times a power of ten (of at least 1 if `whole`) that lie in
/// [low, high]: about `count` of them, at least one. The arguments are finite, low <= high.
std::vector<double> nice_ticks(double low, double high, int count, bool whole = false);

/// The same range widened to the next ticks outside.
struct Range {
  double low = 0;
  double high = 1;
};
Range widened_to_ticks(Range range, int count, bool whole = false);

/// A tick's label: no more digits than the step needs, a true minus sign.
std::string tick_label(double tick, double step);

/// A linear axis: values in [low, high] to places in [from, to] (from > to: upside down).
class Axis {
 public:
  Axis(Range range, double from, double to) : range_(range), from_(from), to_(to) {
    if (!(range_.low < range_.high)) range_ = {range.low - 0.5, range.low + 0.5};
  }
  double place(double value) const {
    return from_ + (value - range_.low) / (range_.high - range_.low) * (to_ - from_);
  }
  const Range& range() const { return range_; }

 private:
  Range range_;
  double from_, to_;
};

}  // namespace mct::output
