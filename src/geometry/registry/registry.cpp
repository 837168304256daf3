// The compiled operations, by names.
#include "mctensor/geometry/registry.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "mctensor/autograd/node.hpp"
#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/manifold.hpp"
#include "src/geometry/registry/formula_table.hpp"

namespace mct::geometry {

namespace {

using geometry_detail::FormulaTable;

#define MCT_NAME_CONVERSION(model, Class, name) "to_" #name,
constexpr const char* conversion_names[] = {MCT_FOR_EACH_MODEL(MCT_NAME_CONVERSION)};

/// Enters the operations of a model on one type.
void enter(std::vector<Registered>& all, Model model, const std::string& type,
           const FormulaTable& has) {
  const auto add = [&](const char* name, TensorOperation operation, Model to) {
    const OperationDescription& is = described(operation);
    Registered entry;
    entry.operation = name;
    entry.model = model_names[int(model)];
    entry.type = type;
    entry.device = "cpu";
    entry.operands = is.operands;
    entry.result = is.result;
    entry.compiled = {model, operation, to};
    all.push_back(std::move(entry));
  };
  for (int i = 0; i < int(TensorOperation::count); ++i)
    if (has.operation[i] != nullptr)
      add(manifold_operations[i].name, TensorOperation(i), Model::count);
  for (int to = 0; to < int(Model::count); ++to)
    if (to != int(model) && has.convert[to] != nullptr)
      add(conversion_names[to], TensorOperation::count, Model(to));
}

/// The different words of entries, in order.
std::string listed(const std::vector<Registered>& all, std::string Registered::*word) {
  std::set<std::string> words;
  for (const Registered& entry : all) words.insert(entry.*word);
  std::string text;
  for (const std::string& each : words) text += (text.empty() ? "" : ", ") + each;
  return text;
}

}  // namespace

const std::vector<Registered>& registered_operations() {
  static const std::vector<Registered> all = [] {
    using geometry_detail::formula_table;
    std::vector<Registered> entries;
#define MCT_ENTER(T, N)                    \
  enter(entries, model, number_type<T>(N), \
        geometry_detail::formulas_of<tensor_detail::Value<T, N>>(model));
    for (int i = 0; i < int(Model::count); ++i) {
      const auto model = Model(i);
      MCT_FOR_EACH_POINT_TENSOR(MCT_ENTER)
    }
#undef MCT_ENTER
    return entries;
  }();
  return all;
}

const Registered& registered(const std::string& operation, const std::string& model,
                             const std::string& type, const std::string& device) {
  using Key = std::array<std::string_view, 4>;
  static const std::map<Key, const Registered*> known = [] {
    std::map<Key, const Registered*> entries;
    for (const Registered& entry : registered_operations())
      entries[{entry.operation, entry.model, entry.type, entry.device}] = &entry;
    return entries;
  }();
  if (const auto found = known.find({operation, model, type, device}); found != known.end())
    return *found->second;
  // each word narrows the list, and the first word that leaves it empty is wrong
  std::vector<Registered> left = registered_operations();
  const auto keep = [&](const char* what, std::string Registered::*word, const std::string& given) {
    const std::string there = listed(left, word);
    std::erase_if(left, [&](const Registered& entry) { return entry.*word != given; });
    if (left.empty())
      throw DomainError("no " + std::string(what) + " '" + given + "'; there are " + there);
  };
  keep("device of geometry", &Registered::device, device);
  keep("manifold", &Registered::model, model);
  keep(("number type of operations of " + model).c_str(), &Registered::type, type);
  keep(("operation of " + model).c_str(), &Registered::operation, operation);
  throw DomainError(model + " of " + type + " has no " + operation);
}

void Registered::require(const std::string& given, double radius) const {
  if (given != type)
    throw DomainError(operation + ": tensors of " + given +
                      " are given, but this operation is compiled for " + type);
  if (compiled.model != Model::stereographic)
    detail::require_radius(radius);
  else if (!std::isfinite(radius))
    throw DomainError("curvature " + number_text(radius) + " of a manifold is not finite");
}

template <class T, int N, int G>
std::vector<Tensor<T, G>> Registered::summed(const std::vector<Tensor<T, N>>& points,
                                             std::vector<Tensor<T, G>> gradients,
                                             const std::vector<bool>& wanted) {
  if (wanted[0]) gradients[0] = gradients[0].reshape({});
  for (std::size_t i = 1; i <= points.size(); ++i)
    if (wanted[i]) gradients[i] = autograd_detail::sum_to(gradients[i], points[i - 1].shape());
  return gradients;
}

#if MCT_GEOMETRY_DERIVATIVES
#define MCT_INSTANTIATE_SUMMED(T, N, G)                  \
  template std::vector<Tensor<T, G>> Registered::summed( \
      const std::vector<Tensor<T, N>>&, std::vector<Tensor<T, G>>, const std::vector<bool>&);
MCT_FOR_EACH_POINT_GRADIENT(MCT_INSTANTIATE_SUMMED)
#undef MCT_INSTANTIATE_SUMMED
#endif

}  // namespace mct::geometry
