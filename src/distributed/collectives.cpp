// Exact sums over ranks: which rank adds up which elements, and the messages.
#include "mctensor/distributed/collectives.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "mctensor/error.hpp"
#include "src/distributed/kernels/exact_sum_table.hpp"
#include "src/tensor/component_list.hpp"
#include "src/tensor/kernels/convert_table.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::distributed {

using distributed_detail::type_number;

namespace {

/// Elements of a rank that are exchanged at once. Their intermediate results stay in the cache, and
/// sending a message takes far longer than starting it.
constexpr std::int64_t round_elements = std::int64_t(1) << 17;
/// Elements whose sums are found at once.
constexpr std::int64_t tile = 2048;
/// Up to this many plain numbers of all ranks together, each rank gets all numbers and adds them
/// up. This takes one message instead of two, and short messages take longer to start than to send.
/// (For expansions the sums take longer.)
constexpr std::int64_t few_numbers = std::int64_t(1) << 14;

/// The properties that must be the same on all ranks.
struct Kind {
  std::int64_t count, components, type, unit;
  bool operator==(const Kind&) const = default;
  std::string text() const {
    return std::to_string(count) + " elements of " + std::to_string(components) +
           " components, type " + std::to_string(type) + ", unit " + std::to_string(unit);
  }
};

void check_alike(Communicator& ranks, const char* what, const Kind& own) {
  std::vector<Kind> all(std::size_t(ranks.size()));
  const std::vector<std::size_t> one(all.size(), 1);
  ranks.all_gather<Kind>({&own, 1}, all, one);
  for (std::size_t r = 1; r < all.size(); ++r)
    if (!(all[r] == all[0]))
      throw ShapeError(std::string(what) + ": rank " + std::to_string(r) + " has " + all[r].text() +
                       ", rank 0 " + all[0].text());
}

template <class T>
Kind kind_of(std::int64_t count, std::size_t components, std::int64_t unit) {
  return {count, std::int64_t(components), type_number<T>(0), unit};
}

void check_components(const char* what, std::size_t components) {
  if (components < 1 || components > 4)
    throw DomainError(std::string(what) + ": expansions of " + std::to_string(components) +
                      " components, expected 1 to 4");
}

/// The part of each span in round number `round`.
std::vector<Span> in_round(const std::vector<Span>& spans, std::int64_t round) {
  std::vector<Span> parts;
  parts.reserve(spans.size());
  for (const Span& span : spans) {
    const std::int64_t begin = std::min(span.begin + round * round_elements, span.end);
    parts.push_back({begin, std::min(begin + round_elements, span.end)});
  }
  return parts;
}
/// The first span is shorter than another one by at most a unit, so all ranks count the same number
/// of rounds.
std::int64_t rounds_of(const std::vector<Span>& spans) {
  std::int64_t longest = 0;
  for (const Span& span : spans) longest = std::max(longest, span.size());
  return (longest + round_elements - 1) / round_elements;
}

/// The contributions of all ranks to one span, limb after limb.
template <class T>
class Received {
 public:
  Received(Communicator& ranks, std::size_t limbs)
      : ranks_(ranks), size_(std::size_t(ranks.size())), planes_(limbs), limbs_(limbs * size_) {}

  /// Has every rank send parts[r] of its limbs to rank r.
  void exchange(std::span<const T* const> limbs, std::vector<Span> parts) {
    const auto rank = std::size_t(ranks_.rank());
    const Span own = parts[rank];
    parts[rank].end = own.begin;
    std::vector<Span> places;
    for (std::size_t r = 0; r < size_; ++r) {
      const std::int64_t begin = std::int64_t(r) * own.size();
      places.push_back({begin, begin + (r == rank ? 0 : own.size())});
    }
    for (std::size_t k = 0; k < planes_.size(); ++k) {
      planes_[k].resize(size_ * std::size_t(own.size()));
      ranks_.exchange_spans<T>(limbs[k], parts, planes_[k].data(), places);
      for (std::size_t r = 0; r < size_; ++r)
        limbs_[r * planes_.size() + k] =
            r == rank ? limbs[k] + own.begin : planes_[k].data() + places[r].begin;
    }
    count_ = own.size();
  }

