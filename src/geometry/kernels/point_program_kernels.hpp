// The loops of the steps of programs on points that lie one behind another: lanes are neighbouring
// coordinates, and nothing has to be turned.
#pragma once

#include "src/geometry/kernels/point_moves.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// Coordinates that are taken together, in `parts` registers: so many in every instruction set, so
/// that sums have the same bits.
inline constexpr std::size_t columns_together = 8;
inline constexpr std::size_t parts = columns_together / width;
static_assert(columns_together % width == 0);

/// The kind of an operand: known when the loop is compiled, or looked up at every register.
enum class Kind { number, doubles, floats, vector, either };
/// An operand of a step in registers: of a point, the numbers of a vector, or one for all.
template <Kind kind>
class PointOperand {
 public:
  PointOperand(const Rows& r, int k)
      : is_vector_(r.is_vector[k]),
        begin_(r.in[k]),
        floats_(r.in_floats[k]),
        step_(is_vector_ ? r.step[k] : 1) {}
  MCT_ALWAYS_INLINE StepLanes at(std::size_t p, std::size_t column) const {
    const std::ptrdiff_t point = std::ptrdiff_t(p) * step_;
    constexpr bool is_known = kind == Kind::number || kind == Kind::doubles;
    if (kind == Kind::floats || (!is_known && floats_ != nullptr))
      return load_converted<StepLanes>(floats_ + point + column);
    const bool is_number = kind == Kind::either ? !is_vector_ : kind == Kind::number;
    return is_number ? StepLanes(begin_[point]) : load_lanes<StepLanes>(begin_ + point + column);
  }

 private:
  bool is_vector_;
  const double* begin_;
  const float* floats_;
  std::ptrdiff_t step_;
};
/// f(the operands) in a loop for the kinds that a step often has: numbers where bit k of `numbers`
/// is set, else vectors, of doubles or, where `floats` is set, of floats alone. All other cases
/// have a slower loop.
template <int count, unsigned numbers, bool floats, class F>
MCT_ALWAYS_INLINE inline void with_operands(const Rows& r, const F& f) {
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    const auto all_are = [&](Kind kind) {
      const auto is = [&](std::size_t i) {
        if ((numbers >> i & 1) != 0) return !r.is_vector[i];
        return r.is_vector[i] &&
               (kind == Kind::vector || (r.in_floats[i] != nullptr) == (kind == Kind::floats));
      };
      return (is(k) && ...);
    };
    const auto call = [&]<Kind kind>() {
      f(PointOperand < (numbers >> k & 1) != 0 ? Kind::number : kind > (r, int(k))...);
    };
    if (all_are(Kind::doubles)) {
      call.template operator()<Kind::doubles>();
    } else if (all_are(floats ? Kind::floats : Kind::vector)) {
      call.template operator()<floats ? Kind::floats : Kind::vector>();
    } else {
      f(PointOperand<Kind::either>(r, int(k))...);
    }
  }
  (std::make_index_sequence<std::size_t(count)>());
}
/// f(the two operands) of a sum over coordinates.
template <class F>
MCT_ALWAYS_INLINE inline void with_vectors(const Rows& r, const F& f) {
  with_operands<2, 0, true>(r, f);
}
/// The operands of a step that most often are numbers, bit k for operand k.
constexpr unsigned numbers_of(Step step) {
  using enum Step;
  switch (step) {
    case multiply:
    case choose:
    case add_product:
    case subtract_product:
    case subtract_from_product:
      return 1;
    case divide:
      return 2;
    case add_products:
    case subtract_products:
      return 1 | 4;
    default:
      return 0;
  }
}

template <Step step>
void step_on_points(const Rows& r) {
  const auto loop = [&](const auto&... x) {
    double* out = r.out;
    const std::size_t row = r.width;
    for (std::size_t p = 0; p < block; ++p)
      for (std::size_t at = 0; at < row; at += width, out += width) {
        const StepLanes of[4] = {x.at(p, at)...};
        store_lanes(StepLanes(stepped<step>(of[0], of[1], of[2], of[3])), out);
      }
  };
  with_operands<operands_of(step), numbers_of(step), false>(r, loop);
}

