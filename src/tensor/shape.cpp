#include "mctensor/tensor/shape.hpp"

#include <algorithm>

#include "mctensor/error.hpp"

namespace mct {

std::string to_string(const Shape& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::int64_t numel(const Shape& shape) {
  constexpr std::int64_t limit = std::int64_t(1) << 62;
  std::int64_t count = 1;
  bool empty = false;
  for (const std::int64_t size : shape) {
    if (size < 0) throw ShapeError("shape " + to_string(shape) + " has a negative size");
    empty = empty || size == 0;
    if (size > 0 && count > limit / size)
      throw ShapeError("shape " + to_string(shape) + " has more than 2^62 elements");
    if (size > 0) count *= size;
  }
  return empty ? 0 : count;
}

Shape leading_shape(const Shape& shape, int last) {
  if (std::int64_t(shape.size()) < last)
    throw ShapeError("shape " + to_string(shape) + " has fewer than " + std::to_string(last) +
                     (last == 1 ? " dimension" : " dimensions"));
  return Shape(shape.begin(), shape.end() - last);
}

Shape contiguous_strides(const Shape& shape) {
  numel(shape);  // throws where the strides would overflow
  Shape strides(shape.size());
  std::int64_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= std::max<std::int64_t>(shape[i], 1);
  }
  return strides;
}

Shape broadcast_shapes(const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape result = longer;
  const std::size_t offset = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    std::int64_t& size = result[offset + i];
    if (size == shorter[i] || shorter[i] == 1) continue;
    if (size != 1)
      throw ShapeError("shapes " + to_string(a) + " and " + to_string(b) +
                       " cannot be broadcast together");
    size = shorter[i];
  }
  return result;
}

std::size_t normalize_dim(std::int64_t dim, const Shape& shape) {
  const auto dims = std::int64_t(shape.size());
  if (dim < -dims || dim >= dims)
    throw ShapeError("dimension " + std::to_string(dim) + " of a tensor of shape " +
                     to_string(shape) + " does not exist");
  return std::size_t(dim < 0 ? dim + dims : dim);
}

Shape infer_shape(const Shape& shape, std::int64_t count) {
  const auto fail = [&] {
    return ShapeError("cannot reshape " + std::to_string(count) + " elements to " +
                      to_string(shape));
  };
  Shape result = shape;
  const auto open = std::find(result.begin(), result.end(), -1);
  if (open != result.end()) {
    *open = 1;
    const std::int64_t rest = numel(result);
    if (rest == 0 || count % rest != 0) throw fail();
    *open = count / rest;
  }
  if (numel(result) != count) throw fail();
  return result;
}

}  // namespace mct