  /// Has every rank send all of its limbs to all.
  void gather(std::span<T* const> limbs, std::int64_t count) {
    const std::vector<std::size_t> counts(size_, std::size_t(count));
    for (std::size_t k = 0; k < planes_.size(); ++k) {
      planes_[k].resize(size_ * std::size_t(count));
      ranks_.all_gather<T>({limbs[k], std::size_t(count)}, planes_[k], counts);
      for (std::size_t r = 0; r < size_; ++r)
        limbs_[r * planes_.size() + k] = planes_[k].data() + r * std::size_t(count);
    }
    count_ = count;
  }

  /// The sums of the received terms, rounded.
  void add_up(std::span<T* const> result) const {
    const double cost = 20.0 * double(limbs_.size()) * double(count_);
    tensor_detail::parallel_ranges(
        (count_ + tile - 1) / tile, tensor_detail::threads_for(cost),
        [&](std::int64_t begin, std::int64_t end) { add_tiles(result, begin, end); });
  }

 private:
  void add_tiles(std::span<T* const> result, std::int64_t begin, std::int64_t end) const {
    std::vector<const T*> from(planes_.size());
    std::vector<T*> to(result.size());
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t first = i * tile;
      const std::int64_t count = std::min(tile, count_ - first);
      if (add_two(result[0] + first, first, count)) continue;
      ExactSums<T> sums(count, int(planes_.size()));
      for (std::size_t r = 0; r < size_; ++r) {
        for (std::size_t k = 0; k < from.size(); ++k) from[k] = limbs_[r * from.size() + k] + first;
        sums.add(std::span<const T* const>(from), count);
      }
      for (std::size_t k = 0; k < to.size(); ++k) to[k] = result[k] + first;
      sums.round_to(std::span<T* const>(to));
    }
  }
  /// Two numbers that the processor adds. Those of 16 bits as floats: rounding their sum to float
  /// first changes nothing, as 24 >= 2 * 11 + 2 (Figueroa 1995), and it has the exponents of both.
  bool add_two(T* result, std::int64_t first, std::int64_t count) const {
    if (limbs_.size() != 2 || planes_.size() != 1) return false;
    const T* const a = limbs_[0] + first;
    const T* const b = limbs_[1] + first;
    const auto& table = distributed_detail::find_exact_sum_table();
    if constexpr (std::is_same_v<T, float>) {
      table.add_two_floats(a, b, result, std::size_t(count));
    } else if constexpr (std::is_same_v<T, double>) {
      table.add_two_doubles(a, b, result, std::size_t(count));
    } else {
      std::array<float, std::size_t(tile)> wide_a, wide_b;
      const auto widen = tensor_detail::find_convert_kernel<T, float>();
      widen(std::size_t(count), a, wide_a.data());
      widen(std::size_t(count), b, wide_b.data());
      table.add_two_floats(wide_a.data(), wide_b.data(), wide_a.data(), std::size_t(count));
      tensor_detail::find_convert_kernel<float, T>()(std::size_t(count), wide_a.data(), result);
    }
    return true;
  }

  Communicator& ranks_;
  std::size_t size_;
  std::vector<std::vector<T>> planes_;
  std::vector<const T*> limbs_;  // of rank 0 first
  std::int64_t count_ = 0;
};

/// The elements of this rank's span; the other ranks get copies.
template <class T>
void gather_spans(Communicator& ranks, T* values, const std::vector<Span>& spans) {
  const std::int64_t begin = spans.front().begin;
  std::vector<std::size_t> counts;
  counts.reserve(spans.size());
  for (const Span& span : spans) counts.push_back(std::size_t(span.size()));
  const Span own = spans[std::size_t(ranks.rank())];
  ranks.all_gather<T>({values + own.begin, std::size_t(own.size())},
                      {values + begin, std::size_t(spans.back().end - begin)}, counts);
}

template <class T>
std::vector<T*> at(std::span<T* const> limbs, std::int64_t first) {
  std::vector<T*> result(limbs.begin(), limbs.end());
  for (T*& limb : result) limb += first;
  return result;
}

