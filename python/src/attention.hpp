// What the files of attention share.
#pragma once

#include "any_tensor.hpp"
#include "mctensor/attention/scores.hpp"
#include "mctensor/base/names.hpp"

namespace mct::python {

/// As Python names what compares vectors that are mapped already.
inline constexpr Names<attention::Score, 6> score_names{
    {{attention::Score::dot_product, "dot_product"},
     {attention::Score::gaussian, "gaussian"},
     {attention::Score::laplacian, "laplacian"},
     {attention::Score::umbral, "umbral"},
     {attention::Score::penumbral, "penumbral"},
     {attention::Score::distance, "distance"}}};

void bind_attention_device(nb::module_& m);

}  // namespace mct::python
