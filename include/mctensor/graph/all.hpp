// Graphs and trees: files, parts, statistics.
#pragma once

#include "mctensor/graph/closure.hpp"
#include "mctensor/graph/components.hpp"
#include "mctensor/graph/graph.hpp"
#include "mctensor/graph/labelled_pairs.hpp"
#include "mctensor/graph/name_table.hpp"
#include "mctensor/graph/read_graph.hpp"
#include "mctensor/graph/read_hierarchy.hpp"
#include "mctensor/graph/spanning_forest.hpp"
#include "mctensor/graph/split.hpp"
#include "mctensor/graph/statistics.hpp"
#include "mctensor/graph/tree.hpp"
#include "mctensor/graph/usual_graph.hpp"
#include "mctensor/graph/wordnet.hpp"