/// Each rank adds up one part of all ranks' terms; these are the sums of this rank's part.
template <class T>
ExactSums<T> sums_of_part(Communicator& ranks, const ExactSums<T>& sums,
                          const std::vector<Span>& parts) {
  using Wire = typename ExactSums<T>::Wire;
  Parts<Wire> levels;
  Parts<LostTerm> terms;
  const auto rank = std::size_t(ranks.rank());
  for (std::size_t r = 0; r < parts.size(); ++r)
    levels.counts.push_back(r == rank ? 0 : sums.message_size(parts[r]));
  levels.values.resize(std::accumulate(levels.counts.begin(), levels.counts.end(), std::size_t(0)));
  Wire* to = levels.values.data();
  for (std::size_t r = 0; r < parts.size(); ++r) {
    const std::size_t before = terms.values.size();
    if (r != rank) sums.write_message(parts[r], to, terms.values);
    terms.counts.push_back(terms.values.size() - before);
    to += levels.counts[r];
  }
  const auto levels_here = ranks.all_to_all(levels);
  const auto terms_here = ranks.all_to_all(terms);
  const Span all{0, parts[rank].size()};
  ExactSums<T> result = sums.part(parts[rank]);
  const Wire* level = levels_here.values.data();
  const LostTerm* term = terms_here.values.data();
  for (std::size_t r = 0; r < parts.size(); ++r) {
    result.add_message({level, levels_here.counts[r]}, {term, terms_here.counts[r]}, all);
    level += levels_here.counts[r];
    term += terms_here.counts[r];
  }
  return result;
}

}  // namespace

template <class T>
void all_reduce(Communicator& ranks, std::span<T* const> limbs, std::int64_t count) {
  check_components("all_reduce", limbs.size());
  check_alike(ranks, "all_reduce", kind_of<T>(count, limbs.size(), 0));
  Received<T> received(ranks, limbs.size());
  if (limbs.size() == 1 && count <= few_numbers / ranks.size()) {
    received.gather(limbs, count);
    return received.add_up(limbs);
  }
  const std::int64_t step = round_elements * ranks.size();
  for (std::int64_t begin = 0; begin < count; begin += step) {
    const auto spans = shards_of(std::min(step, count - begin), ranks.size());
    const auto here = at(limbs, begin);
    const std::vector<const T*> from(here.begin(), here.end());
    received.exchange(from, spans);
    const auto own = at<T>(here, spans[std::size_t(ranks.rank())].begin);
    received.add_up(own);
    for (T* const limb : here) gather_spans(ranks, limb, spans);
  }
}

template <class T>
void all_reduce(Communicator& ranks, const ExactSums<T>& sums, std::span<T* const> limbs) {
  check_components("all_reduce", limbs.size());
  check_alike(ranks, "all_reduce",
              kind_of<T>(sums.size(), std::size_t(sums.components()), std::int64_t(limbs.size())));
  const std::int64_t step = round_elements * ranks.size();
  for (std::int64_t begin = 0; begin < sums.size(); begin += step) {
    auto spans = shards_of(std::min(step, sums.size() - begin), ranks.size());
    auto parts = spans;
    for (Span& part : parts) part = {part.begin + begin, part.end + begin};
    const auto own = sums_of_part(ranks, sums, parts);
    const auto here = at(limbs, begin);
    own.round_to(std::span<T* const>(at<T>(here, spans[std::size_t(ranks.rank())].begin)));
    for (T* const limb : here) gather_spans(ranks, limb, spans);
  }
}

template <class T>
void reduce_scatter(Communicator& ranks, std::span<const T* const> limbs, std::int64_t count,
                    std::span<T* const> result, std::int64_t unit) {
  check_components("reduce_scatter", limbs.size());
  if (result.size() != limbs.size())
    throw ShapeError("reduce_scatter: " + std::to_string(limbs.size()) + " limbs become " +
                     std::to_string(result.size()));
  check_alike(ranks, "reduce_scatter", kind_of<T>(count, limbs.size(), unit));
  const auto spans = shards_of(count, ranks.size(), unit);
  Received<T> received(ranks, limbs.size());
  for (std::int64_t round = 0; round < rounds_of(spans); ++round) {
    received.exchange(limbs, in_round(spans, round));
    received.add_up(at(result, round * round_elements));
  }
}

