// The formulas of cones, recorded.
#include "mctensor/geometry/cones/cones.hpp"
#include "src/geometry/programs/record_formula.hpp"

namespace mct::geometry_detail {
namespace {

/// The formulas of cones of a system.
template <class C>
struct ConeSpace {
  static constexpr std::size_t radii = C::radii;
  template <class W>
  static auto formulas(const std::array<W, radii>& k) {
    const auto any = [&]<std::size_t... i>(std::index_sequence<i...>) {
      using M = std::remove_cvref_t<decltype(std::declval<C>().manifold())>;
      return C(M(1.0), 1 / double(i + 1)...);
    }
    (std::make_index_sequence<radii - 1>());
    return any.formulas_at(k);
  }
};

template <class C>
Results record_of(ConeOperationName operation, const Parts& parts, unsigned wanted, int digits) {
  switch (operation) {
#define MCT_RECORD(op, kinds, gives) \
  case ConeOperationName::op:        \
    return record_if_there<geometry::operation::op, ConeSpace<C>, C>(parts, wanted, digits);
    MCT_FOR_EACH_CONE_OPERATION(MCT_RECORD)
    MCT_RECORD(projx, p, point)
#undef MCT_RECORD
    default:
      throw NoProgram();
  }
}

template <template <class> class Model>
Results record_in(const ProgramOf& of, const Parts& parts, unsigned wanted, int digits) {
  using M = Model<double>;
  switch (of.cones) {
    case ConeSystemName::umbral:
      return record_of<geometry::UmbralCones<M>>(of.cone_operation, parts, wanted, digits);
    case ConeSystemName::penumbral:
      return record_of<geometry::PenumbralCones<M>>(of.cone_operation, parts, wanted, digits);
    default:
      return record_of<geometry::AntumbralCones<M>>(of.cone_operation, parts, wanted, digits);
  }
}

}  // namespace

Results record_cones(const ProgramOf& of, int n, unsigned wanted, int digits) {
  const Parts parts = parts_of(of.model, n);
  if (of.model == Model::ball) return record_in<geometry::PoincareBall>(of, parts, wanted, digits);
  return record_in<geometry::HalfSpace>(of, parts, wanted, digits);
}

}  // namespace mct::geometry_detail
