// Attention, backward: a block of keys goes through the blocks of queries one after the other, and
// their weights are computed again.
#include <vector>

#include "src/attention/bias.hpp"
#include "src/attention/edges.hpp"
#include "src/attention/summands.hpp"

namespace mct::attention {

using namespace attention_detail;

namespace {

/// The number of parts that share the blocks of keys. Each part has gradients of all queries, and
/// the parts' gradients are added in order. The number depends on the shapes alone, so the bits do
/// not depend on the threads. `families`: of groups that one task takes.
std::int64_t parts_of(std::size_t families, std::int64_t key_blocks) {
  return std::clamp<std::int64_t>(8 / std::max<std::int64_t>(std::int64_t(families), 1), 1,
                                  key_blocks);
}

/// Zeros in the shapes of the operands.
template <class E>
OperandsOf<E> zeros_like(const OperandsOf<E>& of) {
  using X = TensorOf<E>;
  return {X(of.x.shape()), X(of.a.shape()), X(of.y.shape()), X(of.b.shape()), X(of.v.shape())};
}

/// The memory of gradients.
template <class E>
struct Results {
  Buffer<E> x, a, y, b, v;

  explicit Results(const OperandsOf<E>& to)
      : x(Buffer<E>::of(to.x)),
        a(Buffer<E>::of(to.a)),
        y(Buffer<E>::of(to.y)),
        b(Buffer<E>::of(to.b)),
        v(Buffer<E>::of(to.v)) {}
  void store(const OperandsOf<E>& to) const {
    x.store(to.x);
    a.store(to.a);
    y.store(to.y);
    b.store(to.b);
    v.store(to.v);
  }
};

template <class E>
class Backward {
 public:
  Backward(Packed<E> packed, const OperandsOf<E>& of, const MaskOf<E>& mask,
           const AttendedOf<E>& result, const TensorOf<E>& gradient, bool of_bias)
      : packed_(std::move(packed)),
        sizes_(packed_.sizes()),
        bias_(of_bias ? mask.bias : TensorOf<E>(), mask.by_offset, packed_.lead(), sizes_),
        parts_(parts_of(bias_.families().size(), packed_.key_blocks())),
        depth_(padded<E>(sizes_.depth)),
        values_(padded<E>(sizes_.values)),
        x_(padded_rows<E>(as_groups(of.x))),
        y_(padded_rows<E>(as_groups(of.y))),
        v_(column_blocks<E>(as_groups(of.v))),
        gradient_(padded_rows<E>(as_groups(gradient))),
        log_sum_(Buffer<E>::of(result.log_sum)),
        // of every query the mean over its weights of the weights' gradients: gradient . values
        mean_(row_products<E>(gradient_, values_, Buffer<E>::of(result.values), sizes_.values,
                              sizes_.values, sizes_.groups * sizes_.queries)),
        x_parts_(Buffer<E>::zeros(sizes_.groups * parts_ * sizes_.queries * depth_)),
        x_weights_(Buffer<E>::zeros(sizes_.groups * parts_ * sizes_.queries)),
        a_parts_(
            Buffer<E>::zeros(sizes_.groups * parts_ * packed_.query_numbers() * sizes_.queries)),
        gradients_(zeros_like<E>(of)),
        out_(gradients_) {}

  GradientsOf<E> run() {
    bias_.start(parts_);
    const auto& families = bias_.families();
    tensor_detail::parallel_ranges(
        std::int64_t(families.size()) * parts_, tensor_detail::threads_for(2.5 * cost_of(sizes_)),
        [&](std::int64_t begin, std::int64_t end) {
          Workspace work(*this);
          for (std::int64_t at = begin; at < end; ++at)
            for (const std::int64_t group : families[std::size_t(at / parts_)])
              run_part(group * parts_ + at % parts_, work);
        });
    add_parts();
    out_.store(gradients_);
    return {gradients_, bias_.take()};
  }

 private:
  /// Memory of one thread: tiles, and gradients of a block of keys.
  struct Workspace {
    static constexpr std::int64_t pairs = tile_queries * tile_keys<E>;
    Buffer<E> t{pairs}, weights{pairs}, slopes{pairs}, dropped{pairs};
    Buffer<E> y, v, b, weight_sums, y_columns;
    std::vector<E> minus_two = std::vector<E>(tile_queries, E(-2));

