#include "src/linalg/gemm.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "mctensor/linalg/bfloat16_units.hpp"
#include "src/linalg/grow.hpp"
#include "src/linalg/guarded.hpp"
#include "src/linalg/kernels/registry.hpp"
#include "src/tensor/component_list.hpp"
#include "src/tensor/kernels/work_format.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::linalg_detail {

namespace {

using tensor_detail::WorkFormat;

/// Rows and columns of the blocks whose accumulators stay in the second-level cache, and the
/// largest depth of the panels that are packed at a time.
struct Blocking {
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t depth;
};

constexpr std::int64_t round_up(std::int64_t x, std::int64_t step) {
  return (x + step - 1) / step * step;
}

/// The depth of every panel except the last is a multiple of this number, and this number is a
/// multiple of every Accumulator::period.
constexpr std::int64_t depth_step = 8;

/// The depth of panels that are about equally deep. A last panel of small depth would cost as much,
/// beside its products, as the other panels.
constexpr std::int64_t panel_depth(std::int64_t k, std::int64_t largest, std::int64_t step) {
  const std::int64_t panels = (k + largest - 1) / largest;
  return panels < 2 ? k : round_up((k + panels - 1) / panels, step);
}

template <int K, class Packed>
constexpr Blocking blocking = std::is_same_v<Packed, Bfloat16Line> ? Blocking{256, 384, 512}
                              : K == 1                             ? Blocking{256, 384, 192}
                              : K == 2                             ? Blocking{256, 256, 128}
                                                                   : Blocking{128, 128, 128};

/// Panels and accumulators of one thread.
struct Workspace {
  Storage a;
  Storage b;
  Storage c;
};

/// Packed: the numbers that tiles multiply, in the format of the sums, or a pair of shorter
/// numbers.
template <class T, int N, int A, int B, class Packed = typename WorkFormat<T, N>::Scalar>
class Product {
  using Format = WorkFormat<T, N>;
  using S = typename Format::Scalar;
  static constexpr int K = Format::levels;
  static constexpr int limbs_a = Format::template limbs<A>;
  static constexpr int limbs_b = Format::template limbs<B>;
  using PackedRight = RightOf<Packed>;
  /// Rows of a factor in a step of a tile.
  static constexpr std::int64_t step_rows = std::is_same_v<PackedRight, Bfloat16Pair> ? 2 : 1;
  /// The steps of the left factor's panels are a multiple of this number.
  static constexpr std::int64_t left_steps =
      std::is_same_v<Packed, Bfloat16Line> ? pairs_of_line : 1;
  /// Sums that a kernel rounds and stores.
  static constexpr bool stored_by_rows = K == 1 && (N == 1 || (N == 2 && std::is_same_v<T, float>));

 public:
  static constexpr Blocking largest = blocking<K, Packed>;

  Product(std::int64_t m, std::int64_t n, std::int64_t k, MatrixView<const T> a,
          MatrixView<const T> b, MatrixView<T> c)
      : m_(m),
        n_(n),
        k_(k),
        a_(a),
        b_(b),
        c_(c),
        table_(MCT_SELECT_KERNELS(gemm_table<Packed, K, limbs_a, limbs_b>())),
        tile_(m == 1 ? table_.single : table_.many),
        pack_a_(MCT_SELECT_KERNELS(pack_kernel<T, Packed, limbs_a, A>())),
        pack_b_(MCT_SELECT_KERNELS(pack_kernel<T, PackedRight, limbs_b, B>())) {
    if constexpr (stored_by_rows) store_ = MCT_SELECT_KERNELS(store_kernel<S, T, N>());
  }

