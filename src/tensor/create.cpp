#include "mctensor/tensor/create.hpp"

#include <algorithm>

#include "mctensor/error.hpp"
#include "mctensor/expansion/io.hpp"
#include "mctensor/math/all.hpp"
#include "src/tensor/element.hpp"
#include "src/tensor/parallel.hpp"
#include "src/tensor/random_words.hpp"

namespace mct {

namespace {

using tensor_detail::normal_pair;
using tensor_detail::random_words;
using tensor_detail::uniform;

/// Calls fill(begin, end) for ranges of [0, count), on several threads if that pays.
template <class Fill>
void in_parallel(std::int64_t count, double cost, const Fill& fill) {
  tensor_detail::parallel_ranges(count, tensor_detail::threads_for(double(count) * cost), fill);
}

/// Doubles in which the elements of arange are computed: narrow types do not hold every index.
template <class T, int N>
constexpr int arange_levels = 2;
template <int N>
constexpr int arange_levels<double, N> = N;

}  // namespace

template <class T, int N>
Tensor<T, N> arange(const Expansion<T, N>& start, const Expansion<T, N>& stop,
                    const Expansion<T, N>& step) {
  using Work = Expansion<double, arange_levels<T, N>>;
  const double steps = double((Work(stop) - Work(start)) / Work(step));
  if (!(steps - steps == 0) || steps < 0 || steps > 1e15)
    throw DomainError("arange: from " + to_string(start) + " to " + to_string(stop) +
                      " in steps of " + to_string(step) + " does not end");
  const auto value = [&](std::int64_t i) { return mul_add(Work(i), Work(step), Work(start)); };
  // rounded, because the rounded last value is compared with stop
  auto count = std::max<std::int64_t>(std::int64_t(steps) - 1, 0);
  const Work end(stop);
  while (step > 0 ? value(count) < end : value(count) > end) ++count;
  auto x = Tensor<T, N>::uninitialized({count});
  for (std::int64_t i = 0; i < count; ++i)
    tensor_detail::store_element(x, i, Expansion<T, N>(value(i)));
  return x;
}

Tensor<std::int64_t> arange(std::int64_t count) {
  auto x = Tensor<std::int64_t>::uninitialized({count});
  for (std::int64_t i = 0; i < count; ++i) x.data()[i] = i;
  return x;
}

template <class T, int N>
Tensor<T, N> rand(const Shape& shape, std::uint64_t seed) {
  auto x = Tensor<T, N>::uninitialized(shape);
  in_parallel(x.numel(), 100, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      tensor_detail::store_element(x, i, uniform<T, N>(random_words(seed, std::uint64_t(i), 0)));
  });
  return x;
}

template <class T, int N>
Tensor<T, N> randn(const Shape& shape, std::uint64_t seed) {
  auto x = Tensor<T, N>::uninitialized(shape);
  const std::int64_t count = x.numel();
  in_parallel((count + 1) / 2, 1000, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t pair = begin; pair < end; ++pair) {
      const auto values = normal_pair<T, N>(seed, std::uint64_t(pair));
      for (std::int64_t k = 0; k < 2 && 2 * pair + k < count; ++k)
        tensor_detail::store_element(x, 2 * pair + k, values[std::size_t(k)]);
    }
  });
  return x;
}

#define MCT_INSTANTIATE(T, N)                                                  \
  template Tensor<T, N> arange(const Expansion<T, N>&, const Expansion<T, N>&, \
                               const Expansion<T, N>&);                        \
  template Tensor<T, N> rand<T, N>(const Shape&, std::uint64_t);               \
  template Tensor<T, N> randn<T, N>(const Shape&, std::uint64_t);
MCT_FOR_EACH_NUMBER_TENSOR(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct
