// Files of points of tilings.
#include <cmath>
#include <vector>

#include "fuzz/target.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/optim/tiling_points.hpp"

namespace mct::fuzz {
namespace {

using namespace mct::geometry;  // NOLINT(google-build-using-namespace)

using LPlane = LTiling<f64x2>;
using HSpace = HTiling<double, 3>;
using Pairs = LTilingProduct<double>;

template <class Space>
auto points_of(const Space& space) {
  return TilingPoints<typename Space::Point>(2, space.origin());
}

template <class Space>
void read(const Space& space, const std::filesystem::path& path) {
  const auto points = points_of(space);
  try {
    load_points(path, points);
  } catch (const IoError&) {
    return;
  }
  const auto distance = space.dist(points[0], points[1]);
  require(!(distance < decltype(distance)(0)), "a distance is not negative");
  std::vector<std::int64_t> words;
  for (std::int64_t row = 0; row < points.rows(); ++row)
    geometry::optim_detail::write_tile(words, points[row]);
  geometry::optim_detail::IntegerReader reader(words);
  auto point = space.origin();
  for (std::int64_t row = 0; row < points.rows(); ++row)
    geometry::optim_detail::read_tile(reader, point);
  require(reader.at_end(), "the tiles of points are read as they are written");
}

/// Two points some way from the origin, in one direction and the other.
template <class Space>
void write(const Space& space, double way, const std::filesystem::path& path) {
  const auto points = points_of(space);
  for (std::int64_t row = 0; row < 2; ++row) {
    auto tangent = space.logmap(space.origin(), space.origin());
    if constexpr (std::is_same_v<Space, Pairs>) {
      tangent[0][0] = row == 0 ? way : -way;
    } else {
      tangent[0] = typename Space::Tangent::value_type(row == 0 ? way : -way);
    }
    points[row] = space.expmap(space.origin(), tangent);
  }
  save_points(path, points);
}

}  // namespace

void write_seeds(const std::filesystem::path& directory) {
  write(LPlane(), 3, directory / "plane");
  write(LPlane(), 60, directory / "plane_far");
  write(HSpace(), 2.5, directory / "space");
  write(HSpace(), 100, directory / "space_far");
  write(Pairs(2), 5, directory / "product");
}

}  // namespace mct::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mct::fuzz;  // NOLINT(google-build-using-namespace)
  const auto path = as_file("points.safetensors", data, size);
  read(LPlane(), path);
  read(HSpace(), path);
  read(Pairs(2), path);
  return 0;
}
