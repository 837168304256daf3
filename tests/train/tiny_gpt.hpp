// A GPT that is trained in a moment.
#pragma once

#include <string>

#include "apps/mct/train/gpt_train.hpp"

namespace mct::test {

inline cli::train::Corpus tiny_corpus() {
  std::string text;
  for (int i = 0; i < 45000; ++i) text += char('a' + i * i % 7 * (i % 3));
  return cli::train::make_corpus(text, "test", 8);
}

inline cli::train::GptOptions tiny_options() {
  cli::train::GptOptions options;
  options.shape = {0, 8, 16, 2, 1, {}};
  options.steps = 20;
  options.batch = 4;
  options.warmup = 2;
  options.validation_sequences = 6;
  options.row_every = 2;
  options.rows_per_checkpoint = 2;
  return options;
}

}  // namespace mct::test