/// Numbers of a point that become one, of so many limbs.
template <int limbs>
struct Collected {
  StepLanes limb[limbs];
};
/// Combines the columns of as many points as a register has lanes. They are joined in pairs: half
/// the columns of two points become one register. Lane i belongs to point i.
template <std::size_t half, int limbs, class Join>
MCT_ALWAYS_INLINE inline void join_columns(Collected<limbs> (&points)[width][parts],
                                           const Join& join) {
  if constexpr (half > 0) {
    constexpr auto all = std::make_index_sequence<width>();
    for (std::size_t i = 0; i < half; ++i) {
      Collected<limbs>& first = points[i][0];
      Collected<limbs>& second = points[i + half][0];
      for (int limb = 0; limb < limbs; ++limb) {
        Register<double, int(width)> a, b;
        __builtin_memcpy(&a, &first.limb[limb], sizeof(a));
        __builtin_memcpy(&b, &second.limb[limb], sizeof(b));
        const auto lower = interleaved<int(width), int(half), 0>(a, b, all);
        const auto upper = interleaved<int(width), int(half), 1>(a, b, all);
        __builtin_memcpy(&first.limb[limb], &lower, sizeof(lower));
        __builtin_memcpy(&second.limb[limb], &upper, sizeof(upper));
      }
      join(first, second);
    }
    join_columns<half / 2>(points, join);
  }
}
template <int limbs, class Join>
MCT_ALWAYS_INLINE inline Collected<limbs> joined(Collected<limbs> (&points)[width][parts],
                                                 const Join& join) {
  for (auto& of : points)
    for (std::size_t half = parts / 2; half > 0; half /= 2)
      for (std::size_t j = 0; j < half; ++j) join(of[j], of[j + half]);
  join_columns<width / 2>(points, join);
  return points[0][0];
}

/// f(i, j) for part j of point i of as many points as a register has lanes, without a loop: so what
/// is collected stays in registers.
template <class F>
MCT_ALWAYS_INLINE inline void for_each_part(const F& f) {
  [&]<std::size_t... k>(std::index_sequence<k...>) MCT_ALWAYS_INLINE {
    (f(k / parts, k % parts), ...);
  }
  (std::make_index_sequence<width * parts>());
}
/// Calls end(p, collected) for each register of points, where begin and add collect from the
/// coordinates. finish is called before numbers of different columns are joined.
template <int limbs, class Begin, class Add, class Finish, class Join, class End>
MCT_ALWAYS_INLINE inline void collect(const Rows& r, const Begin& begin, const Add& add,
                                      const Finish& finish, const Join& join, const End& end) {
  for (std::size_t p = 0; p < block; p += width) {
    Collected<limbs> of[width][parts];
    for_each_part([&](std::size_t i, std::size_t j)
                      MCT_ALWAYS_INLINE { begin(of[i][j], p + i, j * width); });
    for (std::size_t at = columns_together; at < r.width; at += columns_together)
      for_each_part([&](std::size_t i, std::size_t j)
                        MCT_ALWAYS_INLINE { add(of[i][j], p + i, at + j * width); });
    for_each_part([&](std::size_t i, std::size_t j) MCT_ALWAYS_INLINE { finish(of[i][j], p + i); });
    end(p, joined(of, join));
  }
}
/// Where nothing is to be finished.
inline constexpr auto unfinished = [](const auto&, std::size_t) {};

/// Where numbers from `at` on are coordinates.
template <bool all>
MCT_ALWAYS_INLINE inline StepLanes coordinates_alone(const Rows& r, std::size_t at,
                                                     const StepLanes& x) {
  if constexpr (all) {
    return x;
  } else {
    return ::mct::detail::blend(as_mask(load_lanes<StepLanes>(r.columns + at)), x, StepLanes(0.0));
  }
}

