// Trees and graphs: files, parts, statistics, embeddings.
#pragma once

#include "mctensor/embed/closure.hpp"
#include "mctensor/embed/components.hpp"
#include "mctensor/embed/cone_evaluation.hpp"
#include "mctensor/embed/cone_training.hpp"
#include "mctensor/embed/embedding.hpp"
#include "mctensor/embed/graph.hpp"
#include "mctensor/embed/name_table.hpp"
#include "mctensor/embed/read_graph.hpp"
#include "mctensor/embed/sarkar.hpp"
#include "mctensor/embed/split.hpp"
#include "mctensor/embed/statistics.hpp"
#include "mctensor/embed/tree.hpp"
#include "mctensor/embed/wordnet.hpp"
