// Attention over a sparse neighbourhood: every query sees only the keys of its neighbourhood. The
// kernels of the tiles compute it, with one query a tile and the query's keys gathered.
#pragma once

#include "src/attention/packed.hpp"

namespace mct::attention_detail {

/// attention::attend for a mask with a neighbourhood. Throws ShapeError, DomainError.
template <class E>
AttendedOf<E> attend_neighbours(attention::Score score, const OperandsOf<E>& of,
                                const MaskOf<E>& mask);
/// attention::attend_backward for such a mask and operands whose shapes fit.
template <class E>
GradientsOf<E> attend_neighbours_backward(attention::Score score, const OperandsOf<E>& of,
                                          const MaskOf<E>& mask, const AttendedOf<E>& result,
                                          const TensorOf<E>& gradient);

}  // namespace mct::attention_detail