  /// Computes the block of rows and columns that starts at (i, j) and has at most the given size.
  void block(std::int64_t i, std::int64_t j, std::int64_t rows, std::int64_t columns,
             const BatchOffsets& offsets, Workspace& w) const {
    rows = std::min(rows, m_ - i);
    columns = std::min(columns, n_ - j);
    const auto a = a_.at(offsets.a + i * a_.row_stride);
    const auto b = b_.at(offsets.b + j * b_.column_stride);
    const std::int64_t padded_rows = round_up(rows, tile_.rows);
    const Panels panels = panels_of(columns);
    const std::int64_t padded_columns = panels.wide + panels.edge;
    const std::int64_t depth =
        panel_depth(k_, largest.depth, std::max(depth_step, step_rows * left_steps));
    const std::int64_t depth_steps = (depth + step_rows - 1) / step_rows;
    auto* packed_a = grow<Packed>(w.a, padded_rows * round_up(depth_steps, left_steps) * limbs_a);
    auto* packed_b = grow<PackedRight>(w.b, padded_columns * depth_steps * limbs_b);
    S* levels = grow<S>(w.c, padded_rows * padded_columns * K);
    std::fill_n(levels, padded_rows * padded_columns * K, S(0));
    for (std::int64_t from = 0; from < k_; from += depth) {
      const std::int64_t deep = std::min(depth, k_ - from);
      const std::int64_t steps = (deep + step_rows - 1) / step_rows;
      const auto right = b.at(from * b.row_stride);
      pack_b_(right, deep, std::min(columns, panels.wide), tile_.columns, packed_b);
      if (panels.edge > 0)
        pack_b_(right.at(panels.wide * b.column_stride), deep, columns - panels.wide, panels.edge,
                packed_b + panels.wide * steps * limbs_b);
      pack_a_(a.at(from * a.column_stride).transposed(), deep, rows, tile_.rows, packed_a);
      S* sums = levels;
      for (std::int64_t jt = 0; jt < padded_columns;) {
        const auto& tile = jt < panels.wide ? tile_ : table_.edge;
        for (std::int64_t it = 0; it < padded_rows; it += tile.rows) {
          tile.multiply(std::size_t(steps), packed_a + it * round_up(steps, left_steps) * limbs_a,
                        packed_b + jt * steps * limbs_b, sums);
          sums += std::int64_t(tile.rows) * tile.columns * K;
        }
        jt += tile.columns;
      }
    }
    table_.normalize(std::size_t(padded_rows * padded_columns / tile_.lanes), levels);
    store(levels, rows, columns, panels, a, b,
          c_.at(offsets.c + i * c_.row_stride + j * c_.column_stride));
  }

  std::int64_t row_step() const { return tile_.rows; }
  std::int64_t column_step() const { return tile_.columns; }

 private:
  /// The columns of a block: in panels of tile_, and in one panel of the edge.
  struct Panels {
    std::int64_t wide;
    std::int64_t edge;
  };
  Panels panels_of(std::int64_t columns) const {
    const std::int64_t rest = columns % tile_.columns;
    const bool has_edge = &tile_ == &table_.many && rest > 0 && rest <= table_.edge.columns;
    return has_edge ? Panels{columns - rest, table_.edge.columns}
                    : Panels{round_up(columns, tile_.columns), 0};
  }

  /// Rounds the sums of a block to T and writes them to the result.
  void store(const S* levels, std::int64_t rows, std::int64_t columns, const Panels& panels,
             MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> c) const {
    const std::int64_t lanes = tile_.lanes;
    for (std::int64_t jt = 0; jt < columns;) {
      const std::int64_t width = jt < panels.wide ? tile_.columns : panels.edge;
      for (std::int64_t it = 0; it < round_up(rows, tile_.rows); it += tile_.rows) {
        for (std::int64_t i = it; i < it + tile_.rows; ++i) {
          if (i < rows && store_row(levels, std::min(width, columns - jt),
                                    c.at(i * c.row_stride + jt * c.column_stride))) {
            levels += width * K;
            continue;
          }
          for (std::int64_t j = jt; j < jt + width; j += lanes, levels += lanes * K) {
            if (i >= rows || j >= columns) continue;
            const std::int64_t count = std::min(lanes, columns - j);
            for (std::int64_t lane = 0; lane < count; ++lane)
              store_element(levels + lane, a.at(i * a.row_stride),
                            b.at((j + lane) * b.column_stride),
                            c.data + i * c.row_stride + (j + lane) * c.column_stride);
          }
        }
      }
      jt += width;
    }
  }

  /// Stores a whole row of a tile at once, if its sums are finite and lie in the order of the
  /// result.
  bool store_row(const S* levels, std::int64_t count, MatrixView<T> c) const {
    if constexpr (stored_by_rows) {
      return c.column_stride == 1 && store_(std::size_t(count), levels, c.data, c.plane);
    } else {
      return false;
    }
  }

  void store_element(const S* levels, MatrixView<const T> a, MatrixView<const T> b, T* out) const {
    Expansion<S, K> sum;
    for (int l = 0; l < K; ++l) sum.limb[l] = levels[l * tile_.lanes];
    const auto result =
        std::isfinite(sum.limb[0]) ? Expansion<T, N>(sum) : guarded_product<T, N>(k_, a, A, b, B);
    for (int l = 0; l < N; ++l) out[l * c_.plane] = result.limb[l];
  }

