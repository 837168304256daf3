// Points as rows of a matrix of expansions in global memory.
#pragma once

#include <cstdint>

#include "cuda/base/pack.hpp"
#include "mctensor/geometry/point.hpp"
#include "mctensor/geometry/storage/coordinates.hpp"

namespace mct::cuda {

/// Limb l of coordinate c of row i is data[l plane + i n + c]. P: a point or vector of n
/// coordinates (component_of).
template <class T, int N, int n,
          class P = geometry::Point<geometry::value_of<std::remove_const_t<T>, N>, n>>
struct RowMemory {
  using Value = geometry::value_of<std::remove_const_t<T>, N>;
  using Point = P;

  T* data;
  std::int64_t plane;

  template <class Team>
  MCT_BLOCK Point load(Team& team, std::int64_t row) const {
    Point x;
    if (n % 2 == 0 && has_pairs()) {
      load_row<2 - n % 2>(team, row, x);
    } else {
      load_row<1>(team, row, x);
    }
    return x;
  }
  template <class Team>
  MCT_BLOCK void store(Team& team, std::int64_t row, const Point& x) const {
    if (n % 2 == 0 && has_pairs()) {
      store_row<2 - n % 2>(team, row, x);
    } else {
      store_row<1>(team, row, x);
    }
  }

  /// Moves the rows of a block, one for each thread, between global and shared memory. Neighbouring
  /// threads access neighbouring numbers of global memory.
  template <int rows>
  struct Staged {
    static constexpr int size = rows * n;  // of a limb
    template <class Team>
    using Array = typename Team::template Array<std::remove_const_t<T>, N * size>;

    std::remove_const_t<T> x[N][n];  // numbers that this thread moves, not its row

    /// Loads the rows from number `first` on that are before `count`.
    template <class Team>
    MCT_BLOCK void load(Team& team, const RowMemory& from, std::int64_t first, std::int64_t count) {
      MCT_UNROLL
      for (int l = 0; l < N; ++l) {
        MCT_UNROLL
        for (int i = 0; i < n; ++i) {
          const int at = i * rows + team.rank();
          x[l][i] = 0;
          if (at < (count - first) * n)
            x[l][i] = team.template load<1>(from.data + l * from.plane + first * n + at)[0];
        }
      }
    }
    template <class Team>
    MCT_BLOCK void write(Team& team, Array<Team>& to) const {
      MCT_UNROLL
      for (int l = 0; l < N; ++l) {
        MCT_UNROLL
        for (int i = 0; i < n; ++i)
          to.template write<1>(l * size + i * rows + team.rank(), {{x[l][i]}});
      }
    }
    /// Stores from shared memory to the rows from number `first` on.
    template <class Team>
    MCT_BLOCK static void store(Team& team, const Array<Team>& from, const RowMemory& to,
                                std::int64_t first, std::int64_t count) {
      MCT_UNROLL
      for (int l = 0; l < N; ++l) {
        MCT_UNROLL
        for (int i = 0; i < n; ++i) {
          const int at = i * rows + team.rank();
          if (at < (count - first) * n)
            team.store(to.data + l * to.plane + first * n + at,
                       from.template read<1>(l * size + at));
        }
      }
    }
    /// A row in shared memory.
    template <class Team>
    MCT_BLOCK static Point get(const Array<Team>& from, int row) {
      Point p;
      MCT_UNROLL
      for (int c = 0; c < n; ++c) {
        MCT_UNROLL
        for (int l = 0; l < N; ++l)
          limb(p, c, l) = from.template read<1>(l * size + row * n + c)[0];
      }
      return p;
    }
    template <class Team>
    MCT_BLOCK static void put(Array<Team>& to, int row, const Point& p) {
      MCT_UNROLL
      for (int c = 0; c < n; ++c) {
        MCT_UNROLL
        for (int l = 0; l < N; ++l) to.template write<1>(l * size + row * n + c, {{limb(p, c, l)}});
      }
    }
  };

 private:
  MCT_BLOCK static auto& limb(auto& x, int c, int l) {
    return geometry::stored_detail::component_of(x, c, l);
  }
  MCT_BLOCK static constexpr bool has_limb(int c, int l) {
    return geometry::stored_detail::has_component<P>(c, l);
  }
  /// Whether the rows, of an even number of coordinates, may be accessed two numbers at a time.
  MCT_BLOCK bool has_pairs() const {
    return reinterpret_cast<std::uintptr_t>(data) % (2 * sizeof(T)) == 0 &&
           (N == 1 || plane % 2 == 0);
  }
  template <int width, class Team>
  MCT_BLOCK void load_row(Team& team, std::int64_t row, Point& x) const {
    MCT_UNROLL
    for (int c = 0; c < n; c += width) {
      MCT_UNROLL
      for (int l = 0; l < N; ++l) {
        const auto numbers = team.template load<width>(data + l * plane + row * n + c);
        MCT_UNROLL
        for (int e = 0; e < width; ++e)
          if (has_limb(c + e, l)) limb(x, c + e, l) = numbers[e];
      }
    }
  }
  template <int width, class Team>
  MCT_BLOCK void store_row(Team& team, std::int64_t row, const Point& x) const {
    MCT_UNROLL
    for (int c = 0; c < n; c += width) {
      MCT_UNROLL
      for (int l = 0; l < N; ++l) {
        Pack<T, width> numbers;
        MCT_UNROLL
        for (int e = 0; e < width; ++e) numbers[e] = has_limb(c + e, l) ? limb(x, c + e, l) : 0;
        team.store(data + l * plane + row * n + c, numbers);
      }
    }
  }
};

}  // namespace mct::cuda
