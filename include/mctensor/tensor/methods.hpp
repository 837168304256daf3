// The functions of one tensor of numbers as methods: x.exp(), x.sum({1}).
//
// Error, domain and bits: as the functions with the same names. Source: elementwise.hpp,
// reduce.hpp.
#pragma once

#include "mctensor/tensor/operation.hpp"
#include "mctensor/tensor/shape.hpp"

namespace mct {

template <class T, int N>
class Tensor;

namespace tensor_detail {

// the compiled entry points of elementwise.hpp and reduce.hpp
template <class T, int N>
void run_unary(Unary op, const Tensor<T, N>& out, const Tensor<T, N>& x);
template <class T, int N>
Tensor<T, N> run_reduction(Reduce op, const Tensor<T, N>& x, const Shape& dims, bool keepdim);
template <class T, int N>
Tensor<std::int64_t, 1> run_arg_extreme(bool largest, const Tensor<T, N>& x, std::int64_t dim,
                                        bool keepdim);
template <class T, int N>
Tensor<T, N> run_norm(const Tensor<T, N>& x, double p, const Shape& dims, bool keepdim);

}  // namespace tensor_detail

/// The methods of a tensor X of numbers.
template <class X>
class NumberMethods {
 public:
#define MCT_UNARY_METHOD(name, ...) \
  X name() const { return unary(Unary::name); }
  MCT_FOR_EACH_UNARY(MCT_UNARY_METHOD)
#undef MCT_UNARY_METHOD

  X sum(const Shape& dims = {}, bool keepdim = false) const {
    return tensor_detail::run_reduction(Reduce::sum, self(), dims, keepdim);
  }
  X mean(const Shape& dims = {}, bool keepdim = false) const {
    return tensor_detail::run_reduction(Reduce::mean, self(), dims, keepdim);
  }
  X max(const Shape& dims = {}, bool keepdim = false) const {
    return tensor_detail::run_reduction(Reduce::max, self(), dims, keepdim);
  }
  X min(const Shape& dims = {}, bool keepdim = false) const {
    return tensor_detail::run_reduction(Reduce::min, self(), dims, keepdim);
  }
  auto argmax(std::int64_t dim, bool keepdim = false) const {
    return tensor_detail::run_arg_extreme(true, self(), dim, keepdim);
  }
  auto argmin(std::int64_t dim, bool keepdim = false) const {
    return tensor_detail::run_arg_extreme(false, self(), dim, keepdim);
  }
  auto argmax() const { return self().flatten().argmax(0); }
  auto argmin() const { return self().flatten().argmin(0); }
  X norm(double p = 2, const Shape& dims = {}, bool keepdim = false) const {
    return tensor_detail::run_norm(self(), p, dims, keepdim);
  }

 private:
  const X& self() const { return static_cast<const X&>(*this); }
  X unary(Unary op) const {
    X out = X::uninitialized(self().shape());
    tensor_detail::run_unary(op, out, self());
    return out;
  }
};

/// Masks and indices have no such methods.
struct NoMethods {};

}  // namespace mct