    explicit Workspace(const Backward& of)
        : y(tile_keys<E> * of.depth_),
          v(tile_keys<E> * of.values_),
          b(tile_keys<E> * of.packed_.key_numbers()),
          weight_sums(tile_keys<E>),
          y_columns(tile_keys<E> * of.sizes_.depth) {}

    void clear() {
      for (Buffer<E>* each : {&y, &v, &b, &weight_sums, &y_columns}) each->fill(E(0));
    }
  };

  /// The blocks of keys of a part. A task is a group and a part.
  void run_part(std::int64_t task, Workspace& work) {
    for (std::int64_t block = task % parts_; block < packed_.key_blocks(); block += parts_)
      run_keys(task, block, work);
  }

  void run_keys(std::int64_t task, std::int64_t block, Workspace& work) {
    const std::int64_t group = task / parts_;
    work.clear();
    for (std::int64_t queries = 0; queries < packed_.query_blocks(); ++queries) {
      const std::int64_t first = queries * tile_queries;
      const std::int64_t rows = packed_.queries_in(queries);
      if (!packed_.sees_nothing(first, rows, block)) run_tile(task, block, first, rows, work);
    }
    store_keys(group, block, work);
  }

  void run_tile(std::int64_t task, std::int64_t block, std::int64_t first, std::int64_t rows,
                Workspace& work) {
    constexpr std::int64_t width = tile_keys<E>;
    const std::int64_t group = task / parts_;
    const std::int64_t keys = packed_.keys_in(block);
    const auto& tiles = packed_.tiles();
    const auto tile = [&](const Buffer<E>& of) { return Tile<E>{of.data(), rows, width, width}; };
    const auto read = [&](const Buffer<E>& of) {
      return Tile<const E>{of.data(), rows, width, width};
    };
    const std::int64_t query = group * sizes_.queries + first;
    const E* gradient = gradient_.data() + query * values_;
    const bool enough =
        packed_.find_scores(group, first, rows, block, work.t.data(), work.weights.data());
    tiles.weigh(tile(work.weights), log_sum_.data() + query);
    work.slopes.fill(E(0));
    tiles.add_product({gradient, values_, 1}, sizes_.values,
                      {v_.data() + (group * packed_.key_blocks() + block) * sizes_.values * width,
                       sizes_.values, width, width},
                      tile(work.slopes));
    const Buffer<E>* weights = &work.weights;
    if (packed_.has_dropout()) {
      std::copy_n(work.weights.data(), rows * width, work.dropped.data());
      packed_.drop(group, first, rows, block, work.dropped.data());
      packed_.drop(group, first, rows, block, work.slopes.data());
      weights = &work.dropped;
    }
    tiles.add_product({weights->data(), 1, width}, rows, {gradient, rows, values_, values_},
                      {work.v.data(), keys, values_, values_});
    tiles.through_softmax(read(work.weights), mean_.data() + query, tile(work.slopes));
    bias_.add(group, task % parts_, first, block * width, keys, read(work.slopes));
    if (packed_.from_distance())
      packed_.scores().backward(
          read(work.t), packed_.numbers(group, first, block), tile(work.slopes),
          {packed_.of_queries(a_parts_.data(), task, first), sizes_.queries, work.b.data(), width});
    move_vectors(task, block, first, rows, enough, work);
  }

