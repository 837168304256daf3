// Matrices of MPFR numbers: the truth that decompositions are compared with.
#pragma once

#include <mpfr.h>

#include <utility>
#include <vector>

#include "tests/tensor/tensors.hpp"
#include "validation/core/real.hpp"

namespace mct::test {

/// A matrix of numbers of 1000 bits: far more than any expansion here.
class Exact {
 public:
  static constexpr mpfr_prec_t bits = 1000;

  Exact(std::int64_t rows, std::int64_t columns)
      : rows_(rows), columns_(columns), entries_(std::size_t(rows * columns), zero()) {}
  /// The numbers of a matrix, or of a vector as a column.
  template <class T, int N>
  explicit Exact(const Tensor<T, N>& x) : Exact(x.size(0), x.dim() == 1 ? 1 : x.size(1)) {
    const auto values = x.values();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto value = as_expansion<T, N>(values[i]);
      for (const T& limb : value.limb)
        mpfr_add_d(entries_[i].get(), entries_[i].get(), double(limb), MPFR_RNDN);
    }
  }
  static Exact identity(std::int64_t n) {
    Exact result(n, n);
    for (std::int64_t i = 0; i < n; ++i) mpfr_set_d(result.at(i, i), 1, MPFR_RNDN);
    return result;
  }

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  mpfr_ptr at(std::int64_t i, std::int64_t j) {
    return entries_[std::size_t(i * columns_ + j)].get();
  }
  mpfr_srcptr at(std::int64_t i, std::int64_t j) const {
    return entries_[std::size_t(i * columns_ + j)].get();
  }

  Exact t() const {
    Exact result(columns_, rows_);
    for (std::int64_t i = 0; i < rows_; ++i)
      for (std::int64_t j = 0; j < columns_; ++j) mpfr_set(result.at(j, i), at(i, j), MPFR_RNDN);
    return result;
  }
  Exact abs() const {
    Exact result(*this);
    for (auto& entry : result.entries_) mpfr_abs(entry.get(), entry.get(), MPFR_RNDN);
    return result;
  }
  friend Exact operator*(const Exact& x, const Exact& y) {
    Exact result(x.rows_, y.columns_);
    for (std::int64_t i = 0; i < x.rows_; ++i)
      for (std::int64_t j = 0; j < y.columns_; ++j)
        for (std::int64_t k = 0; k < x.columns_; ++k)
          mpfr_fma(result.at(i, j), x.at(i, k), y.at(k, j), result.at(i, j), MPFR_RNDN);
    return result;
  }
  friend Exact operator-(const Exact& x, const Exact& y) {
    Exact result(x);
    for (std::size_t i = 0; i < result.entries_.size(); ++i)
      mpfr_sub(result.entries_[i].get(), result.entries_[i].get(), y.entries_[i].get(), MPFR_RNDN);
    return result;
  }
  friend Exact operator+(const Exact& x, const Exact& y) {
    Exact result(x);
    for (std::size_t i = 0; i < result.entries_.size(); ++i)
      mpfr_add(result.entries_[i].get(), result.entries_[i].get(), y.entries_[i].get(), MPFR_RNDN);
    return result;
  }

  /// The root of the sum of squares.
  validation::Real frobenius() const {
    validation::Real sum = zero();
    for (const auto& entry : entries_)
      mpfr_fma(sum.get(), entry.get(), entry.get(), sum.get(), MPFR_RNDN);
    mpfr_sqrt(sum.get(), sum.get(), MPFR_RNDN);
    return sum;
  }
  /// The largest magnitude of a column.
  validation::Real column_maximum(std::int64_t j) const {
    validation::Real top = zero();
    for (std::int64_t i = 0; i < rows_; ++i)
      if (mpfr_cmpabs(at(i, j), top.get()) > 0) mpfr_abs(top.get(), at(i, j), MPFR_RNDN);
    return top;
  }

 private:
  static validation::Real zero() {
    validation::Real x(bits);
    mpfr_set_zero(x.get(), 1);
    return x;
  }
  std::int64_t rows_;
  std::int64_t columns_;
  std::vector<validation::Real> entries_;
};

/// x / y in units of u^N.
template <class T, int N>
double in_units(const validation::Real& x, const validation::Real& y) {
  return validation::scaled_ratio(validation::magnitude_of(x.get()),
                                  validation::magnitude_of(y.get()), long(N) * FloatTraits<T>::p);
}
/// |x|_F / |y|_F in units of u^N.
template <class T, int N>
double norm_error(const Exact& x, const Exact& y) {
  return in_units<T, N>(x.frobenius(), y.frobenius());
}
/// The largest |x_ij| / y_ij in units of u^N.
template <class T, int N>
double entry_error(const Exact& x, const Exact& y) {
  double worst = 0;
  for (std::int64_t i = 0; i < x.rows(); ++i)
    for (std::int64_t j = 0; j < x.columns(); ++j)
      worst = std::max(worst, validation::scaled_ratio(validation::magnitude_of(x.at(i, j)),
                                                       validation::magnitude_of(y.at(i, j)),
                                                       long(N) * FloatTraits<T>::p));
  return worst;
}
/// The largest |x - y|_inf / |y|_inf of a column, in units of u^N.
template <class T, int N>
double column_error(const Exact& x, const Exact& y) {
  double worst = 0;
  const Exact difference = x - y;
  for (std::int64_t j = 0; j < x.columns(); ++j)
    worst = std::max(worst, in_units<T, N>(difference.column_maximum(j), y.column_maximum(j)));
  return worst;
}

/// x with a x = b, by elimination with pivoting.
inline Exact true_solution(Exact a, Exact b) {
  const std::int64_t n = a.rows();
  validation::Real factor(Exact::bits);
  const auto eliminate = [&](std::int64_t i, std::int64_t k) {
    mpfr_div(factor.get(), a.at(i, k), a.at(k, k), MPFR_RNDN);
    mpfr_neg(factor.get(), factor.get(), MPFR_RNDN);
    for (std::int64_t j = k; j < n; ++j)
      mpfr_fma(a.at(i, j), factor.get(), a.at(k, j), a.at(i, j), MPFR_RNDN);
    for (std::int64_t j = 0; j < b.columns(); ++j)
      mpfr_fma(b.at(i, j), factor.get(), b.at(k, j), b.at(i, j), MPFR_RNDN);
  };
  for (std::int64_t k = 0; k < n; ++k) {
    std::int64_t best = k;
    for (std::int64_t i = k; i < n; ++i)
      if (mpfr_cmpabs(a.at(i, k), a.at(best, k)) > 0) best = i;
    for (std::int64_t j = 0; j < n; ++j) mpfr_swap(a.at(k, j), a.at(best, j));
    for (std::int64_t j = 0; j < b.columns(); ++j) mpfr_swap(b.at(k, j), b.at(best, j));
    for (std::int64_t i = 0; i < n; ++i)
      if (i != k) eliminate(i, k);
  }
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < b.columns(); ++j)
      mpfr_div(b.at(i, j), b.at(i, j), a.at(i, i), MPFR_RNDN);
  return b;
}

}  // namespace mct::test
