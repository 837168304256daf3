// Norms, counts and factors of gradients, compiled once per instruction set.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "src/optim/kernels/gradient_table.hpp"
#include "src/tensor/kernels/rounding_lanes.hpp"
#include "src/tensor/kernels/sum_kernels.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

template <class T>
double sum_squares(const T* x, std::size_t count, double factor) {
  using V = widest_batch<double>;
  const auto square = [factor](const T* from) {
    const V value = load_converted<V>(from) * V(factor);
    return Expansion<V, 1>(value * value);  // rounded: without fma the same bits
  };
  double sum = 0;
  accumulate<1>(
      count, &sum,
      [&](Accumulator<V, 1>& lanes_sum, std::size_t i) { lanes_sum.add(square(x + i)); },
      [&](Accumulator<V, 1>& lanes_sum, std::size_t i) {
        const ZeroPadded<T, 1> last(&x, i, count - i);
        lanes_sum.add(square(last.planes[0]));
      });
  return sum;
}

/// The top bit is free in a magnitude: a sum reaches it where the magnitude reaches the limit. Sums
/// of a block fit the words themselves, so that each lane counts. A block is read in four places at
/// once, because one core then waits less for the memory.
template <class T>
std::int64_t count_from(const T* x, std::size_t count, optim_detail::bits_of<T> limit) {
  using Word = optim_detail::bits_of<T>;
  constexpr std::size_t block = sizeof(Word) == 2 ? 1 << 14 : 1 << 16;
  constexpr int top = 8 * int(sizeof(Word)) - 1;
#if MCT_WITH_XSIMD
  using Words = xsimd::batch<Word>;
#else
  using Words = Word;
#endif
  constexpr std::size_t width = sizeof(Words) / sizeof(Word);
  const auto missing = Word((Word(1) << top) - limit);
  const auto reaches = [missing]<class W>(W word, const T* at) {
    std::memcpy(&word, at, sizeof(word));
    return W(W(W(word & W(Word(~(Word(1) << top)))) + W(missing)) >> top);
  };
  const auto all = [&](const T* at) { return reaches(Words(Word(0)), at); };
  std::int64_t total = 0;
  while (count > 0) {
    const std::size_t length = std::min(count, block);
    const std::size_t quarter = length / 4 / width * width;
    Words sums(Word(0));
    for (std::size_t i = 0; i < quarter; i += width)
      sums = Words(sums + Words(all(x + i) + all(x + quarter + i)) +
                   Words(all(x + 2 * quarter + i) + all(x + 3 * quarter + i)));
    Word parts[width];
    std::memcpy(parts, &sums, sizeof(sums));
    Word part = 0;
    for (const Word one : parts) part = Word(part + one);
    for (std::size_t i = 4 * quarter; i < length; ++i) part = Word(part + reaches(Word(0), x + i));
    total += std::int64_t(part);
    x += length;
    count -= length;
  }
  return total;
}

template <class T>
void scale(T* x, std::size_t count, double factor) {
  if constexpr (!std::is_same_v<T, double>) {
    const double size = std::abs(factor);
    if (size == 0 || (size >= 0x1p-126 && size <= FloatTraits<float>::max)) {
      using V = widest_batch<float>;
      const auto narrow_factor = float(factor);
      std::size_t i = 0;
      for (; i + lanes<V> <= count; i += lanes<V>)
        store_narrow(RoundLanes<T, V>::nearest(load_converted<V>(x + i) * V(narrow_factor)), x + i);
      for (; i < count; ++i) x[i] = T(float(x[i]) * narrow_factor);
      return;
    }
  }
  for (std::size_t i = 0; i < count; ++i) x[i] = T(double(x[i]) * factor);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels

namespace mct {

namespace optim_detail::MCT_KERNELS {

template <class T>
GradientKernels<T> gradient_kernels() {
  return {&kernels::sum_squares<T>, &kernels::count_from<T>, &kernels::scale<T>};
}

template GradientKernels<double> gradient_kernels<double>();
template GradientKernels<float> gradient_kernels<float>();
template GradientKernels<half> gradient_kernels<half>();
template GradientKernels<bfloat16> gradient_kernels<bfloat16>();

}  // namespace optim_detail::MCT_KERNELS
}  // namespace mct
