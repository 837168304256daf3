// Attention, backward: a block of keys looks at one block of queries after the other, whose weights
// are found once more.
#include <vector>

#include "src/attention/bias.hpp"
#include "src/attention/packed.hpp"

namespace mct::attention {
namespace {

using attention_detail::as_groups;
using attention_detail::BiasGradient;
using attention_detail::column_blocks;
using attention_detail::Packed;
using attention_detail::padded;
using attention_detail::padded_rows;
using attention_detail::Sizes;
using attention_detail::Strided;
using attention_detail::Tile;
using attention_detail::tile_keys;
using attention_detail::tile_queries;

/// Blocks of keys are dealt to so many parts, each with gradients of all queries, which are added
/// in order: by the shapes alone, so that the bits do not depend on the threads. Families: of
/// groups that one task takes.
std::int64_t parts_of(std::size_t families, std::int64_t key_blocks) {
  return std::clamp<std::int64_t>(8 / std::max<std::int64_t>(std::int64_t(families), 1), 1,
                                  key_blocks);
}

/// Zeros in the shapes of the operands.
template <class T>
Operands<T> zeros_like(const Operands<T>& of) {
  return {Tensor<T>(of.x.shape()), Tensor<T>(of.a.shape()), Tensor<T>(of.y.shape()),
          Tensor<T>(of.b.shape()), Tensor<T>(of.v.shape())};
}

template <class T>
class Backward {
 public:
  Backward(Score score, const Operands<T>& of, const Mask<T>& mask, const Attended<T>& result,
           const Tensor<T>& gradient, bool of_bias)
      : packed_(score, of, mask),
        sizes_(packed_.sizes()),
        bias_(of_bias ? mask.bias : Tensor<T>(), mask.by_offset, packed_.lead(), sizes_),
        parts_(parts_of(bias_.families().size(), packed_.key_blocks())),
        depth_(padded<T>(sizes_.depth)),
        values_(padded<T>(sizes_.values)),
        x_(padded_rows(as_groups(of.x))),
        y_(padded_rows(as_groups(of.y))),
        v_(column_blocks(as_groups(of.v))),
        gradient_(padded_rows(as_groups(gradient))),
        log_sum_(result.log_sum.contiguous()),
        mean_(mean_gradients(result.values.contiguous())),
        x_parts_({sizes_.groups * parts_, sizes_.queries, depth_}),
        x_weights_({sizes_.groups * parts_, sizes_.queries}),
        a_parts_({sizes_.groups * parts_, packed_.query_numbers(), sizes_.queries}),
        out_(zeros_like(of)) {}

  Gradients<T> run() {
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
    return {out_, bias_.take()};
  }

 private:
  /// Memory of one thread: tiles, and gradients of a block of keys.
  struct Workspace {
    Tensor<T> t, weights, slopes, dropped;
    Tensor<T> y, v, b, weight_sums, y_columns;
    std::vector<T> minus_two = std::vector<T>(tile_queries, T(-2));

    explicit Workspace(const Backward& of)
        : t({tile_queries, tile_keys<T>}),
          weights(t.shape()),
          slopes(t.shape()),
          dropped(t.shape()),
          y({tile_keys<T>, of.depth_}),
          v({tile_keys<T>, of.values_}),
          b({of.packed_.key_numbers(), tile_keys<T>}),
          weight_sums({tile_keys<T>}),
          y_columns({of.sizes_.depth, tile_keys<T>}) {}

    void clear() {
      for (Tensor<T>* each : {&y, &v, &b, &weight_sums, &y_columns}) each->fill_(T(0));
    }
  };

  /// Of every query the mean over its weights of the weights' gradients: gradient . values.
  Tensor<T> mean_gradients(const Tensor<T>& result) const {
    auto mean = Tensor<T>::uninitialized({sizes_.groups, sizes_.queries});
    attention_detail::row_products(gradient_, values_, result, sizes_.values, sizes_.values, mean);
    return mean;
  }

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
    constexpr std::int64_t width = tile_keys<T>;
    const std::int64_t group = task / parts_;
    const std::int64_t keys = packed_.keys_in(block);
    const auto& tiles = packed_.tiles();
    const auto tile = [&](const Tensor<T>& of) { return Tile<T>{of.data(), rows, width, width}; };
    const auto read = [&](const Tensor<T>& of) {
      return Tile<const T>{of.data(), rows, width, width};
    };
    const std::int64_t query = group * sizes_.queries + first;
    const T* gradient = gradient_.data() + query * values_;
    const bool enough =
        packed_.find_scores(group, first, rows, block, work.t.data(), work.weights.data());
    tiles.weigh(tile(work.weights), log_sum_.data() + query);
    work.slopes.fill_(T(0));
    tiles.add_product({gradient, values_, 1}, sizes_.values,
                      {v_.data() + (group * packed_.key_blocks() + block) * sizes_.values * width,
                       sizes_.values, width, width},
                      tile(work.slopes));
    const Tensor<T>* weights = &work.weights;
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
          {a_parts_.data() + task * packed_.query_numbers() * sizes_.queries + first,
           sizes_.queries, work.b.data(), width});
    move_vectors(task, block, first, rows, enough, work);
  }