  std::int64_t m_;
  std::int64_t n_;
  std::int64_t k_;
  MatrixView<const T> a_;
  MatrixView<const T> b_;
  MatrixView<T> c_;
  const GemmTableOf<Packed>& table_;
  const TileKernel<S, Packed, PackedRight>& tile_;
  PackKernel<T, Packed> pack_a_;
  PackKernel<T, PackedRight> pack_b_;
  StoreKernel<S, T> store_ = nullptr;  // where stored_by_rows
};

/// The work that is cut into blocks: a batch of products of m rows and n columns.
struct Work {
  std::int64_t m;
  std::int64_t n;
  std::int64_t batch;
  double cost;
  Blocking largest;
  std::int64_t row_step;
  std::int64_t column_step;
};

/// Computes a block of a product of the batch, from a row and a column on.
using BlockFunction = std::function<void(std::int64_t row, std::int64_t column, std::int64_t rows,
                                         std::int64_t columns, std::int64_t index, Workspace&)>;

/// Computes all blocks on as many threads as pay.
void run_products(const Work& work, const BlockFunction& block) {
  const int threads = tensor_detail::threads_for(work.cost);
  // blocks that are small enough for every thread to get some
  std::int64_t rows = work.largest.rows;
  std::int64_t columns = work.largest.columns;
  const auto blocks = [&] {
    return ((work.m + rows - 1) / rows) * ((work.n + columns - 1) / columns) * work.batch;
  };
  while (threads > 1 && blocks() < tensor_detail::pieces_per_thread * threads) {
    if (rows > 8 * work.row_step && work.m > rows / 2) {
      rows /= 2;
    } else if (columns > 4 * work.column_step && work.n > columns / 2) {
      columns /= 2;
    } else {
      break;
    }
  }
  const std::int64_t row_blocks = (work.m + rows - 1) / rows;
  const std::int64_t column_blocks = (work.n + columns - 1) / columns;
  const auto range = [&](std::int64_t begin, std::int64_t end) {
    Workspace workspace;
    for (std::int64_t index = begin; index < end; ++index) {
      const std::int64_t i = index % row_blocks;
      const std::int64_t j = index / row_blocks % column_blocks;
      block(i * rows, j * columns, rows, columns, index / (row_blocks * column_blocks), workspace);
    }
  };
  tensor_detail::parallel_ranges(blocks(), threads, range);
}

/// c = a b as blocks of a product of the given kind.
template <class P, int K>
void run_blocks_of(const P& product, std::int64_t m, std::int64_t n, std::int64_t k,
                   const std::vector<BatchOffsets>& batch) {
  const double cost = double(m) * double(n) * double(k) * double(batch.size()) * K * K * 4;
  run_products({m, n, std::int64_t(batch.size()), cost, P::largest, product.row_step(),
                product.column_step()},
               [&](std::int64_t i, std::int64_t j, std::int64_t rows, std::int64_t columns,
                   std::int64_t index, Workspace& workspace) {
                 product.block(i, j, rows, columns, batch[std::size_t(index)], workspace);
               });
}

}  // namespace

template <class T, int N, int A, int B>
void gemm(std::int64_t m, std::int64_t n, std::int64_t k, MatrixView<const T> a,
          MatrixView<const T> b, MatrixView<T> c, const std::vector<BatchOffsets>& batch) {
  if (m == 0 || n == 0 || batch.empty()) return;
  // one column, or a right factor with more limbs than the left one: c' = b' a', because the
  // kernels compute single rows and need a left factor with at least as many limbs
  if (m > 1 && (n == 1 || A < B)) {
    std::vector<BatchOffsets> swapped = batch;
    for (auto& offsets : swapped) std::swap(offsets.a, offsets.b);
    gemm<T, N, B, A>(n, m, k, b.transposed(), a.transposed(), c.transposed(), swapped);
  } else {
    constexpr int K = WorkFormat<T, N>::levels;
    const auto run = [&](const auto& product) {
      run_blocks_of<std::decay_t<decltype(product)>, K>(product, m, n, k, batch);
    };
    if constexpr (std::is_same_v<T, bfloat16> && N == 1) {
      switch (bfloat16_unit()) {
        case Bfloat16Unit::none:
          break;
        case Bfloat16Unit::vector:
          return run(Product<T, N, A, B, Bfloat16Pair>(m, n, k, a, b, c));
        case Bfloat16Unit::matrix:
          return run(Product<T, N, A, B, Bfloat16Line>(m, n, k, a, b, c));
      }
    }
    run(Product<T, N, A, B>(m, n, k, a, b, c));
  }
}

#define MCT_INSTANTIATE(T, N, A, B)                                                             \
  template void gemm<T, N, A, B>(std::int64_t, std::int64_t, std::int64_t, MatrixView<const T>, \
                                 MatrixView<const T>, MatrixView<T>,                            \
                                 const std::vector<BatchOffsets>&);
#define MCT_INSTANTIATE_LONG(T, N) \
  MCT_INSTANTIATE(T, N, N, N)      \
  MCT_INSTANTIATE(T, N, N, 1)      \
  MCT_INSTANTIATE(T, N, 1, N)
#define MCT_INSTANTIATE_PLAIN(T) MCT_INSTANTIATE(T, 1, 1, 1)
MCT_FOR_EACH_COMPONENT(MCT_INSTANTIATE_PLAIN)
MCT_FOR_EACH_LONG_TENSOR(MCT_INSTANTIATE_LONG)
// plain products accumulated in several components
MCT_INSTANTIATE(double, 2, 1, 1)
MCT_INSTANTIATE(double, 3, 1, 1)
MCT_INSTANTIATE(float, 2, 1, 1)
MCT_INSTANTIATE(float, 3, 1, 1)

}  // namespace mct::linalg_detail
