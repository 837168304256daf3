// The operations of mctensor/tensor/operation.hpp as functions for Map: the functions of the CPU's
// kernels, for the numbers of one thread.
#pragma once

#include "cuda/tensor/planes.hpp"
#include "mctensor/math/plain/functions.hpp"
#include "src/tensor/kernels/operations.hpp"

namespace mct::cuda {

/// An operand of Map: a tensor, or one element that stands for all.
template <class T, int N>
struct MapOperand {
  DevicePlanes<const T, N> planes;
  bool is_single;
};

namespace detail {

/// The operands of Map, one after the other.
template <class T, int... M>
struct MapOperands {
  template <int width>
  struct Values {
    template <class Team>
    MCT_BLOCK void load(Team&, const MapOperands&, std::int64_t, std::int64_t, bool) {}
    template <class F, class... X>
    MCT_BLOCK auto apply(const F& f, int, const X&... x) const {
      return f(x...);
    }
  };
};
template <class T, int First, int... Rest>
struct MapOperands<T, First, Rest...> {
  MapOperand<T, First> first;
  MapOperands<T, Rest...> rest;

  /// `width` neighbours of each operand.
  template <int width>
  struct Values {
    Pack<T, width> limbs[First];
    typename MapOperands<T, Rest...>::template Values<width> others;

    template <class Team>
    MCT_BLOCK void load(Team& team, const MapOperands& from, std::int64_t i, std::int64_t count,
                        bool wide) {
      if (from.first.is_single) {
        for (int l = 0; l < First; ++l) {
          const T x =
              team.template load<1>(from.first.planes.data + l * from.first.planes.plane)[0];
          for (int e = 0; e < width; ++e) limbs[l][e] = x;
        }
      } else {
        load_elements(team, from.first.planes, i, count, wide, limbs);
      }
      others.load(team, from.rest, i, count, wide);
    }
    /// f(element number e of each operand).
    template <class F, class... X>
    MCT_BLOCK auto apply(const F& f, int e, const X&... x) const {
      return others.apply(f, e, x..., get_element(limbs, e));
    }
  };
};

}  // namespace detail

/// out = f(operands...), where f takes expansions of T with M... components and returns one with N.
/// The result may be one of the operands, but not overlap them otherwise. A thread computes as many
/// neighbours as fit into 16 bytes; if f is long (F::is_long), one after the other in a loop.
///
/// Grid: (count / (threads * width), rounded up).
template <class F, class T, int N, int... M>
struct Map {
  static constexpr int threads = 256, blocks_per_sm = F::is_long ? 2 : 4;
  static constexpr int width = widest<T>;
  static constexpr std::int64_t of_block = std::int64_t(threads) * width;
  using Operands = detail::MapOperands<T, M...>;

  F f;
  DevicePlanes<T, N> out;
  Operands operands;
  std::int64_t count;
  /// Whether every plane (of operands that are not single) is aligned to 16 bytes.
  bool wide;

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    const std::int64_t i = team.block_x() * of_block + std::int64_t(team.rank()) * width;
    if (i >= count) return;
    typename Operands::template Values<width> values;
    values.load(team, operands, i, count, wide);
    Pack<T, width> results[N];
    if constexpr (F::is_long) {
      MCT_ROLL
      for (int e = 0; e < width; ++e) set_element(results, e, values.apply(f, e));
    } else {
      MCT_UNROLL
      for (int e = 0; e < width; ++e) set_element(results, e, values.apply(f, e));
    }
    store_elements(team, out, i, count, wide, results);
  }
};

/// An operation with the bits of the CPU's kernels, where they have fma.
template <auto Op, class T, int N>
struct Pointwise {
  // arithmetic of half and bfloat16 is emulated, and a thread has eight elements of them
  static constexpr bool is_long = kernels::is_function<Op> || sizeof(T) == 2;

  template <class... X>
  MCT_BLOCK Expansion<T, N> operator()(const X&... x) const {
    if constexpr (kernels::is_plain_function<Op, N>) {
      using Function = kernels::function_of<Op>;
      return Expansion<T, N>(mct::detail::plain_function<Function>(x.limb[0]...));
    } else {
      return kernels::apply<Op>(x...);
    }
  }
};

/// The operations that are compiled for a type. nvcc takes long for functions, so that only double,
/// float and f64x2 have them so far.
template <class T, int N>
inline constexpr bool has_functions = N == 1 ? sizeof(T) > 2 : std::is_same_v<T, double>&& N == 2;
template <class T, int N>
inline constexpr int unary_count = has_functions<T, N> ? int(Unary::count)
                                                       : arithmetic_count<Unary>;
template <class T, int N>
inline constexpr int binary_count = has_functions<T, N> ? int(Binary::count)
                                                        : arithmetic_count<Binary>;

template <Unary Op, class T, int N>
using UnaryMap = Map<Pointwise<Op, T, N>, T, N, N>;
template <Binary Op, class T, int N>
using BinaryMap = Map<Pointwise<Op, T, N>, T, N, N, N>;
template <Ternary Op, class T, int N>
using TernaryMap = Map<Pointwise<Op, T, N>, T, N, N, N, N>;

}  // namespace mct::cuda
