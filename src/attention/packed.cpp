#include "src/attention/packed.hpp"

#include <limits>
#include <string>

#include "mctensor/base/number_text.hpp"
#include "mctensor/tensor/philox.hpp"

namespace mct::attention_detail {
namespace {

template <class T, int N>
void require(const char* name, const Tensor<T, N>& x, Shape lead, std::int64_t rows,
             std::int64_t columns) {
  lead.push_back(rows);
  lead.push_back(columns);
  if (x.shape() != lead)
    throw ShapeError(std::string("attention: ") + name + " of shape " + to_string(x.shape()) +
                     ", expected " + to_string(lead));
}

}  // namespace

void require_dropout(double dropout) {
  if (!(dropout >= 0 && dropout <= 1))
    throw DomainError("attention: dropout " + number_text(dropout) + " is not in [0, 1]");
}

template <class E>
ScoreKernels<E>::ScoreKernels(attention::Score score)
    : tiles(find_tile_table<E>()), scores(find_score_table<E>(score)) {
  attention::with_score(score, [&]<class S>(S) {
    from_distance = S::from_distance;
    has_corner = S::has_corner;
    query_numbers = S::queries;
    key_numbers = S::keys;
  });
}

template <class E>
Sizes ScoreKernels<E>::sizes_of(const OperandsOf<E>& of) const {
  for (const TensorOf<E>* x : {&of.x, &of.y, &of.v})
    if (x->dim() < 2)
      throw ShapeError("attention: an operand of shape " + to_string(x->shape()) +
                       " has fewer than two dimensions");
  const Shape lead = leading_shape(of.x.shape(), 2);
  const Sizes s = {mct::numel(lead), of.x.size(-2), of.y.size(-2), of.x.size(-1), of.v.size(-1)};
  require("keys", of.y, lead, s.keys, s.depth);
  require("values", of.v, lead, s.keys, s.values);
  if (query_numbers > 0) require("numbers of queries", of.a, lead, s.queries, query_numbers);
  if (key_numbers > 0) require("numbers of keys", of.b, lead, s.keys, key_numbers);
  return s;
}

template <class E>
void ScoreKernels<E>::find_scores(const Pairs<E>& of, Tile<E> t, Tile<E> to) const {
  const Strided<const E> x = {of.x, of.y.rows, 1};
  if (from_distance) {
    tiles.find_distances(x, of.y.rows, of.y, t);
    scores.value({t.data, t.rows, t.columns, t.stride}, of.numbers, to);
  } else {
    std::fill_n(to.data, to.rows * to.stride, E(0));
    tiles.add_product(x, of.y.rows, of.y, to);
  }
}
template struct ScoreKernels<float>;
template struct ScoreKernels<double>;
template struct ScoreKernels<f64x2>;
template struct ScoreKernels<Moving>;

template <class E>
Packed<E>::Packed(attention::Score score, const OperandsOf<E>& of, const MaskOf<E>& mask,
                  std::vector<Packed> others)
    : kernels_(score),
      others_(std::move(others)),
      sizes_(kernels_.sizes_of(of)),
      lead_(leading_shape(of.x.shape(), 2)),
      mask_(mask) {
  require_dropout(mask.dropout);
  for (const Packed& other : others_)
    if (other.lead_ != lead_ || other.sizes_.queries != sizes_.queries)
      throw ShapeError("attention: the summands have different queries, one of shape " +
                       to_string(of.x.shape()) + " and one of leading dimensions " +
                       to_string(other.lead_) + " and " + std::to_string(other.sizes_.queries) +
                       " queries");
  if (mask.hidden.numel() > 0)
    hidden_ = bias_layout(mask.hidden.shape(), mask.hidden.strides(), false, lead_, sizes_,
                          "a mask of hidden pairs");
  if (mask.bias.numel() > 0)
    bias_ = bias_layout(mask.bias.shape(), mask.bias.strides(), mask.by_offset, lead_, sizes_);
  if (sizes_.keys == 0) return;
  const auto& s = sizes_;
  const Buffer<E> y = Buffer<E>::of(as_groups(of.y));
  x_ = Buffer<E>::of(as_groups(of.x));
  y_ = column_blocks<E>(y, s.groups, s.keys, s.depth);
  if (query_numbers() > 0) a_ = Buffer<E>::of(as_groups(of.a).transpose(1, 2));
  if (key_numbers() > 0) b_ = column_blocks<E>(as_groups(of.b));
  if (!from_distance()) return;
  x_lengths_ = row_products<E>(x_, s.depth, x_, s.depth, s.depth, s.groups * s.queries);
  y_lengths_ = column_blocks<E>(row_products<E>(y, s.depth, y, s.depth, s.depth, s.groups * s.keys),
                                s.groups, s.keys, 1);
}

template <class E>
bool Packed<E>::find_own(std::int64_t group, std::int64_t first, std::int64_t rows,
                         std::int64_t block, E* t, E* scores) const {
  constexpr std::int64_t width = tile_keys<E>;
  const Tile<E> tile = {t, rows, width, width};
  const Tile<E> to = {scores, rows, width, width};
  const Pairs<E> of = pairs(group, first, block);
  bool enough = true;
  if (from_distance()) {
    std::fill_n(t, rows * width, E(0));
    tiles().add_product({of.x, sizes_.depth, 1}, sizes_.depth, of.y, tile);
    enough = kernels_.scores.value_of_products(
        tile,
        {x_lengths_.data() + group * sizes_.queries + first,
         y_lengths_.data() + (group * key_blocks() + block) * width},
        of.numbers, to);
  }
  if (!from_distance() || !enough) kernels_.find_scores(of, tile, to);
  return enough;
}

template <class E>
void Packed<E>::add_others(std::int64_t group, std::int64_t first, std::int64_t rows,
                           std::int64_t block, E* scores) const {
  const std::int64_t count = rows * tile_keys<E>;
  const Buffer<E> tile(count);  // scores replace t, which nobody reads
  for (const Packed& other : others_) {
    other.find_own(group, first, rows, block, tile.data(), tile.data());
    for (std::int64_t k = 0; k < count; ++k) scores[k] = scores[k] + tile.data()[k];
  }
}

template <class E>
bool Packed<E>::find_scores(std::int64_t group, std::int64_t first, std::int64_t rows,
                            std::int64_t block, E* t, E* scores) const {
  constexpr std::int64_t width = tile_keys<E>;
  const bool enough = find_own(group, first, rows, block, t, scores);
  if (!others_.empty()) add_others(group, first, rows, block, scores);
  apply_mask(group, first, rows, block, scores);
  if constexpr (std::is_same_v<E, Moving>)
    kernels_.require_smooth(pairs(group, first, block), {t, rows, width, width},
                            {scores, rows, width, width}, first,
                            [&](std::int64_t j) { return block * width + j; });
  return enough;
}

template <class E>
void Packed<E>::add_bias(std::int64_t group, std::int64_t query, std::int64_t key,
                         std::int64_t keys, E* row) const {
  const std::int64_t at = bias_.offset(group) + query * bias_.query + key * bias_.key;
  for (std::int64_t j = 0; j < keys; ++j)
    row[j] = row[j] + element_at<E>(mask_.bias, at + j * bias_.key);
}

template <class E>
void Packed<E>::apply_mask(std::int64_t group, std::int64_t first, std::int64_t rows,
                           std::int64_t block, E* scores) const {
  const E nothing = -std::numeric_limits<E>::infinity();
  constexpr std::int64_t width = tile_keys<E>;
  const std::int64_t begin = block * width;
  const std::int64_t keys = keys_in(block);
  const bool* hidden = nullptr;
  if (mask_.hidden.numel() > 0) hidden = mask_.hidden.data() + hidden_.offset(group);
  const bool has_bias = mask_.bias.numel() > 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    E* row = scores + i * width;
    std::int64_t seen = keys;
    if (mask_.causal)
      seen =
          std::clamp<std::int64_t>(first + i + sizes_.keys - sizes_.queries + 1 - begin, 0, keys);
    if (has_bias) add_bias(group, first + i, begin, seen, row);
    if (hidden != nullptr) {
      const bool* at = hidden + (first + i) * hidden_.query + begin * hidden_.key;
      for (std::int64_t j = 0; j < seen; ++j)
        if (at[j * hidden_.key]) row[j] = nothing;
    }
    std::fill(row + seen, row + width, nothing);
  }
}