/// end(p, the sum of the products of x and y); of two limbs with the digits that its additions
/// round off (as LongSum, vectors.hpp).
template <int limbs, bool all, class X, class Y, class End>
MCT_ALWAYS_INLINE inline void sum_on_points(const Rows& r, const X& x, const Y& y, const End& end) {
  const auto join = [](Collected<limbs>& a, const Collected<limbs>& b) {
    if constexpr (limbs == 1) {
      a.limb[0] = a.limb[0] + b.limb[0];
    } else {
      const auto [high, rest] = two_sum(a.limb[0], b.limb[0]);
      a = {{high, a.limb[1] + (b.limb[1] + rest)}};
    }
  };
  const auto factors = [&](std::size_t p, std::size_t at) {
    return std::pair(coordinates_alone<all>(r, at, x.at(p, at)),
                     coordinates_alone<all>(r, at, y.at(p, at)));
  };
  const auto product = [&](std::size_t p, std::size_t at) -> Collected<limbs> {
    const auto [a, b] = factors(p, at);
    if constexpr (limbs == 1) {
      return {{a * b}};
    } else {
      const auto [high, low] = two_prod(a, b);
      return {{high, low}};
    }
  };
  collect<limbs>(
      r, [&](auto& of, std::size_t p, std::size_t at) { of = product(p, at); },
      [&](auto& of, std::size_t p, std::size_t at) {
        if constexpr (limbs == 1) {
          const auto [a, b] = factors(p, at);
          of.limb[0] = ::mct::detail::multiply_add(a, b, of.limb[0]);
        } else {
          join(of, product(p, at));
        }
      },
      unfinished, join, end);
}
template <int limbs, class X, class Y, class End>
MCT_ALWAYS_INLINE inline void sum_of_coordinates(const Rows& r, const X& x, const Y& y,
                                                 const End& end) {
  if (r.columns == nullptr) {
    sum_on_points<limbs, true>(r, x, y, end);
  } else {
    sum_on_points<limbs, false>(r, x, y, end);
  }
}
inline void dot_on_points(const Rows& r) {
  with_vectors(r, [&](const auto& x, const auto& y) {
    sum_of_coordinates<1>(r, x, y, [&](std::size_t p, const Collected<1>& sum) {
      store_lanes(sum.limb[0], r.out + p);
    });
  });
}
/// Sums in two limbs.
MCT_NOINLINE inline void long_dots(const Rows& r, double* high, double* low) {
  with_vectors(r, [&](const auto& x, const auto& y) {
    sum_of_coordinates<2>(r, x, y, [&](std::size_t p, const Collected<2>& sum) {
      const auto [rounded, rest] = two_sum(sum.limb[0], sum.limb[1]);
      store_lanes(StepLanes(rounded), high + p);
      store_lanes(StepLanes(rest), low + p);
    });
  });
}
template <bool high, bool low>
void long_dot_on_points(const Rows& r) {
  double other[block];
  long_dots(r, high ? r.out : other, !low ? other : high ? r.low : r.out);
}
/// As LongGap (vectors.hpp), with a sum for each column. The sums minus the square are multiples of
/// the square's last place, so their sum is exact.
template <bool all, Kind kind>
void gap_of_coordinates(const Rows& r) {
  const PointOperand<kind> x(r, 1);
  using Gap = geometry::detail::LongGap<StepLanes>;
  const auto subtract = [&](Gap gap, std::size_t p, std::size_t at) -> Collected<2> {
    gap.subtract_square(coordinates_alone<all>(r, at, x.at(p, at)));
    return {{gap.sum, gap.low}};
  };
  collect<2>(
      r,
      [&](auto& of, std::size_t p, std::size_t at) {
        of = subtract(Gap(StepLanes(r.in[0][p])), p, at);
      },
      [&](auto& of, std::size_t p, std::size_t at) {
        Gap gap(of.limb[0]);
        gap.sum = of.limb[0];
        gap.low = of.limb[1];
        of = subtract(gap, p, at);
      },
      [&](auto& of, std::size_t p) { of.limb[0] = of.limb[0] - Gap(StepLanes(r.in[0][p])).square; },
      [](auto& a, const auto& b) {
        a = {{a.limb[0] + b.limb[0], a.limb[1] + b.limb[1]}};
      },
      [&](std::size_t p, const Collected<2>& sum) {
        const auto radius = load_lanes<StepLanes>(r.in[0] + p);
        const auto [k2, k2_low] = two_prod(radius, radius);
        const auto [gap, rest] = two_sum(k2, StepLanes(-sum.limb[0]));
        store_lanes(StepLanes(gap + (rest + (k2_low - sum.limb[1]))), r.out + p);
      });
}
inline void gap_on_points(const Rows& r) {
  if (r.columns != nullptr) return gap_of_coordinates<false, Kind::vector>(r);
  r.in_floats[1] == nullptr ? gap_of_coordinates<true, Kind::doubles>(r)
                            : gap_of_coordinates<true, Kind::floats>(r);
}
inline void pivot_on_points(const Rows& r) {
  using ::mct::detail::blend;
  const PointOperand<Kind::vector> x(r, 0);
  alignas(cache_line) double index[block];
  for (std::size_t i = 0; i < width; ++i) index[i] = double(i);
  const StepLanes lane = load_lanes<StepLanes>(index);
  // the largest coordinate and its number
  const auto at_columns = [&](std::size_t p, std::size_t at) -> Collected<2> {
    StepLanes size = ::mct::detail::magnitude(x.at(p, at));
    if (r.columns != nullptr)
      size = blend(as_mask(load_lanes<StepLanes>(r.columns + at)), size, StepLanes(-1.0));
    return {{size, lane + StepLanes(double(at))}};
  };
  const auto join = [](Collected<2>& a, const Collected<2>& b) {
    const auto larger = b.limb[0] > a.limb[0];
    a = {{blend(larger, b.limb[0], a.limb[0]), blend(larger, b.limb[1], a.limb[1])}};
  };
  collect<2>(
      r, [&](auto& of, std::size_t p, std::size_t at) { of = at_columns(p, at); },
      [&](auto& of, std::size_t p, std::size_t at) { join(of, at_columns(p, at)); }, unfinished,
      join, [&](std::size_t p, const auto& found) { store_lanes(found.limb[1], index + p); });
  for (std::size_t p = 0; p < block; ++p)
    for (std::size_t at = 0; at < r.width; at += width)
      store_lanes(as_number<StepLanes>(lane + StepLanes(double(at)) == StepLanes(index[p])),
                  r.out + p * r.width + at);
}
template <Step step>
void require_on_points(const Rows& r) {
  for (std::size_t p = 0; p < block; ++p)
    for (std::size_t at = 0; at < r.width; at += width) {
      StepLanes x[4] = {};
      for (int k = 0; k < operands_of(step); ++k) x[k] = PointOperand<Kind::either>(r, k).at(p, at);
      alignas(cache_line) double holds[width];
      store_lanes(StepLanes(stepped<step>(x[0], x[1], x[2], x[3])), holds);
      for (std::size_t i = 0; i < width; ++i)
        if (r.columns == nullptr || r.columns[at + i] != 0) r.mask[p] *= holds[i];
    }
}

