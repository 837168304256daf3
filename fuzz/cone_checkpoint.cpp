// States of trainings of cones: read, and then an epoch is run.
#include <memory>

#include "fuzz/target.hpp"
#include "mctensor/embed/cone_training.hpp"
#include "mctensor/error.hpp"
#include "mctensor/graph/closure.hpp"

namespace mct::fuzz {
namespace {

using namespace mct::embed;  // NOLINT(google-build-using-namespace)

/// Of a tree of five nodes, with the settings of a seed.
ConeTrainer trainer(const ConeSystem& cones) {
  auto names = std::make_shared<NameTable>();
  for (const char* name : {"a", "b", "c", "d", "e"}) names->enter(name);
  const Graph closure = transitive_closure(Graph(names, {1, 2, 3, 4}, {0, 0, 1, 1}));
  ConeTrainingOptions options;
  options.cones = cones;
  options.negatives = 2;
  options.check_every = 2;
  return {split_edges(closure, {100, 0, 0, 0}), closure, options};
}

template <class Call>
void for_each_kind(const Call& call) {
  call("umbral_half_space", ConeSystem{ConeKind::umbral, PointStorage::half_space, 2, 1, 0.05});
  call("penumbral_half_space", ConeSystem{ConeKind::penumbral, PointStorage::half_space, 3, 1, 20});
  call("entailment_ball", ConeSystem{ConeKind::entailment, PointStorage::ball, 5, 1, 0.1});
}

void read(const ConeSystem& cones, const std::filesystem::path& path) {
  ConeTrainer reader = trainer(cones);
  try {
    reader.load(path);
  } catch (const IoError&) {
    require(reader.epochs() == 0, "a file that is refused changes nothing");
    return;
  }
  const std::int64_t epoch = reader.epochs();
  require(epoch >= 0, "epochs are not negative");
  reader.advance(reader.batches_in_epoch());
  require(reader.epochs() == epoch + 1, "an epoch more is one more");
}

}  // namespace

void write_seeds(const std::filesystem::path& directory) {
  for_each_kind([&](const char* name, const ConeSystem& cones) {
    ConeTrainer writer = trainer(cones);
    for (int i = 0; i < 3; ++i) writer.advance(writer.batches_in_epoch());
    writer.save(directory / name);
  });
}

}  // namespace mct::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = mct::fuzz::as_file("state.safetensors", data, size);
  mct::fuzz::for_each_kind([&](const char*, const auto& cones) { mct::fuzz::read(cones, path); });
  return 0;
}
