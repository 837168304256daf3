// The algorithms of Yu 2024 (chapter 3 and appendix B) under their numbers, as printed and
// corrected.
//
// They serve comparisons with the operators of Expansion, which use better algorithms. Where the
// printed text is wrong, the corrected form is here, and docs/errata.md explains the difference. A
// policy selects the form of the published Python library instead.
#pragma once

#include "mctensor/expansion/published/blocks.hpp"
#include "mctensor/expansion/published/mcn.hpp"
