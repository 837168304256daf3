// The algorithms of Yu 2024 (chapter 3 and appendix B) under their numbers, as printed and
// corrected.
//
// They serve for comparison: the operators of Expansion use better algorithms. If the printed text
// of an algorithm is wrong, this is the corrected form, and docs/errata.md explains the difference.
// A policy selects the form of the published Python library instead.
#pragma once

#include "mctensor/expansion/published/blocks.hpp"
#include "mctensor/expansion/published/mcn.hpp"
