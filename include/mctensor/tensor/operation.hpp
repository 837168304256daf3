// The list of element-wise operations that are compiled into the library.
//
// An entry has everything about an operation except its formulas:
//   name, the type of its function (math/plain/functions.hpp; NoFunction: arithmetic, whose formula
//   stands in src/tensor/kernels/operations.hpp), kind, meaning, domain, where results of
//   functions are exact, the names of NumPy's ufuncs, what its gradient keeps, gradient.
// The gradient is an expression with the functions of autograd/gradients.hpp. Its tensors have M
// components of T: g (the gradient of the result), a (the argument; a and b for two arguments) and
// r (the result).
//
// These are made from an entry:
// - the enumerators below;
// - the functions and methods of tensors (elementwise.hpp, methods.hpp);
// - the kernels of processors and GPUs;
// - the functions of variables (autograd/functions.hpp);
// - Python's functions and NumPy's ufuncs;
// - the domains and bounds of the suite (validation/core/operations_math.hpp) and of
//   docs/functions.md.
// A new function needs
// formulas in math/ and math/plain/, an entry here, and an oracle and a line in the suite.
#pragma once

namespace mct {

/// How an operation of numbers of several components is computed.
enum class OperationKind {
  arithmetic,  ///< a few sums and products, in SIMD lanes; compiled for every type on GPUs
  lanes,       ///< a function in SIMD lanes
  scalar       ///< a function computed element by element, because it branches
};

// clang-format off
/// Calls list(name, Type, kind, meaning, domain, exact, ufuncs, keeps, gradient) for every operation of one
/// operand, arithmetic first. Where a function has a corner, the gradient is one of its one-sided
/// slopes or their mean, as in PyTorch.
#define MCT_FOR_EACH_UNARY(list) \
  list(neg, NoFunction, arithmetic, "-x", "all x", "", "negative", nothing, -g) \
  list(abs, NoFunction, arithmetic, "|x|", "all x", "", "absolute fabs", argument, g * sign(a)) \
  list(square, NoFunction, arithmetic, "x^2", "all x", "", "square", argument, mul_(g * a, T(2))) \
  list(sqrt, NoFunction, arithmetic, "the square root", "x >= 0", "", "sqrt", result, mul_(g / r, T(0.5))) \
  list(rsqrt, Rsqrt, arithmetic, "1 / sqrt(x)", "x >= 0", "", "", result, \
       g * ((r * T(-0.5)) * mct::square(r))) \
  list(relu, NoFunction, arithmetic, "max(x, 0)", "all x", "", "", result, masked(r.fc() > T(0), g)) \
  list(exp, Exp, lanes, "e^x", "all x", "1 at 0", "exp", result, g * r) \
  list(exp2, Exp2, lanes, "2^x", "all x", "whole x", "exp2", result, g * (r * ln2<T, M>())) \
  list(expm1, Expm1, lanes, "e^x - 1", "all x", "0 at 0", "expm1", argument, g * mct::exp(a)) \
  list(exp2m1, Exp2m1, lanes, "2^x - 1", "all x", "whole x", "", argument, g * (mct::exp2(a) * ln2<T, M>())) \
  list(log, Log, lanes, "the natural logarithm", "x > 0", "0 at 1", "log", argument, g / a) \
  list(log2, Log2, lanes, "the logarithm to base 2", "x > 0", "powers of two", "log2", argument, \
       g / (a * ln2<T, M>())) \
  list(log1p, Log1p, lanes, "log(1 + x)", "x > -1", "0 at 0", "log1p", argument, g * (T(1) / (a + T(1)))) \
  list(log2p1, Log2p1, lanes, "log2(1 + x)", "x > -1", "1 + x a power of two", "", argument, \
       g / ((a + T(1)) * ln2<T, M>())) \
  list(sinh, Sinh, lanes, "the hyperbolic sine", "all x", "0 at 0", "sinh", argument, g * mct::cosh(a)) \
  list(cosh, Cosh, lanes, "the hyperbolic cosine", "all x", "1 at 0", "cosh", argument, g * mct::sinh(a)) \
  list(tanh, Tanh, lanes, "the hyperbolic tangent", "all x", "0 at 0", "tanh", result, g * ((T(1) - r) * (T(1) + r))) \
  list(sigmoid, Sigmoid, lanes, "1 / (1 + e^-x)", "all x", "1/2 at 0", "", result, g * (r * (T(1) - r))) \
  list(logit, Logit, lanes, "log(x / (1 - x))", "0 <= x <= 1", "0 at 1/2", "", argument, g / (a * (T(1) - a))) \
  list(softplus, Softplus, lanes, "log(1 + e^x)", "all x", "", "", argument, g * mct::sigmoid(a)) \
  list(gelu, Gelu, scalar, "x erfc(-x / sqrt 2) / 2", "all x", "0 at 0", "", both, gelu_gradient<N>(g, a, r)) \
  list(sin, Sin, scalar, "the sine", "all finite x", "0 at 0", "sin", argument, g * mct::cos(a)) \
  list(cos, Cos, scalar, "the cosine", "all finite x", "1 at 0", "cos", argument, g * -mct::sin(a)) \
  list(tan, Tan, scalar, "the tangent", "all finite x", "0 at 0", "tan", result, g * (mct::square(r) + T(1))) \
  list(sinpi, Sinpi, scalar, "sin(pi x)", "all finite x", "multiples of 1/2", "", argument, \
       g * (mct::cospi(a) * numbers::pi_v<Expansion<T, M>>)) \
  list(cospi, Cospi, scalar, "cos(pi x)", "all finite x", "multiples of 1/2", "", argument, \
       g * (mct::sinpi(a) * -numbers::pi_v<Expansion<T, M>>)) \
  list(asin, Asin, scalar, "the arc sine", "|x| <= 1", "0 at 0", "arcsin", argument, g * asin_slope(a)) \
  list(acos, Acos, scalar, "the arc cosine", "|x| <= 1", "0 at 1", "arccos", argument, g * -asin_slope(a)) \
  list(atan, Atan, scalar, "the arc tangent", "all x", "0 at 0", "arctan", argument, g * atan_slope(a)) \
  list(asinh, Asinh, scalar, "the inverse of sinh", "all x", "0 at 0", "arcsinh", argument, g * asinh_slope(a)) \
  list(acosh, Acosh, scalar, "the inverse of cosh", "x >= 1", "0 at 1", "arccosh", argument, g * acosh_slope(a)) \
  list(atanh, Atanh, scalar, "the inverse of tanh", "|x| <= 1", "0 at 0", "arctanh", argument, \
       g * (T(1) / ((T(1) - a) * (T(1) + a)))) \
  list(erf, Erf, scalar, "the error function", "all x", "0 at 0", "", argument, g * erf_slope(a)) \
  list(erfc, Erfc, scalar, "1 - erf(x)", "all x", "1 at 0", "", argument, g * -erf_slope(a)) \
  list(cbrt, Cbrt, scalar, "the cube root", "all x", "cubes", "cbrt", result, g * (T(1) / (mct::square(r) * T(3))))

/// Calls list(name, Type, kind, meaning, domain, exact, ufuncs) for the arithmetic of two operands.
/// The gradients are in autograd/arithmetic.hpp, because they have parts in common.
#define MCT_FOR_EACH_BINARY_ARITHMETIC(list) \
  list(add, NoFunction, arithmetic, "x + y", "all x, y", "", "add") \
  list(sub, NoFunction, arithmetic, "x - y", "all x, y", "", "subtract") \
  list(mul, NoFunction, arithmetic, "x y", "all x, y", "", "multiply") \
  list(div, NoFunction, arithmetic, "x / y", "all x, y", "", "divide true_divide") \
  list(maximum, NoFunction, arithmetic, "the larger one; NaN if either is", "all x, y", "", "maximum") \
  list(minimum, NoFunction, arithmetic, "the smaller one; NaN if either is", "all x, y", "", "minimum")

/// Calls list(name, Type, kind, meaning, domain, exact, ufuncs, gradient of x, of y) for every function of
/// two operands.
#define MCT_FOR_EACH_BINARY_FUNCTION(list) \
  list(pow, Pow, scalar, "x^y", "x > 0, or y an integer", "every such power, of fractions too (4^1.5)", \
       "power float_power", pow_gradient_of_base(g, a, b), pow_gradient_of_exponent(g, a, b, r)) \
  list(hypot, Hypot, scalar, "sqrt(x^2 + y^2)", "all x, y", "right triangles with such sides", "hypot", \
       g * part_of(a, r), g * part_of(b, r))

#define MCT_FOR_EACH_BINARY(list) \
  MCT_FOR_EACH_BINARY_ARITHMETIC(list) MCT_FOR_EACH_BINARY_FUNCTION(list)
// clang-format on

#define MCT_ENUMERATE(name, ...) name,
enum class Unary { MCT_FOR_EACH_UNARY(MCT_ENUMERATE) count };

enum class Binary { MCT_FOR_EACH_BINARY(MCT_ENUMERATE) count };
#undef MCT_ENUMERATE

/// mul_add: a b + c. clamp: min(max(a, b), c).
enum class Ternary { mul_add, clamp, count };

/// How the numbers of a dimension are reduced to one.
enum class Reduce { sum, mean, max, min };

enum class Compare { eq, ne, lt, le, count };

/// The texts of an entry.
struct OperationEntry {
  const char* name;
  OperationKind kind;
  const char *meaning, *domain, *exact, *ufuncs;  ///< ufuncs: names with spaces between them
};

#define MCT_ENTER(name, Type, kind, meaning, domain, exact, ufuncs, ...) \
  {#name, OperationKind::kind, meaning, domain, exact, ufuncs},
inline constexpr OperationEntry unary_entries[] = {MCT_FOR_EACH_UNARY(MCT_ENTER)};
inline constexpr OperationEntry binary_entries[] = {MCT_FOR_EACH_BINARY(MCT_ENTER)};
#undef MCT_ENTER

constexpr const OperationEntry& entry_of(Unary op) { return unary_entries[int(op)]; }
constexpr const OperationEntry& entry_of(Binary op) { return binary_entries[int(op)]; }

/// The number of arithmetic operations, which come first in the list.
template <class Op>
inline constexpr int arithmetic_count = [] {
  int n = 0;
  while (n < int(Op::count) && entry_of(Op(n)).kind == OperationKind::arithmetic) ++n;
  return n;
}();

}  // namespace mct
