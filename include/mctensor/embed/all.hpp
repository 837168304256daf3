// Trees and graphs: files, parts, statistics, embeddings, pictures.
#pragma once

#include "mctensor/embed/closure.hpp"
#include "mctensor/embed/components.hpp"
#include "mctensor/embed/disk.hpp"
#include "mctensor/embed/embedding.hpp"
#include "mctensor/embed/graph.hpp"
#include "mctensor/embed/name_table.hpp"
#include "mctensor/embed/picture.hpp"
#include "mctensor/embed/read_graph.hpp"
#include "mctensor/embed/sarkar.hpp"
#include "mctensor/embed/spanning_forest.hpp"
#include "mctensor/embed/statistics.hpp"
#include "mctensor/embed/tree.hpp"
#include "mctensor/embed/wordnet.hpp"