  /// From the gradient of t to those of x and y.
  void move_vectors(std::int64_t task, std::int64_t block, std::int64_t first, std::int64_t rows,
                    bool enough, Workspace& work) {
    constexpr std::int64_t width = tile_keys<T>;
    const std::int64_t group = task / parts_;
    const std::int64_t keys = packed_.keys_in(block);
    const auto& tiles = packed_.tiles();
    const Tile<T> slopes = {work.slopes.data(), rows, width, width};
    const std::int64_t query = task * sizes_.queries + first;
    const Tile<T> to_x = {x_parts_.data() + query * depth_, rows, depth_, depth_};
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
    const T* y = y_.data() + (group * sizes_.keys + block * width) * depth_;
    const T* x = x_.data() + (group * sizes_.queries + first) * depth_;
    tiles.add_product({slopes.data, width, 1}, keys, {y, keys, depth_, depth_}, to_x);
    tiles.add_product({slopes.data, 1, width}, rows, {x, rows, depth_, depth_},
                      {work.y.data(), keys, depth_, depth_});
  }

  void store_keys(std::int64_t group, std::int64_t block, const Workspace& work) {
    constexpr std::int64_t width = tile_keys<T>;
    const std::int64_t first = group * sizes_.keys + block * width;
    for (std::int64_t j = 0; j < packed_.keys_in(block); ++j) {
      const T* y = y_.data() + (first + j) * depth_;
      const T twice = 2 * work.weight_sums.data()[j];
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

  void add_parts() {
    const std::int64_t numbers = packed_.query_numbers();
    tensor_detail::parallel_ranges(
        sizes_.groups * sizes_.queries, tensor_detail::threads_for(double(x_parts_.numel())),
        [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t group = i / sizes_.queries;
            const std::int64_t query = i % sizes_.queries;
            for (std::int64_t part = group * parts_; part < (group + 1) * parts_; ++part) {
              const std::int64_t at = part * sizes_.queries + query;
              const T twice = 2 * x_weights_.data()[at];
              for (std::int64_t c = 0; c < sizes_.depth; ++c)
                out_.x.data()[i * sizes_.depth + c] +=
                    x_parts_.data()[at * depth_ + c] + twice * x_.data()[i * depth_ + c];
              for (std::int64_t c = 0; c < numbers; ++c)
                out_.a.data()[i * numbers + c] +=
                    a_parts_.data()[(part * numbers + c) * sizes_.queries + query];
            }
          }
        });
  }

  Packed<T> packed_;
  const Sizes& sizes_;
  BiasGradient<T> bias_;
  std::int64_t parts_, depth_, values_;
  Tensor<T> x_, y_, v_, gradient_, log_sum_, mean_;
  Tensor<T> x_parts_, x_weights_, a_parts_;
  Operands<T> out_;
};

}  // namespace

template <class T>
Gradients<T> attend_backward(Score score, const Operands<T>& of, const Mask<T>& mask,
                             const Attended<T>& result, const Tensor<T>& gradient, bool of_bias) {
  if (gradient.shape() != result.values.shape())
    throw ShapeError("attention: a gradient of shape " + to_string(gradient.shape()) +
                     " of values of shape " + to_string(result.values.shape()));
  if (of.x.numel() == 0 || of.y.numel() == 0)
    return {zeros_like(of), of_bias ? Tensor<T>(mask.bias.shape()) : Tensor<T>()};
  return Backward<T>(score, of, mask, result, gradient, of_bias).run();
}

template Gradients<float> attend_backward(Score, const Operands<float>&, const Mask<float>&,
                                          const Attended<float>&, const Tensor<float>&, bool);
template Gradients<double> attend_backward(Score, const Operands<double>&, const Mask<double>&,
                                           const Attended<double>&, const Tensor<double>&, bool);

}  // namespace mct::attention
