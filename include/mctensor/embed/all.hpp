// Graphs, their embeddings and pictures.
#pragma once

#include "mctensor/embed/binary_scores.hpp"
#include "mctensor/embed/combinatorial.hpp"
#include "mctensor/embed/cone_evaluation.hpp"
#include "mctensor/embed/cone_training.hpp"
#include "mctensor/embed/device_train.hpp"
#include "mctensor/embed/distances.hpp"
#include "mctensor/embed/embedding.hpp"
#include "mctensor/embed/evaluate.hpp"
#include "mctensor/embed/export.hpp"
#include "mctensor/embed/link_prediction.hpp"
#include "mctensor/embed/sarkar.hpp"
#include "mctensor/embed/train.hpp"
#include "mctensor/embed/tune.hpp"
#include "mctensor/embed/usual_options.hpp"
#include "mctensor/graph/all.hpp"
#include "mctensor/pictures/all.hpp"
