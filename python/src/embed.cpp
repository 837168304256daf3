// Hierarchies, their training, and the embeddings that result from it.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "any_tensor.hpp"
#include "mctensor/embed/distances.hpp"
#include "mctensor/embed/evaluate.hpp"
#include "mctensor/embed/train.hpp"
#include "mctensor/embed/tune.hpp"
#include "mctensor/embed/usual_options.hpp"
#include "mctensor/graph/read_hierarchy.hpp"
#include "mctensor/graph/usual_graph.hpp"
#include "mctensor/pictures/disk.hpp"
#include "mctensor/pictures/picture.hpp"
#include "names.hpp"

namespace mct::python {

namespace {

using namespace mct::embed;
using Names = std::vector<std::string>;
using SharedGraph = std::shared_ptr<const Graph>;

nb::dict report_of(const EdgeListReport& report) {
  nb::dict result;
  result["edges"] = report.edges;
  result["duplicates"] = report.duplicates;
  result["self_loops"] = report.self_loops;
  return result;
}

nb::dict report_of(const HierarchyReport& report) {
  nb::dict result = report_of(static_cast<const EdgeListReport&>(report));
  result["format"] = hierarchy_format_names.of(report.format);
  result["lines"] = report.lines;
  if (report.format == HierarchyFormat::edge_list) {
    result["separator"] = separator_names.of(report.separator);
    result["header"] = report.header;
    result["comments"] = report.comments;
  } else if (report.format == HierarchyFormat::obo) {
    result["obsolete"] = report.obsolete;
    result["undefined"] = report.undefined;
  }
  return result;
}

/// The graph that `read` returns, and its report.
template <class Report, class Read>
nb::tuple with_report(const Read& read) {
  Report report;
  const SharedGraph graph = [&] {
    const nb::gil_scoped_release free;
    return std::make_shared<const Graph>(read(report));
  }();
  return nb::make_tuple(graph, report_of(report));
}

nb::tuple hierarchy_of(const std::filesystem::path& path, std::string_view format,
                       std::string_view separator, std::string_view header, bool parent_first,
                       bool comments, const std::string& comment_mark, bool quotes,
                       const Names& relationships, bool ids,
                       const std::filesystem::path& taxon_names) {
  HierarchyOptions options;
  options.format = hierarchy_format_names.value("no format", format);
  options.edges = {separator_names.value("no separator", separator),
                   header_names.value("no header", header),
                   parent_first,
                   comments,
                   comment_mark,
                   quotes};
  options.obo = {ids, relationships};
  options.taxon_names = taxon_names;
  return with_report<HierarchyReport>(
      [&](HierarchyReport& report) { return read_hierarchy(path, options, &report); });
}

Names all_names(const NameTable& table) {
  Names names;
  for (std::size_t i = 0; i < table.size(); ++i) names.emplace_back(table.name(std::int32_t(i)));
  return names;
}

/// Converts vectors to NumPy arrays, which own the memory.
template <class T>
NumpyArray array_of(std::vector<T> values) {
  const auto tensor = Tensor<T>::from_values(values);
  return to_numpy(tensor);
}

/// An embedding with its points in half-spaces. They are computed once.
class Points {
 public:
  explicit Points(Embedding embedding) : embedding_(std::move(embedding)) {}

  const Embedding& embedding() const { return embedding_; }
  const HalfSpacePoints& half_space() {
    if (!half_space_) half_space_ = std::make_unique<HalfSpacePoints>(embedding_.half_space());
    return *half_space_;
  }

