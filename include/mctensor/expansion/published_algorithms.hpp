// The algorithms of Yu 2024 (chapter 3 and appendix B) under their numbers, as printed and
// corrected.
//
// They are here to be compared with the operators of Expansion, which use better ones. Where the
// printed text is wrong, the corrected form stands here and docs/errata.md tells the difference;
// where the published library behaves differently on purpose or by mistake, a policy selects it.
#pragma once

#include "mctensor/expansion/published/blocks.hpp"
#include "mctensor/expansion/published/mcn.hpp"