  /// From the gradient of t to those of x and y.
  void move_vectors(std::int64_t task, std::int64_t block, std::int64_t first, std::int64_t rows,
                    bool enough, Workspace& work) {
    constexpr std::int64_t width = tile_keys<E>;
    const std::int64_t group = task / parts_;
    const std::int64_t keys = packed_.keys_in(block);
    const auto& tiles = packed_.tiles();
    const Tile<E> slopes = {work.slopes.data(), rows, width, width};
    const std::int64_t query = task * sizes_.queries + first;
    const Tile<E> to_x = {x_parts_.data() + query * depth_, rows, depth_, depth_};
    if (packed_.from_distance() && !enough) {
      tiles.add_differences({slopes.data, rows, width, width},
                            {packed_.query(group, first), sizes_.depth, 1}, sizes_.depth,
                            packed_.key_columns(group, block), {to_x.data, depth_, 1},
                            {work.y_columns.data(), sizes_.depth, width, width});
      return;
    }
    if (packed_.from_distance()) {
      tiles.add_sums({slopes.data, rows, width, width}, x_weights_.data() + query,
                     work.weight_sums.data());
      tiles.scale(slopes, work.minus_two.data());
    }
    const E* y = y_.data() + (group * sizes_.keys + block * width) * depth_;
    const E* x = x_.data() + (group * sizes_.queries + first) * depth_;
    tiles.add_product({slopes.data, width, 1}, keys, {y, keys, depth_, depth_}, to_x);
    tiles.add_product({slopes.data, 1, width}, rows, {x, rows, depth_, depth_},
                      {work.y.data(), keys, depth_, depth_});
  }

  void store_keys(std::int64_t group, std::int64_t block, const Workspace& work) {
    constexpr std::int64_t width = tile_keys<E>;
    const std::int64_t first = group * sizes_.keys + block * width;
    for (std::int64_t j = 0; j < packed_.keys_in(block); ++j) {
      const E* y = y_.data() + (first + j) * depth_;
      const E twice = E(2) * work.weight_sums.data()[j];
      for (std::int64_t c = 0; c < sizes_.depth; ++c)
        out_.y.data()[(first + j) * sizes_.depth + c] =
            work.y.data()[j * depth_ + c] + twice * y[c] + work.y_columns.data()[c * width + j];
      std::copy_n(work.v.data() + j * values_, sizes_.values,
                  out_.v.data() + (first + j) * sizes_.values);
      const std::int64_t numbers = packed_.key_numbers();
      for (std::int64_t c = 0; c < numbers; ++c)
        out_.b.data()[(first + j) * numbers + c] = work.b.data()[c * width + j];
    }
  }

  static void add_to(E& sum, const E& x) { sum = sum + x; }

  void add_parts() {
    const std::int64_t numbers = packed_.query_numbers();
    tensor_detail::parallel_ranges(
        sizes_.groups * sizes_.queries,
        tensor_detail::threads_for(double(sizes_.groups * parts_ * sizes_.queries * depth_)),
        [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t group = i / sizes_.queries;
            const std::int64_t query = i % sizes_.queries;
            for (std::int64_t part = group * parts_; part < (group + 1) * parts_; ++part) {
              const std::int64_t at = part * sizes_.queries + query;
              const E twice = E(2) * x_weights_.data()[at];
              for (std::int64_t c = 0; c < sizes_.depth; ++c)
                add_to(out_.x.data()[i * sizes_.depth + c],
                       x_parts_.data()[at * depth_ + c] + twice * x_.data()[i * depth_ + c]);
              for (std::int64_t c = 0; c < numbers; ++c)
                add_to(out_.a.data()[i * numbers + c],
                       a_parts_.data()[(part * numbers + c) * sizes_.queries + query]);
            }
          }
        });
  }

