#include "mctensor/nn/module.hpp"

namespace mct::nn {

namespace {

std::string joined(const char* what, const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? what : ", ") + name;
  return text.empty() ? text : text + "; ";
}

}  // namespace

std::string describe_mismatch(const std::vector<std::string>& missing,
                              const std::vector<std::string>& unexpected,
                              const std::vector<std::string>& misshapen) {
  std::string text = joined("missing: ", missing) + joined("unexpected: ", unexpected) +
                     joined("of another shape: ", misshapen);
  if (text.empty()) return text;
  text.resize(text.size() - 2);
  return "load_state_dict: " + text;
}

}  // namespace mct::nn
