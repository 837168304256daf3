// The settings from which `mct train hyla` chooses if no options are given. The first settings are
// table A.4 of Yu 2024 and the settings files of its authors. Deviations in these files are twice
// ours: their waves have lambda / 2 in the place of lambda in Algorithm 1.
#include "apps/mct/train/hyla_settings.hpp"

#include <algorithm>
#include <string_view>

namespace mct::cli::train {

namespace {

struct Row {
  std::string_view graph;
  FeatureKind kind;
  bool of_nodes;
  int hops;
  bool divided;
  std::int64_t dimensions, waves;
  double deviation, point_lr, weight_lr, weight_decay;
  int epochs;
};
using enum FeatureKind;
constexpr Row rows_of_graphs[] = {
    {"cora", plain, false, 2, true, 16, 100, 0.5, 0, 0.2, 1e-4, 100},
    {"cora", fourier, false, 2, false, 16, 100, 1, 1, 0.01, 0, 100},
    {"cora", hyla, false, 2, false, 16, 100, 0.5, 0.1, 0.01, 0, 100},
    {"cora", fourier, true, 2, false, 16, 100, 1, 10, 0.1, 0, 100},
    {"cora", hyla, true, 2, false, 16, 100, 0.5, 5, 0.1, 0, 100},
    {"citeseer", plain, false, 2, true, 16, 100, 0.5, 0, 0.2, 2e-4, 100},
    {"citeseer", fourier, false, 5, false, 16, 100, 1, 1, 0.01, 0, 100},
    {"citeseer", hyla, false, 3, false, 16, 100, 0.5, 0.05, 0.01, 0, 100},
    {"citeseer", fourier, true, 2, false, 16, 100, 1, 10, 0.1, 0, 100},
    {"citeseer", hyla, true, 2, false, 16, 100, 0.5, 5, 0.1, 0, 100},
    {"airport", plain, false, 2, false, 16, 100, 0.5, 0, 0.1, 0, 100},
    {"airport", fourier, false, 2, false, 16, 100, 1, 1, 0.1, 0, 100},
    {"airport", hyla, false, 2, false, 16, 100, 0.5, 0.1, 0.1, 0, 100},
    {"airport", fourier, true, 2, false, 16, 100, 1, 10, 0.1, 0, 100},
    {"airport", hyla, true, 2, false, 16, 100, 0.005, 5, 0.1, 0, 100},
    {"disease", plain, false, 2, false, 16, 100, 0.5, 0, 0.1, 0, 100},
    {"disease", fourier, false, 2, false, 16, 100, 1, 10, 0.1, 0, 100},
    {"disease", hyla, false, 2, false, 16, 100, 0.5, 5, 0.1, 0, 100},
    {"disease", fourier, true, 2, false, 16, 100, 1, 10, 0.1, 0, 100},
    {"disease", hyla, true, 2, false, 16, 100, 0.5, 5, 0.1, 0, 100},
    {"tree", plain, false, 5, false, 16, 100, 1, 0, 0.01, 0, 300},
    {"tree", fourier, false, 5, false, 16, 100, 1, 0.05, 0.01, 0, 300},
    {"tree", hyla, false, 5, false, 16, 100, 1, 0.05, 0.01, 0, 300},
    {"tree", fourier, true, 5, false, 16, 100, 1, 0.05, 0.01, 0, 300},
    {"tree", hyla, true, 5, false, 16, 100, 1, 0.05, 0.01, 0, 300},
    // settings of table A.4, and of the programs for texts, which were best for no graph here
    {"", plain, false, 2, true, 16, 100, 0.5, 0, 0.2, 1e-5, 100},
    {"", fourier, false, 2, true, 16, 100, 1, 10, 0.1, 0, 100},
    {"", hyla, false, 2, true, 16, 100, 0.5, 10, 0.1, 0, 100},
    {"", hyla, false, 5, false, 16, 500, 0.005, 0.1, 0.001, 0, 100},
    {"", hyla, false, 0, false, 50, 100, 0.005, 0.001, 0.001, 0, 200},
    {"", fourier, false, 0, false, 50, 300, 0.5, 0.005, 0.01, 0, 200},
    {"", hyla, true, 2, false, 16, 1000, 0.005, 0.5, 0.1, 0, 100},
};

}  // namespace

std::vector<HylaSetting> hyla_settings(std::string_view graph, FeatureKind kind, bool of_nodes,
                                       bool all) {
  // both trees of HGCN have the same settings
  const std::string_view name = graph.starts_with("disease_") ? "disease" : graph;
  const bool known = !all && std::any_of(std::begin(rows_of_graphs), std::end(rows_of_graphs),
                                         [&](const Row& row) { return row.graph == name; });
  std::vector<HylaSetting> result;
  for (const Row& row : rows_of_graphs)
    if (row.kind == kind && row.of_nodes == of_nodes && (!known || row.graph == name))
      result.push_back({row.hops,
                        row.divided,
                        {.kind = kind,
                         .dimensions = row.dimensions,
                         .waves = row.waves,
                         .deviation = row.deviation,
                         .point_lr = row.point_lr,
                         .weight_lr = row.weight_lr,
                         .weight_decay = row.weight_decay,
                         .epochs = row.epochs}});
  return result;
}

}  // namespace mct::cli::train