/// The sum of products of numbers and vectors as a result.
template <Kind kind, bool all, std::size_t... t>
void give_vectors(const Rows& r, std::index_sequence<t...>) {
  const double* const number[] = {r.in[2 * t]...};
  const PointOperand<kind> vector[] = {PointOperand<kind>(r, int(2 * t + 1))...};
  const std::size_t row = r.width;
  const bool in_place = r.streams || r.out_floats != nullptr;
  StepLanes zero(0.0);
  for (std::size_t p = 0; p < block; ++p) {
    const std::ptrdiff_t point = std::ptrdiff_t(p) * r.out_step;
    double* const out = r.out == nullptr ? nullptr : r.out + point;
    const StepLanes factor[] = {StepLanes(number[t][p])...};
    for (std::size_t at = 0; at < row; at += width) {
      StepLanes sum = factor[0] * vector[0].at(p, at);
      for (std::size_t k = 1; k < sizeof...(t); ++k)
        sum = ::mct::detail::multiply_add(factor[k], vector[k].at(p, at), sum);
      if constexpr (!all)  // other columns hold another part of the point
        sum = ::mct::detail::blend(as_mask(load_lanes<StepLanes>(r.columns + at)), sum,
                                   load_lanes<StepLanes>(out + at));
      zero = ::mct::detail::multiply_add(coordinates_alone<all>(r, at, sum), StepLanes(0.0), zero);
      if (!in_place) {
        store_lanes(sum, out + at);
      } else if (r.out_floats == nullptr) {
        stream_converted(sum, out + at);
      } else if (r.streams) {
        stream_converted(sum, r.out_floats + point + at);
      } else {
        store_converted(sum, r.out_floats + point + at);
      }
    }
  }
  if (!geometry::detail::somewhere(zero != StepLanes(0.0))) return;
  // what is written in place may be narrower, and is not read again
  if (in_place) std::fill_n(r.mask, block, 0.0);
  for (std::size_t p = 0; !in_place && p < block; ++p) {
    const double* const out = r.out + std::ptrdiff_t(p) * r.out_step;
    for (std::size_t i = 0; i < row; ++i)
      if ((all || r.columns[i] != 0) && out[i] * 0 != 0) r.mask[p] = 0;
  }
}
template <std::size_t terms>
void give_on_points(const Rows& r) {
  if (r.rows > 1) {
    constexpr auto each = std::make_index_sequence<terms>();
    bool vectors = r.columns == nullptr;  // and not numbers, the same for all coordinates
    bool doubles = true;
    for (std::size_t t = 0; t < terms; ++t) {
      vectors = vectors && r.is_vector[2 * t + 1];
      doubles = doubles && r.in_floats[2 * t + 1] == nullptr;
    }
    if (vectors && doubles) return give_vectors<Kind::doubles, true>(r, each);
    if (vectors) return give_vectors<Kind::vector, true>(r, each);
    if (r.columns == nullptr) return give_vectors<Kind::either, true>(r, each);
    return give_vectors<Kind::either, false>(r, each);
  }
  double numbers[block];
  Rows of = r;
  of.out = numbers;
  give_kernel<terms>(of);
  for (std::size_t p = 0; p < block; ++p) r.out[std::ptrdiff_t(p) * r.out_step] = numbers[p];
}
inline void take_number(const Rows& r) {
  const float* const floats = r.in_floats[0];
  for (std::size_t p = 0; p < block; ++p) {
    const std::ptrdiff_t at = std::ptrdiff_t(p) * r.step[0];
    r.out[p] = floats != nullptr ? double(floats[at]) : r.in[0][at];
  }
}

