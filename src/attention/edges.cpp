// Sums over the edges of a query and over the edges of a key. One task computes each sum, in the
// order of the edges, so the bits do not depend on the threads.
#include "src/attention/edges.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "src/attention/by_keys.hpp"

namespace mct {

void attention::require_neighbourhood(const Neighbourhood& seen, std::int64_t queries,
                                      std::int64_t keys) {
  if (seen.starts.shape() != Shape{queries + 1})
    throw ShapeError("attention: starts of shape " + to_string(seen.starts.shape()) +
                     ", expected " + to_string(Shape{queries + 1}));
  if (seen.columns.dim() != 1)
    throw ShapeError("attention: columns of shape " + to_string(seen.columns.shape()) +
                     ", expected one dimension");
  const auto refuse = [](const char* what, std::int64_t at, std::int64_t value,
                         const std::string& why) {
    throw DomainError(std::string("attention: ") + what + "[" + std::to_string(at) + "] is " +
                      std::to_string(value) + why);
  };
  const std::int64_t* const starts = seen.starts.data();
  const std::int64_t edges = seen.columns.numel();
  if (starts[0] != 0) refuse("starts", 0, starts[0], ", not 0");
  for (std::int64_t i = 1; i <= queries; ++i)
    if (starts[i] < starts[i - 1])
      refuse("starts", i, starts[i], ", below the one before, " + std::to_string(starts[i - 1]));
  if (starts[queries] != edges)
    refuse("starts", queries, starts[queries],
           ", but there are " + std::to_string(edges) + " columns");
  for (std::int64_t e = 0; e < edges; ++e)
    if (const std::int64_t key = seen.columns.data()[e]; key < 0 || key >= keys)
      refuse("columns", e, key, ", but there are " + std::to_string(keys) + " keys");
}

namespace attention_detail {
namespace {

using attention::Neighbourhood;

template <class E>
class Edges {
 public:
  static constexpr std::int64_t most = tile_keys<E>;

  Edges(attention::Score score, const OperandsOf<E>& of, const MaskOf<E>& mask)
      : kernels_(score), sizes_(kernels_.sizes_of(of)), mask_(mask) {
    if (mask.causal || mask.hidden.numel() > 0 || mask.bias.numel() > 0)
      throw DomainError(
          "attention: a neighbourhood cannot be combined with a causal mask, hidden pairs or a "
          "bias");
    require_dropout(mask.dropout);
    // copies, so that the checked numbers are the ones that are read, even if other code writes to
    // the memory meanwhile
    seen_ = {mask.seen.starts.clone(), mask.seen.columns.clone()};
    attention::require_neighbourhood(seen_, sizes_.queries, sizes_.keys);
    x_ = Buffer<E>::of(as_groups(of.x));
    y_ = Buffer<E>::of(as_groups(of.y));
    v_ = Buffer<E>::of(as_groups(of.v));
    if (kernels_.query_numbers > 0) a_ = Buffer<E>::of(as_groups(of.a));
    if (kernels_.key_numbers > 0) b_ = Buffer<E>::of(as_groups(of.b));
  }

  AttendedOf<E> attend(const Shape& queries) const {
    Shape shape = queries;
    shape.back() = sizes_.values;
    AttendedOf<E> result = {TensorOf<E>(shape), TensorOf<E>::uninitialized(leading_shape(queries))};
    const auto values = Buffer<E>::of(result.values), log_sum = Buffer<E>::of(result.log_sum);
    for_rows(sizes_.queries, 1, [&](std::int64_t group, std::int64_t i, Work& work) {
      attend_row(group, i, work, values.data() + (group * sizes_.queries + i) * sizes_.values,
                 log_sum.data()[group * sizes_.queries + i]);
    });
    values.store(result.values);
    log_sum.store(result.log_sum);
    return result;
  }

  GradientsOf<E> backward(const OperandsOf<E>& to, const AttendedOf<E>& result,
                          const TensorOf<E>& gradient) const {
    const auto like = [](const TensorOf<E>& x) { return TensorOf<E>(x.shape()); };
    const OperandsOf<E> tensors = {like(to.x), like(to.a), like(to.y), like(to.b), like(to.v)};
    const std::int64_t edges = sizes_.groups * seen_.columns.numel();
    const Gradients out = {
        Buffer<E>::of(gradient),       Buffer<E>::of(result.values),
        Buffer<E>::of(result.log_sum), Buffer<E>::zeros(edges),
        Buffer<E>::zeros(edges),       Buffer<E>::zeros(edges * kernels_.key_numbers),
        Buffer<E>::of(tensors.x),      Buffer<E>::of(tensors.a),
        Buffer<E>::of(tensors.y),      Buffer<E>::of(tensors.b),
        Buffer<E>::of(tensors.v)};
    for_rows(sizes_.queries, 2, [&](std::int64_t group, std::int64_t i, Work& work) {
      derive_query(group, i, work, out);
    });
    const ByKeys by_keys(seen_, sizes_.keys);
    for_rows(sizes_.keys, 1, [&](std::int64_t group, std::int64_t j, Work& work) {
      derive_key(group, j, by_keys, work, out);
    });
    out.x.store(tensors.x);
    if (kernels_.query_numbers > 0) out.a.store(tensors.a);
    out.y.store(tensors.y);
    if (kernels_.key_numbers > 0) out.b.store(tensors.b);
    out.v.store(tensors.v);
    return {tensors, {}};
  }

