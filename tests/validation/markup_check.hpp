// A strict reader of the report's HTML: well-formed as XML, apart from the doctype.
#pragma once

#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace mct::testing {

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
  int parent = -1;  // place in MarkupCheck::elements
};

/// Reads a document; `problem` is empty if it is well-formed, and says where it is not.
class MarkupCheck {
 public:
  explicit MarkupCheck(std::string_view text) : text_(text) {
    if (text_.substr(0, 15) == "<!DOCTYPE html>") at_ = 15;
    while (problem.empty() && at_ < text_.size()) {
      if (text_[at_] == '<')
        tag();
      else
        character_data(text_.find('<', at_));
    }
    if (problem.empty() && !open_.empty()) fail("not closed: " + elements[open_.back()].name);
  }

  std::string problem;
  std::vector<Element> elements;
  std::string words;  // all character data outside <style> and <script>

  std::vector<const Element*> named(const std::string& name) const {
    std::vector<const Element*> found;
    for (const Element& element : elements)
      if (element.name == name) found.push_back(&element);
    return found;
  }

 private:
  void fail(const std::string& what) {
    if (problem.empty())
      problem = what + " near '" + std::string(text_.substr(at_ < 40 ? 0 : at_ - 40, 80)) + "'";
  }

  /// & must begin an entity that XML or HTML knows.
  void check_entities(std::string_view data) {
    static const std::set<std::string_view> known = {"amp", "lt", "gt", "quot"};
    for (std::size_t i = data.find('&'); i != data.npos; i = data.find('&', i + 1)) {
      const std::size_t end = data.find(';', i);
      if (end == data.npos) return fail("bare &");
      const std::string_view name = data.substr(i + 1, end - i - 1);
      const bool numeric =
          name.size() > 1 && name[0] == '#' && name.find_first_not_of("0123456789", 1) == name.npos;
      if (!numeric && known.count(name) == 0) return fail("bad entity " + std::string(name));
    }
    for (const char c : data)
      if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
        return fail("control character");
  }

  void character_data(std::size_t end) {
    if (end == text_.npos) end = text_.size();
    const std::string_view data = text_.substr(at_, end - at_);
    check_entities(data);
    words += data;
    at_ = end;
  }

  std::string name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  text_[at_] == '-' || text_[at_] == ':'))
      ++at_;
    if (at_ == start) fail("name expected");
    return std::string(text_.substr(start, at_ - start));
  }

  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  bool take(std::string_view token) {
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  void tag() {
    ++at_;
    if (take("/")) return end_tag();
    Element element;
    element.name = name();
    element.parent = open_.empty() ? -1 : int(open_.back());
    if (open_.empty() && !elements.empty()) fail("second root");
    for (skip_space(); problem.empty() && at_ < text_.size(); skip_space()) {
      if (take("/>")) {
        elements.push_back(element);
        return;
      }
      if (take(">")) return start_tag(element);
      attribute(element);
    }
    fail("tag not closed");
  }

  void attribute(Element& element) {
    const std::string key = name();
    if (!take("=\"")) return fail("attribute without quoted value");
    const std::size_t end = text_.find('"', at_);
    if (end == text_.npos) return fail("quote not closed");
    const std::string_view value = text_.substr(at_, end - at_);
    if (value.find('<') != value.npos) fail("< in attribute");
    check_entities(value);
    if (!element.attributes.emplace(key, value).second) fail("attribute twice: " + key);
    at_ = end + 1;
  }

  void start_tag(const Element& element) {
    elements.push_back(element);
    open_.push_back(elements.size() - 1);
    if (element.name != "script" && element.name != "style") return;
    at_ = text_.find("</", at_);
    if (at_ == text_.npos) at_ = text_.size();
  }

  void end_tag() {
    const std::string closed = name();
    if (!take(">")) fail("end tag not closed");
    if (open_.empty() || elements[open_.back()].name != closed)
      return fail("</" + closed + "> closes nothing");
    open_.pop_back();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::size_t> open_;
};

}  // namespace mct::testing
