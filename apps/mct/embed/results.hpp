// The results of a run: points in several formats, a picture, a page, metrics.
#pragma once

#include <cstddef>
#include <optional>

#include "apps/mct/embed/run.hpp"

namespace mct::cli {

/// Ranks nodes, writes the files and prints their names. `objects` nodes are ranked, 0: all. If it
/// is not given, all nodes of up to 100,000 are ranked, and 10,000 of more.
void write_results(const embed::Trainer& trainer, const EmbedFiles& files, const RunResult& result,
                   std::optional<std::size_t> objects);

}  // namespace mct::cli
