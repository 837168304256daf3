// What a run leaves: points in several formats, a picture, a page, metrics.
#pragma once

#include "apps/mct/embed/run.hpp"

namespace mct::cli {

/// Ranks all nodes, writes the files and prints what they are.
void write_results(const embed::Trainer& trainer, const RunFiles& files, const RunResult& result);

}  // namespace mct::cli
