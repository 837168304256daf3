// The kinds of rows that optimizers of a GPU have steps for.
#pragma once

namespace mct::cuda {

/// What rows are: geometry::ManifoldRows, or HalfSpaceRows of XmcHalfSpace or of McHalfSpace.
enum class RowKind { manifold, half_space, mc_half_space };

/// Tangent vectors and states of N-component points: of half-space rows in frames, in one
/// component.
template <RowKind kind, int N>
inline constexpr int components_of_vectors = kind == RowKind::manifold ? N : 1;

}  // namespace mct::cuda