inline bool are_rows_within(std::size_t points, std::size_t coordinates, const double* rows,
                            std::size_t row, double largest, double least) {
  Rows r{};
  r.in[0] = rows;
  r.step[0] = std::ptrdiff_t(row);
  r.is_vector[0] = true;
  r.width = row;
  const PointOperand<Kind::doubles> x(r, 0);
  double squares[block];
  sum_of_coordinates<1>(r, x, x, [&](std::size_t p, const Collected<1>& sum) {
    store_lanes(sum.limb[0], squares + p);
  });
  bool within = true;
  for (std::size_t p = 0; p < points; ++p)
    within = within && squares[p] < largest && rows[p * row + coordinates - 1] > least;
  return within;
}

template <Step... step>
constexpr void fill_steps_on_points(StepTable& table) {
  ((table.on_points[int(step)] = &step_on_points<step>), ...);
}
/// Logarithms and exponentials never get a vector.
constexpr void enter_steps_on_points(StepTable& table) {
  using enum Step;
  fill_steps_on_points<add, subtract, multiply, divide, root, absolute, choose, less, less_equal,
                       equal, both, either, opposite, product_rest, sum_rest, pull, cross,
                       add_product, subtract_product, subtract_from_product, add_products,
                       subtract_products, between>(table);
  auto& on = table.on_points;
  on[int(dot)] = &dot_on_points;
  on[int(long_dot)] = &long_dot_on_points<true, false>;
  on[int(long_dot_low)] = &long_dot_on_points<false, true>;
  on[int(long_dots)] = &long_dot_on_points<true, true>;
  on[int(gap)] = &gap_on_points;
  on[int(pivot)] = &pivot_on_points;
  on[int(take)] = &take_number;
  on[int(require)] = &require_on_points<constant>;
#define MCT_ENTER(comparison, required) on[int(required)] = &require_on_points<comparison>;
  MCT_FOR_EACH_REQUIREMENT(MCT_ENTER)
#undef MCT_ENTER
  on[int(give)] = &give_on_points<1>;
  on[int(give_two)] = &give_on_points<2>;
  on[int(give_three)] = &give_on_points<3>;
  on[int(give_four)] = &give_on_points<4>;
  table.doubles = {&points_to_rows<double>, &points_from_rows<double>};
  table.floats = {&points_to_rows<float>, &points_from_rows<float>};
  table.are_within = &are_rows_within;
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
