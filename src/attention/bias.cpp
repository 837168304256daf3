// The gradient of a bias: sums of the gradients of scores.
#include "src/attention/bias.hpp"

#include <algorithm>
#include <map>

#include "mctensor/error.hpp"

namespace mct::attention_detail {
namespace {

/// Adds a row to elements that are `step` apart. If step is 0, all are the same element, and eight
/// partial sums are used.
template <class W, class E>
void add_row(const E* row, std::int64_t n, std::int64_t step, W* to) {
  if (step != 0) {
    for (std::int64_t j = 0; j < n; ++j) to[j * step] = to[j * step] + W(row[j]);
    return;
  }
  W parts[8] = {};
  for (std::int64_t j = 0; j < n; ++j) parts[j % 8] = parts[j % 8] + W(row[j]);
  for (const int half : {4, 2, 1})
    for (int k = 0; k < half; ++k) parts[k] = parts[k] + parts[k + half];
  *to = *to + parts[0];
}

}  // namespace

std::int64_t BiasLayout::offset(std::int64_t of) const {
  std::int64_t at = origin;
  for (std::size_t k = lead.size(); k-- > 0; of /= lead[k]) at += of % lead[k] * group[k];
  return at;
}

BiasLayout bias_layout(const Shape& shape, const Shape& strides, bool by_offset, const Shape& lead,
                       const Sizes& sizes, const char* what) {
  Shape pairs = lead;
  if (by_offset) {
    pairs.push_back(std::max<std::int64_t>(sizes.queries + sizes.keys - 1, 0));
  } else {
    pairs.insert(pairs.end(), {sizes.queries, sizes.keys});
  }
  Shape all(pairs.size(), 0);
  const std::size_t missing = pairs.size() - std::min(shape.size(), pairs.size());
  bool fits = shape.size() <= pairs.size();
  for (std::size_t d = missing; fits && d < pairs.size(); ++d) {
    const std::int64_t size = shape[d - missing];
    fits = size == pairs[d] || size == 1;
    if (size != 1) all[d] = strides[d - missing];
  }
  if (!fits)
    throw ShapeError(std::string("attention: ") + what + " of shape " + to_string(shape) +
                     " does not broadcast to " + to_string(pairs) +
                     (by_offset ? ", one element for each offset of key and query" : ""));
  BiasLayout layout = {lead, Shape(all.begin(), all.begin() + std::ptrdiff_t(lead.size()))};
  layout.key = all.back();
  if (by_offset) {
    layout.query = -layout.key;
    layout.origin = (sizes.queries - 1) * layout.key;
  } else {
    layout.query = all[lead.size()];
  }
  return layout;
}

template <class E>
BiasGradient<E>::BiasGradient(const TensorOf<E>& bias, bool by_offset, const Shape& lead,
                              const Sizes& sizes)
    : wanted_(bias.numel() > 0),
      by_offset_(by_offset),
      sizes_(sizes),
      gradient_(bias.shape()),
      elements_(Buffer<E>::of(gradient_)) {
  families_.resize(std::size_t(sizes.groups));
  for (std::int64_t group = 0; group < sizes.groups; ++group)
    families_[std::size_t(group)] = {group};
  if (!wanted_) return;
  layout_ = bias_layout(bias.shape(), gradient_.strides(), by_offset, lead, sizes);
  if (!is_whole()) return;
  std::map<std::int64_t, std::size_t> known;
  families_.clear();
  for (std::int64_t group = 0; group < sizes.groups; ++group) {
    const auto [at, is_new] = known.try_emplace(layout_.offset(group), families_.size());
    if (is_new) families_.emplace_back();
    families_[at->second].push_back(group);
  }
}

template <class E>
void BiasGradient<E>::start(std::int64_t parts) {
  parts_ = parts;
  if (!wanted_ || is_whole()) return;
  extent_ = 1;
  if (layout_.query != 0) extent_ = sizes_.queries;
  if (layout_.key != 0) extent_ = sizes_.keys;
  if (layout_.key != 0 && by_offset_) extent_ = sizes_.queries + sizes_.keys - 1;
  sums_.assign(std::size_t(sizes_.groups * parts * extent_), Wide<E>(0));
}

template <class E>
void BiasGradient<E>::add(std::int64_t group, std::int64_t part, std::int64_t query,
                          std::int64_t key, std::int64_t keys, Tile<const E> slopes) {
  if (!wanted_) return;
  if (is_whole()) {
    E* to = elements_.data() + layout_.offset(group) + query * layout_.query + key * layout_.key;
    for (std::int64_t i = 0; i < slopes.rows; ++i)
      add_row(slopes.row(i), keys, layout_.key, to + i * layout_.query);
    return;
  }
  // the same strides for sums that lie side by side
  const std::int64_t by_key = layout_.key != 0;
  const std::int64_t by_query = by_offset_ ? -by_key : std::int64_t(layout_.query != 0);
  const std::int64_t origin = by_offset_ ? by_key * (sizes_.queries - 1) : 0;
  Wide<E>* to = sums_.data() + (group * parts_ + part) * extent_ + origin;
  for (std::int64_t i = 0; i < slopes.rows; ++i)
    add_row(slopes.row(i), keys, by_key, to + (query + i) * by_query + key * by_key);
}

template <class E>
TensorOf<E> BiasGradient<E>::take() {
  if (!wanted_) return {};
  if (is_whole()) {
    elements_.store(gradient_);
    return gradient_;
  }
  // elements in which all groups that share them are added, parts innermost
  std::map<std::int64_t, std::vector<Wide<E>>> total;
  for (std::int64_t group = 0; group < sizes_.groups; ++group) {
    const std::int64_t first = layout_.offset(group) - layout_.origin;
    auto& to = total.try_emplace(first, std::size_t(extent_), Wide<E>(0)).first->second;
    for (std::int64_t part = 0; part < parts_; ++part)
      for (std::int64_t k = 0; k < extent_; ++k)
        to[std::size_t(k)] =
            to[std::size_t(k)] + sums_[std::size_t((group * parts_ + part) * extent_ + k)];
  }
  const std::int64_t step = layout_.key != 0 ? layout_.key : layout_.query;
  for (const auto& [first, sums] : total)
    for (std::int64_t k = 0; k < extent_; ++k)
      elements_.data()[first + k * step] = E(sums[std::size_t(k)]);
  elements_.store(gradient_);
  return gradient_;
}

template class BiasGradient<float>;
template class BiasGradient<double>;
template class BiasGradient<f64x2>;
template class BiasGradient<Moving>;

}  // namespace mct::attention_detail
