// Prints as JSON the networks of the operations that tools/prove/prove.py proves, one a line.
#include <array>
#include <cstdio>
#include <tuple>

#include "recorded.hpp"

namespace {

using mct::Accumulator;
using mct::Expansion;
using prove::Recorded;

using prove::Ids;

/// What a network computes: the sum of operands, less other operands, and products of operands. All
/// are places in the list of operands.
struct Exactly {
  Ids plus, minus;
  std::vector<Ids> products;
};

/// The operands of the network that is recorded, each a list of values.
std::vector<Ids> operands;

template <int N>
Expansion<Recorded, N> operand() {
  Expansion<Recorded, N> x;
  operands.emplace_back();
  for (int i = 0; i < N; ++i) {
    operands.back().push_back(prove::recording->next());
    x.limb[i] = Recorded::value(operands.back().back());
  }
  return x;
}

/// Runs body, which makes its operands and returns the values of the result, and prints what it
/// did.
template <class Body>
void print_network(const char* name, const Exactly& exactly, Body body) {
  prove::Recording recording;
  prove::recording = &recording;
  operands.clear();
  Ids results;
  for (const Recorded& value : body()) results.push_back(value.id());
  std::printf("{\"name\": \"%s\", ", name);
  const auto print_one = [](const Ids& ids) { prove::print_ids(ids); };
  prove::print_list("operands", operands, print_one);
  std::printf(", ");
  prove::print_ids("plus", exactly.plus);
  std::printf(", ");
  prove::print_ids("minus", exactly.minus);
  std::printf(", ");
  prove::print_list("products", exactly.products, print_one);
  std::printf(", ");
  prove::print_ids("results", results);
  std::printf(", ");
  prove::print_list("steps", recording.steps, prove::print_step);
  std::printf("}\n");
}

template <int N>
std::vector<Recorded> values(const Expansion<Recorded, N>& x) {
  return {std::begin(x.limb), std::end(x.limb)};
}

/// The network of operation(x, y) with operands of N and M limbs.
template <int N, int M, class Operation>
void print_operation(const char* name, const Exactly& exactly, Operation operation) {
  print_network(name, exactly, [&] {
    const auto x = operand<N>();
    const auto y = operand<M>();
    return values(operation(x, y));
  });
}

/// What an accumulator of N levels does between two calls of carry(), and the carry.
template <int N, class Add>
void print_period(const char* name, bool products, Add add) {
  Exactly exactly{{0}, {}, {}};
  for (int i = 1, term = 0; term < Accumulator<Recorded, N>::period; ++term) {
    if (products) {
      exactly.products.push_back({i, i + 1});
    } else {
      exactly.plus.push_back(i);
    }
    i += products ? 2 : 1;
  }
  print_network(name, exactly, [&] {
    Accumulator<Recorded, N> sum;
    const auto levels = operand<N>();
    for (int i = 0; i < N; ++i) sum.level[i] = levels.limb[i];
    for (int term = 0; term < sum.period; ++term) add(sum);
    sum.carry();
    return std::vector<Recorded>(std::begin(sum.level), std::end(sum.level));
  });
}

template <int N>
void print_periods(const char* sum, const char* dot) {
  print_period<N>(sum, false, [](auto& a) { a.add(operand<N>()); });
  print_period<N>(dot, true, [](auto& a) {
    const auto x = operand<N>();
    a.add_product(x, operand<N>());
  });
}

// The parts of a division (digits.hpp): a digit, the rest after it, and the sum of the digits.

/// A digit of r / y from two limbs of each and an approximate inverse.
void print_digit() {
  print_network("digit", {}, [&] {
    const auto r = operand<2>();
    const auto y = operand<2>();
    const auto inverse = operand<1>();
    return std::vector<Recorded>{mct::detail::quotient_digit(r, y, inverse.limb[0])};
  });
}

/// N limbs of r + n y for r and y of R and Y limbs; n is a digit with its sign changed.
template <int N, int R, int Y>
void print_rest(const char* name) {
  print_network(name, {{0}, {}, {{1, 2}}}, [&] {
    const auto r = operand<R>();
    const auto n = operand<1>().limb[0];
    const auto y = operand<Y>();
    using mct::detail::wire;
    if constexpr (N == 2) {
      return values(mct::detail::rest_double_word(n, r.limb[0], wire<1>(r), wire<2>(r), y.limb[0],
                                                  wire<1>(y), wire<2>(y)));
    } else if constexpr (N == 3) {
      return values(mct::detail::rest_triple_word(n, r.limb[0], wire<1>(r), wire<2>(r), wire<3>(r),
                                                  y.limb[0], wire<1>(y), wire<2>(y), wire<3>(y)));
    } else {
      return values(mct::detail::rest_quad_word(n, r.limb[0], wire<1>(r), wire<2>(r), wire<3>(r),
                                                y.limb[0], wire<1>(y), wire<2>(y), wire<3>(y)));
    }
  });
}

template <int N>
void print_quotient(const char* name) {
  print_operation<N, N>(
      name, {}, [](const auto& x, const auto& y) { return mct::detail::quotient_limbs<N>(x, y); });
}

template <int N>
void print_root(const char* name) {
  print_network(name, {{}, {}, {}}, [] { return values(mct::detail::sqrt_limbs(operand<N>())); });
}

template <int N>
void print_sum_of_digits(const char* name) {
  print_network(name, {{0}, {}, {}}, [&] {
    const auto q = operand<N>();
    return std::apply([](auto... digit) { return values(mct::detail::sum_of_digits(digit...)); },
                      std::to_array(q.limb));
  });
}

}  // namespace

