// How the compiled kernels of manifolds are found; see src/tensor/kernels/registry.hpp.
#pragma once

#include "src/geometry/kernels/manifold_table.hpp"
#include "src/geometry/kernels/program_table.hpp"
#include "src/tensor/kernels/registry.hpp"

namespace mct::geometry_detail {

MCT_DECLARE_KERNELS(template <int N> const ManifoldTable& manifold_table();
                    const StepTable& step_table();)

#define MCT_DEFINE_MANIFOLDS(N)                                               \
  template <>                                                                 \
  const ManifoldTable& manifold_table<N>() {                                  \
    static constexpr ManifoldTable table = kernels::make_manifold_table<N>(); \
    return table;                                                             \
  }

}  // namespace mct::geometry_detail
