// The results of a run: points in several formats, a picture, a page, metrics.
#pragma once

#include <cstddef>
#include <optional>

#include "apps/mct/embed/run.hpp"

namespace mct::cli {

/// Ranks nodes, writes the files and prints what they are. So many nodes are ranked, 0: all; if it
/// is not said, all of up to 100,000, and 10,000 of more.
void write_results(const embed::Trainer& trainer, const EmbedFiles& files, const RunResult& result,
                   std::optional<std::size_t> objects);

}  // namespace mct::cli