int main() {
  const auto add = [](const auto& x, const auto& y) { return mct::add(x, y); };
  const auto add_float = [](const auto& x, const auto& y) { return mct::add(x, y.limb[0]); };
  const auto sub = [](const auto& x, const auto& y) { return mct::sub(x, y); };
  const auto mul = [](const auto& x, const auto& y) { return mct::mul(x, y); };
  const auto mul_float = [](const auto& x, const auto& y) { return mct::mul(x, y.limb[0]); };
  const Exactly sum{{0, 1}, {}, {}};
  const Exactly difference{{0}, {1}, {}};
  const Exactly product{{}, {}, {{0, 1}}};
  print_operation<2, 2>("add 2", sum, add);
  print_operation<2, 1>("add_float 2", sum, add_float);
  print_operation<2, 2>("sub 2", difference, sub);
  print_operation<2, 2>("mul 2", product, mul);
  print_operation<2, 1>("mul_float 2", product, mul_float);
  print_operation<3, 3>("add 3", sum, add);
  print_operation<3, 1>("add_float 3", sum, add_float);
  print_operation<3, 3>("mul 3", product, mul);
  print_operation<3, 1>("mul_float 3", product, mul_float);
  print_operation<4, 4>("add 4", sum, add);
  print_operation<4, 1>("add_float 4", sum, add_float);
  print_operation<4, 4>("mul 4", product, mul);
  print_operation<4, 1>("mul_float 4", product, mul_float);
  print_operation<5, 5>("add_five", sum,
                        [](const auto& x, const auto& y) { return mct::detail::add_five(x, y); });
  print_operation<5, 5>("mul_five", product,
                        [](const auto& x, const auto& y) { return mct::detail::mul_five(x, y); });
  print_digit();
  print_rest<2, 2, 2>("rest 2 of 2");
  print_rest<3, 3, 3>("rest 3 of 3");
  print_rest<2, 3, 3>("rest 2 of 3");
  print_rest<4, 4, 4>("rest 4 of 4");
  print_rest<3, 4, 4>("rest 3 of 4");
  print_rest<2, 3, 4>("rest 2 of 4");
  print_rest<3, 3, 1>("rest 3 of 3 of root");
  print_rest<2, 3, 2>("rest 2 of 3 of root");
  print_rest<4, 4, 1>("rest 4 of 4 of root");
  print_rest<3, 4, 2>("rest 3 of 4 of root");
  print_rest<2, 3, 3>("rest 2 of 4 of root");
  print_root<3>("root 3");
  print_root<4>("root 4");
  print_quotient<2>("quotient 2");
  print_quotient<3>("quotient 3");
  print_quotient<4>("quotient 4");
  print_sum_of_digits<2>("sum_of_digits 2");
  print_sum_of_digits<3>("sum_of_digits 3");
  print_sum_of_digits<4>("sum_of_digits 4");
  print_periods<2>("sum 2", "dot 2");
  print_periods<3>("sum 3", "dot 3");
  print_periods<4>("sum 4", "dot 4");
}