template <class E>
void drop_weights(const MaskOf<E>& mask, std::int64_t group, std::int64_t query, std::int64_t key,
                  std::int64_t keys, E* weights) {
  const auto least = std::uint64_t(mask.dropout * 0x1p32);
  const bool keeps_some = mask.dropout < 1;
  const E factor = keeps_some ? E(Wide<E>(1) / (Wide<E>(1) - Wide<E>(mask.dropout))) : E(0);
  const std::array<std::uint32_t, 2> seed = {std::uint32_t(mask.seed),
                                             std::uint32_t(mask.seed >> 32)};
  for (std::int64_t j = 0; j < keys; j += 4) {
    // the number of the call and the group in one word each, a block of four keys, the query
    const auto words = philox4x32({std::uint32_t((key + j) / 4), std::uint32_t(query),
                                   std::uint32_t(group), std::uint32_t(mask.call)},
                                  seed);
    for (std::size_t k = 0; k < 4; ++k) {
      E& w = weights[j + std::int64_t(k)];
      w = words[k] < least ? E(0) : w * factor;
    }
  }
}

template <class E>
void Packed<E>::drop(std::int64_t group, std::int64_t first, std::int64_t rows, std::int64_t block,
                     E* weights) const {
  constexpr std::int64_t width = tile_keys<E>;
  for (std::int64_t i = 0; i < rows; ++i)
    drop_weights<E>(mask_, group, first + i, block * width, width, weights + i * width);
}

#define MCT_INSTANTIATE(E)                                                                  \
  template void drop_weights<E>(const MaskOf<E>&, std::int64_t, std::int64_t, std::int64_t, \
                                std::int64_t, E*);
MCT_INSTANTIATE(float)
MCT_INSTANTIATE(double)
MCT_INSTANTIATE(f64x2)
MCT_INSTANTIATE(Moving)
#undef MCT_INSTANTIATE

template class Packed<float>;
template class Packed<double>;
template class Packed<f64x2>;
template class Packed<Moving>;

}  // namespace mct::attention_detail