 private:
  /// Memory of one thread, for so many edges at once.
  struct Work {
    Buffer<E> columns, rows, numbers, t{most}, scores{most}, slopes{most}, dropped{most}, unused;
    Buffer<E> sums, by_numbers;
    std::vector<E> top = std::vector<E>(tile_queries), fade = top, sum = top;

    explicit Work(const Edges& of)
        : columns(most * std::max(of.sizes_.depth, of.sizes_.values)),
          rows(most * of.widest()),
          numbers(most * of.kernels_.key_numbers),
          unused(most * of.sizes_.depth),
          sums(of.widest()),
          by_numbers(most * of.kernels_.key_numbers) {
      unused.fill(E(0));
    }
  };
  struct Gradients {
    Buffer<E> given, values, log_sum;
    Buffer<E> weights, slopes, by_numbers;  // of every edge
    Buffer<E> x, a, y, b, v;
  };
  /// Some edges of a query.
  struct Part {
    std::int64_t group, query, first;  // of the query's edges
    const std::int64_t* keys;
    std::int64_t count;

    std::int64_t columns() const { return padded<E>(count); }
  };

  std::int64_t widest() const {
    return padded<E>(std::max({sizes_.depth, sizes_.values, std::int64_t(1)}));
  }
  /// f(group, row, work) of all rows of all groups.
  template <class F>
  void for_rows(std::int64_t rows, int passes, const F& f) const {
    const double cost = double(seen_.columns.numel()) * double(sizes_.groups) *
                        double(sizes_.depth + sizes_.values);
    tensor_detail::parallel_ranges(sizes_.groups * rows, tensor_detail::threads_for(passes * cost),
                                   [&](std::int64_t begin, std::int64_t end) {
                                     Work work(*this);
                                     for (std::int64_t at = begin; at < end; ++at)
                                       f(at / rows, at % rows, work);
                                   });
  }
  /// f(part) of the edges of a query.
  template <class F>
  void for_parts(std::int64_t group, std::int64_t i, const F& f) const {
    const std::int64_t begin = seen_.starts.data()[i];
    const std::int64_t end = seen_.starts.data()[i + 1];
    for (std::int64_t e = begin; e < end; e += most)
      f(Part{group, i, e - begin, seen_.columns.data() + e, std::min(most, end - e)}, e);
  }

  /// Rows `at` of (n, c) as columns of a tile; columns after the last one repeat it.
  static Tile<const E> gather_columns(const E* from, std::int64_t c, const std::int64_t* at,
                                      std::int64_t count, const Buffer<E>& to) {
    const std::int64_t width = padded<E>(count);
    for (std::int64_t j = 0; j < width; ++j) {
      const E* const row = from + at[std::min(j, count - 1)] * c;
      for (std::int64_t k = 0; k < c; ++k) to.data()[k * width + j] = row[k];
    }
    return {to.data(), c, width, width};
  }
  /// sum += weights times the rows `at` of (n, c): a row of a padded width.
  void add_rows(Tile<const E> weights, const E* from, std::int64_t c, const std::int64_t* at,
                std::int64_t count, const Buffer<E>& rows, E* sum) const {
    const std::int64_t width = padded<E>(c);
    for (std::int64_t j = 0; j < count; ++j) {
      E* const row = rows.data() + j * width;
      std::fill(std::copy_n(from + at[j] * c, c, row), row + width, E(0));
    }
    kernels_.tiles.add_product({weights.data, weights.stride, 1}, count,
                               {rows.data(), count, width, width}, {sum, 1, width, width});
  }

  Tile<E> tile(const Buffer<E>& of, const Part& part) const {
    return {of.data(), 1, part.columns(), part.columns()};
  }
  PairNumbers<E> numbers(const Part& part, const Work& work) const {
    const std::int64_t count = kernels_.query_numbers;
    return {count > 0 ? a_.data() + (part.group * sizes_.queries + part.query) * count : nullptr, 1,
            work.numbers.data(), part.columns()};
  }
  const E* query(const Part& part) const {
    return x_.data() + (part.group * sizes_.queries + part.query) * sizes_.depth;
  }
  const E* of_keys(const Buffer<E>& rows, const Part& part, std::int64_t c) const {
    return rows.data() + part.group * sizes_.keys * c;
  }