 private:
  Embedding embedding_;
  std::unique_ptr<HalfSpacePoints> half_space_;
};

NumpyArray coordinates(nb::handle_t<Points> self) {
  const Tensor<double>& x = nb::cast<const Points&>(self).embedding().coordinates();
  return to_numpy(x);
}

PictureOptions picture_options(std::int32_t centre, int labels, int size, const std::string& radial,
                               double spread, std::int32_t beside, int subtrees) {
  PictureOptions options;
  options.centre = centre;
  options.radial = radial_scale_names.value("there is no radial scale", radial);
  options.spread = spread;
  options.beside = beside;
  options.subtrees = subtrees;
  options.labels = labels;
  options.size = size;
  return options;
}

void bind_graph(nb::module_& m) {
  nb::class_<Graph>(m, "Graph", "A directed graph with named nodes; edges lead to the general.")
      .def_prop_ro("node_count", &Graph::node_count, "The number of nodes.")
      .def_prop_ro("edge_count", &Graph::edge_count, "The number of edges.")
      .def_prop_ro("names", [](const Graph& g) { return all_names(*g.names()); })
      .def_prop_ro("sources", [](const Graph& g) { return g.sources(); })
      .def_prop_ro("targets", [](const Graph& g) { return g.targets(); })
      .def(
          "usual",
          [](const Graph& g) {
            UsualGraph chosen = usual_graph(g);
            return std::tuple(std::make_shared<const Graph>(std::move(chosen.graph)),
                              std::move(chosen.what), chosen.is_hierarchy);
          },
          Release(),
          "What of it is embedded where nobody says otherwise, in words what that is, and whether "
          "it "
          "is a hierarchy.")
      .def(
          "renumbered",
          [](const Graph& g, const Points& points) {
            return std::make_shared<const Graph>(renumbered(g, points.embedding().names()));
          },
          "points"_a, "The same edges among the nodes of an embedding.");
  m.def(
      "graph_of_edges",
      [](const Names& first, const Names& second, const std::vector<double>& weights,
         bool parent_first) {
        return with_report<EdgeListReport>([&](EdgeListReport& report) {
          return graph_of_edges(first, second, weights, parent_first, &report);
        });
      },
      "first"_a, "second"_a, "weights"_a, "parent_first"_a,
      "A graph of edges between names, and a report.");
  m.def("problem_of_header", &problem_of_header, "first"_a, "second"_a, "parent_first"_a,
        "What is wrong with names of columns; empty if nothing is.");
  m.attr("models") = tuple_of(storage_names);
  m.attr("formats") = tuple_of(hierarchy_format_names);
  m.attr("separators") = tuple_of(separator_names);
  m.attr("headers") = tuple_of(header_names);
  m.def("read_hierarchy", &hierarchy_of, "path"_a, "format"_a, "separator"_a, "header"_a,
        "parent_first"_a, "comments"_a, "comment_mark"_a, "quotes"_a, "relationships"_a, "ids"_a,
        "taxon_names"_a,
        "A graph of a file, and a report; format, separator and header are names.");
}

/// Lets Ctrl-C end work that runs without Python's lock, on the main thread, which gets signals.
void raise_interrupt() {
  const nb::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

void bind_training(nb::module_& m) {
  nb::class_<TrainOptions>(m, "TrainOptions", "How an embedding is trained.")
      .def_rw("lr", &TrainOptions::lr, "The rate of the mean loss of a batch.")
      .def_rw("lr_peak", &TrainOptions::lr_peak, "The highest rate, in those of lr.")
      .def_rw("beta1", &TrainOptions::beta1, "Radam: decay of the first moment.")
      .def_rw("beta2", &TrainOptions::beta2, "Radam: decay of the second one.")
      .def_rw("eps", &TrainOptions::eps, "Radam: added to the root.")
      .def_rw("batch", &TrainOptions::batch, "Edges of a step.")
      .def_rw("negatives", &TrainOptions::negatives, "Nodes beside each edge's target.")
      .def_rw("sharpness", &TrainOptions::sharpness, "Of the softmax of distances.")
      .def_rw("epochs", &TrainOptions::epochs, "How many.")
      .def_rw("burn_in", &TrainOptions::burn_in, "Epochs with a lower rate.")
      .def_rw("cool_down", &TrainOptions::cool_down, "Epochs in which the rate falls again.")
      .def_rw("init", &TrainOptions::init, "Coordinates begin within this.")
      .def_rw("longest_step", &TrainOptions::longest_step, "Longer steps are cut.")
      .def_rw("radius_lr", &TrainOptions::radius_lr, "The rate of the radius; 0: it stays.")
      .def_rw("seed", &TrainOptions::seed, "Of all random numbers.")
      .def_prop_rw(
          "dtype", [](const TrainOptions& options) { return std::string(name_of(options.dtype)); },
          [](TrainOptions& options, const std::string& name) { options.dtype = dtype_from(name); },
          "The type in which training computes.")
      .def("check", [](const TrainOptions& options) { options.check(); });
  m.def(
      "usual_options",
      [](const std::string& model, int dimensions, int components, int factors, double radius,
         const std::string& optimizer, std::size_t edges, std::optional<std::int64_t> batch,
         std::optional<std::int64_t> epochs, const std::string& dtype) {
        EmbeddingSpace space;
        space.storage = storage_from(model);
        space.dimensions = dimensions;
        space.components = components > 0 ? components : usual_components(space.storage);
        space.factors = factors;
        space.radius = radius;
        space.check();
        return usual_options(space, optimizer_from(optimizer), edges, batch, epochs,
                             dtype_from(dtype));
      },
      "model"_a, "dimensions"_a, "components"_a, "factors"_a, "radius"_a, "optimizer"_a, "edges"_a,
      "batch"_a.none(), "epochs"_a.none(), "dtype"_a,
      "What a graph of so many edges is trained with.");
  m.def(
      "tune",
      [](const SharedGraph& graph, const TrainOptions& options, double seconds, bool sharpness,
         bool rate) {
        TuneOptions how;
        how.seconds = seconds;
        how.sharpness = sharpness;
        how.rate = rate;
        how.progress = [](double) { raise_interrupt(); };
        const TuneReport report = tune(graph, options, how);
        std::vector<std::tuple<double, double, std::int64_t, double>> trials;
        trials.reserve(report.trials.size());
        for (const TuneTrial& t : report.trials)
          trials.emplace_back(t.sharpness, t.lr, t.epochs, t.mean_average_precision);
        return std::pair(report.options, std::move(trials));
      },
      "graph"_a, "options"_a, "seconds"_a, "sharpness"_a, "rate"_a, Release(),
      "Options with the sharpness and the rate that are best on held-out edges, and what was "
      "tried: (sharpness, lr, epochs, MAP), the chosen one first.");
  nb::class_<Trainer>(m, "Trainer", "Trains an embedding, some batches at a time.")
      .def(
          "__init__",
          [](Trainer* self, const SharedGraph& graph, const TrainOptions& options) {
            const nb::gil_scoped_release free;
            new (self) Trainer(graph, options);
          },
          "graph"_a, "options"_a)
      .def("advance", &Trainer::advance, "batches"_a, Release(), "True if an epoch has ended.")
      .def_prop_ro("done", &Trainer::done, "All epochs are done.")
      .def_prop_ro("epochs", &Trainer::epochs, "Epochs that are done.")
      .def_prop_ro("loss", [](const Trainer& t) { return t.last_epoch().loss; })
      .def_prop_ro("radius", &Trainer::radius, "The radius as it is now.")
      .def(
          "points", [](const Trainer& t) { return new Points(t.embedding()); },
          nb::rv_policy::take_ownership, "A copy of the points.")
      .def("save", &Trainer::save, "path"_a, Release(), "All that training goes on from.")
      .def("load", &Trainer::load, "path"_a, Release());
}

nb::dict report_of(const RankingReport& report) {
  nb::dict result;
  result["objects"] = report.objects;
  result["pairs"] = report.pairs;
  result["mean_rank"] = report.mean_rank;
  result["mean_average_precision"] = report.mean_average_precision;
  result["hits_at_1"] = report.hits_at_1;
  result["hits_at_10"] = report.hits_at_10;
  return result;
}

/// Files and pictures of points.
void bind_point_files(nb::class_<Points>& points) {
  const auto free = Release();
  points
      .def(
          "write_svg",
          [](const Points& p, const std::filesystem::path& path, const Graph& edges,
             std::int32_t centre, int labels, int size, const std::string& radial, double spread,
             std::int32_t beside, int subtrees) {
            write_disk_svg(path, p.embedding(), edges,
                           picture_options(centre, labels, size, radial, spread, beside, subtrees));
          },
          "path"_a, "edges"_a, "centre"_a, "labels"_a, "size"_a, "radial"_a, "spread"_a, "beside"_a,
          "subtrees"_a, free, "A picture.")
      .def(
          "write_page",
          [](const Points& p, const std::filesystem::path& path, const Graph& edges,
             std::int32_t centre, const std::string& radial, double spread, int subtrees) {
            write_disk_page(path, p.embedding(), edges,
                            picture_options(centre, 80, 1000, radial, spread, -1, subtrees));
          },
          "path"_a, "edges"_a, "centre"_a, "radial"_a, "spread"_a, "subtrees"_a, free,
          "A page that moves.")
      .def(
          "save",
          [](const Points& p, const std::filesystem::path& path) { p.embedding().save(path); },
          "path"_a, free);
}

void bind_points(nb::module_& m) {
  nb::class_<Points> points(m, "Points", "Names and points.");
  points.def_prop_ro("names", [](const Points& p) { return all_names(*p.embedding().names()); })
      .def(
          "find", [](const Points& p, const std::string& name) { return p.embedding().find(name); },
          "name"_a, "The number of a name; -1 if there is none.")
      .def_prop_ro("coordinates", &coordinates, nb::rv_policy::automatic,
                   "(components, nodes, numbers), not copied.")
      .def_prop_ro(
          "space",
          [](const Points& p) {
            const EmbeddingSpace& s = p.embedding().space();
            return nb::make_tuple(std::string(name_of(s.storage)), s.dimensions, s.components,
                                  s.factors, s.radius);
          },
          "Model, dimensions, components, factors, radius.")
      .def(
          "nearest",
          [](Points& p, std::int32_t node, std::size_t count) {
            std::vector<std::pair<std::int32_t, double>> result;
            for (const NodeDistance& other : nearest(p.half_space(), node, count))
              result.emplace_back(other.node, other.distance);
            return result;
          },
          "node"_a, "count"_a, "The nodes nearest to one, nearest first.")
      .def(
          "distances",
          [](Points& p, const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
            return array_of(distances(p.half_space(), a, b));
          },
          "a"_a, "b"_a, "Of nodes a[i] and b[i].")
      .def(
          "distances_from",
          [](Points& p, std::int32_t node) {
            return array_of(distances_from(p.half_space(), node));
          },
          "node"_a, "From one node to all.")
      .def(
          "central_node", [](Points& p) { return central_node(p.half_space()); },
          "The node with the least sum of distances.")
      .def(
          "disk",
          [](Points& p, std::int32_t centre) {
            const DiskPoints disk = disk_points(p.half_space(), centre);
            return nb::make_tuple(array_of(disk.x), array_of(disk.y));
          },
          "centre"_a, "In the Poincaré disk around a node.")
      .def(
          "evaluate",
          [](Points& p, const Graph& graph, std::size_t objects, std::uint64_t seed) {
            EvaluateOptions options;
            options.objects = objects;
            options.seed = seed;
            options.progress = [](std::size_t, std::size_t) { raise_interrupt(); };
            const HalfSpacePoints& half_space = p.half_space();
            const auto report = [&] {
              const nb::gil_scoped_release released;
              return evaluate(half_space, renumbered(graph, p.embedding().names()), options);
            }();
            return report_of(report);
          },
          "graph"_a, "objects"_a, "seed"_a, "How well it shows the edges.");
  bind_point_files(points);
  m.def(
      "load_points",
      [](const std::filesystem::path& path) { return new Points(Embedding::load(path)); }, "path"_a,
      nb::rv_policy::take_ownership, Release());
}

}  // namespace

void bind_embed(nb::module_& m) {
  bind_graph(m);
  bind_points(m);
  bind_training(m);
}

}  // namespace mct::python