template <class T>
void reduce_scatter(Communicator& ranks, const ExactSums<T>& sums, std::span<T> result,
                    std::int64_t unit) {
  check_alike(ranks, "reduce_scatter",
              kind_of<T>(sums.size(), std::size_t(sums.components()), unit));
  const auto spans = shards_of(sums.size(), ranks.size(), unit);
  if (std::int64_t(result.size()) != spans[std::size_t(ranks.rank())].size())
    throw ShapeError("reduce_scatter: the part of rank " + std::to_string(ranks.rank()) + " has " +
                     std::to_string(spans[std::size_t(ranks.rank())].size()) + " elements, not " +
                     std::to_string(result.size()));
  T* to = result.data();
  for (std::int64_t round = 0; round < rounds_of(spans); ++round) {
    const auto own = sums_of_part(ranks, sums, in_round(spans, round));
    own.round_to(std::span<T>(to, std::size_t(own.size())));
    to += own.size();
  }
}

template <class T>
void broadcast(Communicator& ranks, std::span<T* const> limbs, std::int64_t count, int root) {
  check_alike(ranks, "broadcast", kind_of<T>(count, limbs.size(), root));
  constexpr std::int64_t most = std::int64_t(1) << 30;
  for (T* const limb : limbs)
    for (std::int64_t begin = 0; begin < count; begin += most)
      ranks.broadcast(std::span<T>(limb + begin, std::size_t(std::min(most, count - begin))), root);
}

#define MCT_INSTANTIATE(T)                                                                      \
  template void all_reduce(Communicator&, std::span<T* const>, std::int64_t);                   \
  template void all_reduce(Communicator&, const ExactSums<T>&, std::span<T* const>);            \
  template void reduce_scatter(Communicator&, std::span<const T* const>, std::int64_t,          \
                               std::span<T* const>, std::int64_t);                              \
  template void reduce_scatter(Communicator&, const ExactSums<T>&, std::span<T>, std::int64_t); \
  template void broadcast(Communicator&, std::span<T* const>, std::int64_t, int);
MCT_FOR_EACH_COMPONENT(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct::distributed

namespace mct::distributed_detail {

std::vector<std::int64_t> rows_of_ranks(Communicator& ranks, const Shape& own, int type) {
  Shape kind = own;
  kind.push_back(type);
  const auto all = ranks.all_gather(std::span<const std::int64_t>(kind));
  std::vector<std::int64_t> rows;
  const std::int64_t* at = all.values.data();
  for (std::size_t r = 0; r < all.counts.size(); ++r) {
    const Shape other(at, at + all.counts[r]);
    at += all.counts[r];
    const Shape first(all.values.begin(), all.values.begin() + std::ptrdiff_t(all.counts[0]));
    const auto shape_of = [](Shape shape) {
      shape.pop_back();
      return to_string(shape);
    };
    const bool is_alike = other.size() == first.size() && other.size() > 1 &&
                          std::equal(other.begin() + 1, other.end(), first.begin() + 1);
    if (!is_alike)
      throw ShapeError("all_gather: rank " + std::to_string(r) + " has a tensor of shape " +
                       shape_of(other) + " and type " + std::to_string(other.back()) +
                       ", rank 0 of shape " + shape_of(first) + " and type " +
                       std::to_string(first.back()));
    rows.push_back(other[0]);
  }
  return rows;
}

template <class T>
void gather_plane(Communicator& ranks, std::span<const T> own, T* all,
                  std::span<const std::int64_t> counts) {
  std::vector<std::size_t> sizes(counts.begin(), counts.end());
  std::size_t total = 0;
  for (const std::size_t n : sizes) total += n;
  ranks.all_gather<T>(own, {all, total}, sizes);
}

#define MCT_INSTANTIATE(T) \
  template void gather_plane(Communicator&, std::span<const T>, T*, std::span<const std::int64_t>);
MCT_FOR_EACH_COMPONENT(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct::distributed_detail