  Packed<E> packed_;
  const Sizes& sizes_;
  BiasGradient<E> bias_;
  std::int64_t parts_, depth_, values_;
  Buffer<E> x_, y_, v_, gradient_, log_sum_, mean_;
  Buffer<E> x_parts_, x_weights_, a_parts_;
  OperandsOf<E> gradients_;
  Results<E> out_;
};

/// Throws ShapeError unless the result and its gradient belong to the operands.
template <class E>
void require_result(const OperandsOf<E>& of, const AttendedOf<E>& result,
                    const TensorOf<E>& gradient) {
  if (gradient.shape() != result.values.shape())
    throw ShapeError("attention: a gradient of shape " + to_string(gradient.shape()) +
                     " for values of shape " + to_string(result.values.shape()) +
                     "; the shapes must be equal");
  const std::int64_t rows = numel(leading_shape(of.x.shape()));
  if (result.log_sum.numel() != rows || result.values.numel() != rows * of.v.size(-1))
    throw ShapeError("attention: sums of shape " + to_string(result.log_sum.shape()) +
                     " and values of shape " + to_string(result.values.shape()) +
                     " of queries of shape " + to_string(of.x.shape()) + " and values of " +
                     std::to_string(of.v.size(-1)) + " coordinates");
}

/// The gradients of the operands of a score. `packed()`: these operands, with those of the scores
/// that are added.
template <class E, class F>
GradientsOf<E> backward_of_packed(const F& packed, const OperandsOf<E>& of, const MaskOf<E>& mask,
                                  const AttendedOf<E>& result, const TensorOf<E>& gradient,
                                  bool of_bias) {
  const std::int64_t rows = numel(leading_shape(of.x.shape()));
  if (rows == 0 || numel(leading_shape(of.y.shape())) == 0)
    return {zeros_like<E>(of), of_bias ? TensorOf<E>(mask.bias.shape()) : TensorOf<E>()};
  return Backward<E>(packed(), of, mask, result, gradient, of_bias).run();
}

template <class E>
GradientsOf<E> backward_of_elements(Score score, const OperandsOf<E>& of, const MaskOf<E>& mask,
                                    const AttendedOf<E>& result, const TensorOf<E>& gradient,
                                    bool of_bias) {
  require_result<E>(of, result, gradient);
  if (!mask.seen.is_everything())
    return attend_neighbours_backward<E>(score, of, mask, result, gradient);
  return backward_of_packed<E>([&] { return Packed<E>(score, of, mask); }, of, mask, result,
                               gradient, of_bias);
}

/// A pass for each summand. It computes the weights of the sum, and the gradients of the summand's
/// own operands: a sum has the same gradient by each of its terms.
template <class E>
std::vector<GradientsOf<E>> backward_of_sum(const std::vector<SummandOf<E>>& summands,
                                            const TensorOf<E>& v, const MaskOf<E>& mask,
                                            const AttendedOf<E>& result,
                                            const TensorOf<E>& gradient, bool of_bias) {
  require_summands(summands.size(), !mask.seen.is_everything());
  std::vector<GradientsOf<E>> found;
  for (std::size_t own = 0; own < summands.size(); ++own) {
    const OperandsOf<E> of = operands_of<E>(summands[own], v);
    require_result<E>(of, result, gradient);
    found.push_back(backward_of_packed<E>([&] { return packed_sum<E>(summands, own, v, mask); }, of,
                                          mask, result, gradient, of_bias && own == 0));
  }
  return found;
}

}  // namespace

template <class T, int N>
Gradients<T, N> attend_backward(Score score, const Operands<T, N>& of, const Mask<T, N>& mask,
                                const Attended<T, N>& result, const Tensor<T, N>& gradient,
                                bool of_bias) {
  return backward_of_elements<Element<T, N>>(score, of, mask, result, gradient, of_bias);
}
Gradients<double, 2> attend_backward_along(Score score, const Operands<double, 2>& of,
                                           const Mask<double, 2>& mask,
                                           const Attended<double, 2>& result,
                                           const Tensor<double, 2>& gradient, bool of_bias) {
  return backward_of_elements<Moving>(score, of, mask, result, gradient, of_bias);
}

template <class T, int N>
std::vector<Gradients<T, N>> attend_sum_backward(const std::vector<Summand<T, N>>& summands,
                                                 const Tensor<T, N>& v, const Mask<T, N>& mask,
                                                 const Attended<T, N>& result,
                                                 const Tensor<T, N>& gradient, bool of_bias) {
  return backward_of_sum<Element<T, N>>(summands, v, mask, result, gradient, of_bias);
}

#define MCT_INSTANTIATE(T, N)                                                                 \
  template Gradients<T, N> attend_backward(Score, const Operands<T, N>&, const Mask<T, N>&,   \
                                           const Attended<T, N>&, const Tensor<T, N>&, bool); \
  template std::vector<Gradients<T, N>> attend_sum_backward(                                  \
      const std::vector<Summand<T, N>>&, const Tensor<T, N>&, const Mask<T, N>&,              \
      const Attended<T, N>&, const Tensor<T, N>&, bool);
MCT_INSTANTIATE(float, 1)
MCT_INSTANTIATE(double, 1)
MCT_INSTANTIATE(double, 2)
#undef MCT_INSTANTIATE

}  // namespace mct::attention
