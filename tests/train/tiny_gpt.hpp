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
  options.shape.vocabulary = 0;
  options.shape.context = 8;
  options.shape.width = 16;
  options.shape.heads = 2;
  options.shape.layers = 1;
  options.steps = 20;
  options.batch = 4;
  options.warmup = 2;
  options.validation_sequences = 6;
  options.row_every = 2;
  options.rows_per_checkpoint = 2;
  return options;
}

}  // namespace mct::test