  /// Scores of a part, and t.
  void find_scores(const Part& part, Work& work) const {
    const auto y = gather_columns(of_keys(y_, part, sizes_.depth), sizes_.depth, part.keys,
                                  part.count, work.columns);
    if (kernels_.key_numbers > 0)
      gather_columns(of_keys(b_, part, kernels_.key_numbers), kernels_.key_numbers, part.keys,
                     part.count, work.numbers);
    const Pairs<E> pairs = {query(part), y, numbers(part, work)};
    kernels_.find_scores(pairs, tile(work.t, part), tile(work.scores, part));
    std::fill(work.scores.data() + part.count, work.scores.data() + part.columns(),
              -std::numeric_limits<E>::infinity());
    if constexpr (std::is_same_v<E, Moving>)
      kernels_.require_smooth(
          pairs, tile(work.t, part), tile(work.scores, part), part.query,
          [&](std::int64_t j) { return part.keys[std::min(j, part.count - 1)]; });
  }
  void drop(const Part& part, E* weights) const {
    if (mask_.dropout > 0)
      drop_weights<E>(mask_, part.group, part.query, part.first, part.columns(), weights);
  }

  void attend_row(std::int64_t group, std::int64_t i, Work& work, E* values, E& log_sum) const {
    using std::log;
    const E nothing = -std::numeric_limits<E>::infinity();
    const std::int64_t width = padded<E>(sizes_.values);
    work.sums.fill(E(0));
    work.top[0] = nothing;
    work.sum[0] = E(0);
    for_parts(group, i, [&](const Part& part, std::int64_t) {
      find_scores(part, work);
      const Tile<E> weights = tile(work.scores, part);
      kernels_.tiles.soften(weights, work.top.data(), work.fade.data(), work.sum.data());
      drop(part, weights.data);
      kernels_.tiles.scale({work.sums.data(), 1, width, width}, work.fade.data());
      add_rows({weights.data, 1, weights.columns, weights.stride}, of_keys(v_, part, sizes_.values),
               sizes_.values, part.keys, part.count, work.rows, work.sums.data());
    });
    const E& sum = work.sum[0];
    log_sum = sum == E(0) ? nothing : work.top[0] + log(sum);
    for (std::int64_t c = 0; c < sizes_.values; ++c)
      values[c] = sum == E(0) ? E(0) : work.sums.data()[c] / sum;
  }

  /// From the slopes by t of some edges to the gradient of the vector that they share; `others` are
  /// the rows (n, depth) of the other side.
  void add_vectors(const E* own, const E* others, const std::int64_t* at, std::int64_t count,
                   Tile<const E> slopes, Work& work) const {
    if (!kernels_.from_distance) {
      add_rows(slopes, others, sizes_.depth, at, count, work.rows, work.sums.data());
      return;
    }
    const auto columns = gather_columns(others, sizes_.depth, at, count, work.columns);
    kernels_.tiles.add_differences(
        slopes, {own, sizes_.depth, 1}, sizes_.depth, columns, {work.sums.data(), sizes_.depth, 1},
        {work.unused.data(), sizes_.depth, columns.columns, columns.stride});
  }

  void derive_query(std::int64_t group, std::int64_t i, Work& work, const Gradients& out) const {
    const std::int64_t row = group * sizes_.queries + i;
    const E* const given = out.given.data() + row * sizes_.values;
    const E mean = row_product<E>(given, out.values.data() + row * sizes_.values, sizes_.values);
    work.sums.fill(E(0));
    for_parts(group, i, [&](const Part& part, std::int64_t first) {
      find_scores(part, work);
      const Tile<E> weights = tile(work.scores, part), slopes = tile(work.slopes, part);
      const auto read = [](const Tile<E>& of) {
        return Tile<const E>{of.data, 1, of.columns, of.stride};
      };
      kernels_.tiles.weigh(weights, out.log_sum.data() + row);
      const auto v = gather_columns(of_keys(v_, part, sizes_.values), sizes_.values, part.keys,
                                    part.count, work.columns);
      work.slopes.fill(E(0));
      kernels_.tiles.add_product({given, sizes_.values, 1}, sizes_.values, v, slopes);
      std::copy_n(weights.data, weights.columns, work.dropped.data());
      drop(part, work.dropped.data());
      drop(part, slopes.data);
      kernels_.tiles.through_softmax(read(weights), &mean, slopes);
      const std::int64_t edge = group * seen_.columns.numel() + first;
      if (kernels_.from_distance) {
        const std::int64_t count = kernels_.key_numbers;
        work.by_numbers.fill(E(0));
        kernels_.scores.backward(
            read(tile(work.t, part)), numbers(part, work), slopes,
            {kernels_.query_numbers > 0 ? out.a.data() + row * kernels_.query_numbers : nullptr, 1,
             work.by_numbers.data(), part.columns()});
        for (std::int64_t j = 0; j < part.count; ++j)
          for (std::int64_t c = 0; c < count; ++c)
            out.by_numbers.data()[(edge + j) * count + c] =
                work.by_numbers.data()[c * part.columns() + j];
      }
      std::copy_n(work.dropped.data(), part.count, out.weights.data() + edge);
      std::copy_n(slopes.data, part.count, out.slopes.data() + edge);
      add_vectors(query(part), of_keys(y_, part, sizes_.depth), part.keys, part.count, read(slopes),
                  work);
    });
    std::copy_n(work.sums.data(), sizes_.depth, out.x.data() + row * sizes_.depth);
  }

