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

template <class E>
Sizes sizes_of(std::int64_t query_numbers, std::int64_t key_numbers, const OperandsOf<E>& of) {
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

/// Throws DomainError where the points of a pair that is seen coincide and move apart.
void require_smooth(const Packed<Moving>& of, std::int64_t group, std::int64_t first,
                    std::int64_t rows, std::int64_t block, const Moving* t, const Moving* scores) {
  constexpr std::int64_t width = tile_keys<Moving>;
  const Moving nothing = -std::numeric_limits<Moving>::infinity();
  const Tile<const Moving> y = of.key_columns(group, block);
  const PairNumbers<Moving> numbers = of.numbers(group, first, block);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < width; ++j) {
      if (!(t[i * width + j] == Moving(0)) || scores[i * width + j] == nothing) continue;
      // heights that differ keep them apart
      const bool has_heights = of.key_numbers() > 0;
      if (has_heights && !(numbers.queries[i] == numbers.keys[j])) continue;
      bool moves = has_heights && numbers.queries[i].limb[1] != numbers.keys[j].limb[1];
      const Moving* const x = of.query(group, first + i);
      for (std::int64_t c = 0; c < of.sizes().depth; ++c)
        moves = moves || x[c].limb[1] != y.row(c)[j].limb[1];
      if (moves)
        throw DomainError("attention: query " + std::to_string(first + i) + " and key " +
                          std::to_string(block * width + j) +
                          " are one point and move apart: no derivative along a direction, and no "
                          "second derivative, where their distance has a corner");
    }
}

}  // namespace

template <class E>
Packed<E>::Packed(attention::Score score, const OperandsOf<E>& of, const MaskOf<E>& mask)
    : tiles_(find_tile_table<E>()),
      scores_(find_score_table<E>(score)),
      from_distance_(
          attention::with_score(score, [](auto s) { return decltype(s)::from_distance; })),
      from_root_(from_distance_ && score != attention::Score::gaussian),
      query_numbers_(attention::with_score(score, [](auto s) { return decltype(s)::queries; })),
      key_numbers_(attention::with_score(score, [](auto s) { return decltype(s)::keys; })),
      sizes_(sizes_of<E>(query_numbers_, key_numbers_, of)),
      lead_(leading_shape(of.x.shape(), 2)),
      mask_(mask) {
  if (!(mask.dropout >= 0 && mask.dropout <= 1))
    throw DomainError("attention: dropout " + number_text(mask.dropout) + " is not in [0, 1]");
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
  if (query_numbers_ > 0) a_ = Buffer<E>::of(as_groups(of.a).transpose(1, 2));
  if (key_numbers_ > 0) b_ = column_blocks<E>(as_groups(of.b));
  if (!from_distance_) return;
  x_lengths_ = row_products<E>(x_, s.depth, x_, s.depth, s.depth, s.groups * s.queries);
  y_lengths_ = column_blocks<E>(row_products<E>(y, s.depth, y, s.depth, s.depth, s.groups * s.keys),
                                s.groups, s.keys, 1);
}

template <class E>
bool Packed<E>::find_scores(std::int64_t group, std::int64_t first, std::int64_t rows,
                            std::int64_t block, E* t, E* scores) const {
  constexpr std::int64_t width = tile_keys<E>;
  const Tile<E> tile = {t, rows, width, width};
  const Strided<const E> x = {query(group, first), sizes_.depth, 1};
  const Tile<const E> y = key_columns(group, block);
  std::fill_n(t, rows * width, E(0));
  tiles_.add_product(x, sizes_.depth, y, tile);
  const Tile<E> to = {scores, rows, width, width};
  bool enough = true;
  if (from_distance_) {
    const auto of = numbers(group, first, block);
    enough = scores_.value_of_products(tile,
                                       {x_lengths_.data() + group * sizes_.queries + first,
                                        y_lengths_.data() + (group * key_blocks() + block) * width},
                                       of, to);
    if (!enough) {
      tiles_.find_distances(x, sizes_.depth, y, tile);
      scores_.value({t, rows, width, width}, of, to);
    }
  } else if (scores != t) {
    std::copy_n(t, rows * width, scores);
  }
  apply_mask(group, first, rows, block, scores);
  if constexpr (std::is_same_v<E, Moving>)
    if (from_root_) require_smooth(*this, group, first, rows, block, t, scores);
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
void Packed<E>::drop(std::int64_t group, std::int64_t first, std::int64_t rows, std::int64_t block,
                     E* weights) const {
  constexpr std::int64_t width = tile_keys<E>;
  const auto least = std::uint64_t(mask_.dropout * 0x1p32);
  const bool keeps_some = mask_.dropout < 1;
  const E factor = keeps_some ? E(Wide<E>(1) / (Wide<E>(1) - Wide<E>(mask_.dropout))) : E(0);
  const std::array<std::uint32_t, 2> key = {std::uint32_t(mask_.seed),
                                            std::uint32_t(mask_.seed >> 32)};
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < width; j += 4) {
      // the number of the call and the group in one word each, a block of four keys, the query
      const auto words =
          philox4x32({std::uint32_t((block * width + j) / 4), std::uint32_t(first + i),
                      std::uint32_t(group), std::uint32_t(mask_.call)},
                     key);
      for (std::size_t k = 0; k < 4; ++k) {
        E& w = weights[i * width + j + std::int64_t(k)];
        w = words[k] < least ? E(0) : w * factor;
      }
    }
}

template class Packed<float>;
template class Packed<double>;
template class Packed<f64x2>;
template class Packed<Moving>;

}  // namespace mct::attention_detail
