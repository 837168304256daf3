#include "src/embed/whole_numbers.hpp"

#include <cmath>

namespace mct::embed {

using geometry::Integer;

Integer whole_from(const double* components, int count, std::ptrdiff_t apart) {
  Integer sum;
  for (int k = 0; k < count; ++k) sum = sum + Integer::from_double(components[k * apart]);
  return sum;
}

bool put_whole(Integer x, double* components, int count, std::ptrdiff_t apart) {
  for (int k = 0; k < count; ++k) {
    const auto part = x.scaled<double>();
    components[k * apart] = part;
    if (std::isfinite(part)) x = x - Integer::from_double(part);
  }
  return x.sign() == 0;
}

}  // namespace mct::embed