  void derive_key(std::int64_t group, std::int64_t j, const ByKeys& by_keys, Work& work,
                  const Gradients& out) const {
    const std::int64_t row = group * sizes_.keys + j;
    const std::int64_t end = by_keys.starts[std::size_t(j) + 1];
    const std::int64_t numbers = kernels_.key_numbers;
    const auto for_edges = [&](const auto& f) {
      for (std::int64_t e = by_keys.starts[std::size_t(j)]; e < end; e += most) {
        const std::int64_t count = std::min(most, end - e);
        f(by_keys.queries.data() + e, by_keys.edges.data() + e, count);
      }
    };
    const std::int64_t edges = group * seen_.columns.numel();
    const auto gather = [&](const Buffer<E>& from, const std::int64_t* at, std::int64_t count) {
      const std::int64_t width = padded<E>(count);
      for (std::int64_t k = 0; k < width; ++k)
        work.slopes.data()[k] = k < count ? from.data()[edges + at[k]] : E(0);
      return Tile<const E>{work.slopes.data(), 1, width, width};
    };
    work.sums.fill(E(0));
    for_edges([&](const std::int64_t* queries, const std::int64_t* at, std::int64_t count) {
      add_rows(gather(out.weights, at, count),
               out.given.data() + group * sizes_.queries * sizes_.values, sizes_.values, queries,
               count, work.rows, work.sums.data());
    });
    std::copy_n(work.sums.data(), sizes_.values, out.v.data() + row * sizes_.values);
    work.sums.fill(E(0));
    for_edges([&](const std::int64_t* queries, const std::int64_t* at, std::int64_t count) {
      add_vectors(y_.data() + row * sizes_.depth, x_.data() + group * sizes_.queries * sizes_.depth,
                  queries, count, gather(out.slopes, at, count), work);
      for (std::int64_t k = 0; k < count; ++k)
        for (std::int64_t c = 0; c < numbers; ++c) {
          E& sum = out.b.data()[row * numbers + c];
          sum = sum + out.by_numbers.data()[(edges + at[k]) * numbers + c];
        }
    });
    std::copy_n(work.sums.data(), sizes_.depth, out.y.data() + row * sizes_.depth);
  }

  ScoreKernels<E> kernels_;
  Sizes sizes_;
  MaskOf<E> mask_;
  Neighbourhood seen_;
  Buffer<E> x_, a_, y_, b_, v_;
};

}  // namespace

template <class E>
AttendedOf<E> attend_neighbours(attention::Score score, const OperandsOf<E>& of,
                                const MaskOf<E>& mask) {
  return Edges<E>(score, of, mask).attend(of.x.shape());
}
template <class E>
GradientsOf<E> attend_neighbours_backward(attention::Score score, const OperandsOf<E>& of,
                                          const MaskOf<E>& mask, const AttendedOf<E>& result,
                                          const TensorOf<E>& gradient) {
  return Edges<E>(score, of, mask).backward(of, result, gradient);
}

#define MCT_INSTANTIATE(E)                                                                      \
  template AttendedOf<E> attend_neighbours<E>(attention::Score, const OperandsOf<E>&,           \
                                              const MaskOf<E>&);                                \
  template GradientsOf<E> attend_neighbours_backward<E>(attention::Score, const OperandsOf<E>&, \
                                                        const MaskOf<E>&, const AttendedOf<E>&, \
                                                        const TensorOf<E>&);
MCT_INSTANTIATE(float)
MCT_INSTANTIATE(double)
MCT_INSTANTIATE(f64x2)
MCT_INSTANTIATE(Moving)
#undef MCT_INSTANTIATE

}  // namespace attention_detail
}  // namespace mct
