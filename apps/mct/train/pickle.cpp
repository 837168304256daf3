// Python's pickles as data. A pickle is a program for a machine with a stack and a memory of
// values; Python's documentation of `pickletools` describes the operations.
#include "apps/mct/train/pickle.hpp"

#include <fmt/format.h>

#include <bit>
#include <map>

#include "mctensor/base/input_file.hpp"
#include "mctensor/base/number_in.hpp"
#include "mctensor/base/text_lines.hpp"
#include "mctensor/error.hpp"

namespace mct::cli::train {

/// Runs the program of a pickle. Classes and functions are never called: REDUCE and NEWOBJ make
/// objects that hold the class and the arguments.
class PickleMachine {
 public:
  PickleMachine(Pickle& result, const std::string& bytes) : result_(result), bytes_(bytes) {
    result_.values_.emplace_back();  // number 0 is None
  }

  void run() {
    for (;;) {
      at_ = place_;
      const auto operation = char(number(1));
      if (operation == '.') break;
      if (!scalar(operation) && !container(operation) && !object(operation) && !memory(operation))
        fail(fmt::format("operation 0x{:02x} is not known", unsigned(operation) & 0xffU));
    }
    result_.root_ = pop();
  }

 private:
  using Kind = PickleValue::Kind;

  [[noreturn]] void fail(const std::string& what) const {
    result_.fail(fmt::format("byte {}: {}", at_, what));
  }

  // bytes

  std::string take(std::uint64_t count) {
    if (count > bytes_.size() - place_)
      fail(fmt::format("{} bytes are wanted, {} left", count, bytes_.size() - place_));
    place_ += std::size_t(count);
    return bytes_.substr(place_ - std::size_t(count), std::size_t(count));
  }
  /// An unsigned number of `count` bytes, the lowest first.
  std::uint64_t number(int count) {
    std::uint64_t value = 0;
    const std::string part = take(std::uint64_t(count));
    for (int i = 0; i < count; ++i)
      value |= std::uint64_t(std::uint8_t(part[std::size_t(i)])) << (8 * i);
    return value;
  }
  std::string line() {
    const std::size_t end = bytes_.find('\n', place_);
    if (end == std::string::npos) fail("a line without end");
    std::string text = take(end - place_);
    ++place_;
    return text;
  }
  std::int64_t decimal(std::string text) {
    if (!text.empty() && text.back() == 'L') text.pop_back();
    const auto value = number_in<std::int64_t>(text);
    if (!value) fail(shortened(text) + " is not an integer");
    return *value;
  }
  /// A two's complement number of up to eight bytes.
  std::int64_t signed_number(std::uint64_t count) {
    if (count == 0) return 0;
    if (count > 8) fail("an integer of more than 64 bits");
    const int unused = 64 - 8 * int(count);
    return std::int64_t(number(int(count)) << unused) >> unused;
  }

  // the stack

  PickleValue& value(std::uint32_t i) { return result_.values_[i]; }
  std::uint32_t make(Kind kind) {
    result_.values_.emplace_back().kind = kind;
    return std::uint32_t(result_.values_.size() - 1);
  }
  bool push(Kind kind) {
    stack_.push_back(make(kind));
    return true;
  }
  bool push_integer(std::int64_t x) {
    push(Kind::integer);
    value(stack_.back()).integer = x;
    return true;
  }
  /// Pushes a double of eight bytes, the highest first.
  bool push_real() {
    std::uint64_t bits = 0;
    for (const char c : take(sizeof bits)) bits = bits << 8 | std::uint8_t(c);
    push(Kind::real);
    value(stack_.back()).real = std::bit_cast<double>(bits);
    return true;
  }
  bool push_text(Kind kind, std::string text) {
    push(kind);
    value(stack_.back()).text = std::move(text);
    return true;
  }
  std::uint32_t top() {
    if (stack_.empty() || (!marks_.empty() && marks_.back() == stack_.size()))
      fail("there is no value to work on");
    return stack_.back();
  }
  std::uint32_t pop() {
    const std::uint32_t i = top();
    stack_.pop_back();
    return i;
  }
  /// Pops everything above the last mark.
  std::vector<std::uint32_t> pop_marked() {
    if (marks_.empty()) fail("there is no mark");
    const auto begin = stack_.begin() + std::ptrdiff_t(marks_.back());
    std::vector<std::uint32_t> items(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    marks_.pop_back();
    return items;
  }
  std::vector<std::uint32_t> pop_many(int count) {
    std::vector<std::uint32_t> items(std::size_t(count), 0);
    for (int i = count - 1; i >= 0; --i) items[std::size_t(i)] = pop();
    return items;
  }

  // operations, by kinds: return true if the operation is one of them

  bool scalar(char operation) {
    switch (operation) {
      case 'N':
        stack_.push_back(0);
        return true;
      case '\x88':
        return push_integer(1);
      case '\x89':
        return push_integer(0);
      case 'I':
      case 'L':
        return push_integer(decimal(line()));
      case 'J':
        return push_integer(signed_number(4));
      case 'K':
        return push_integer(std::int64_t(number(1)));
      case 'M':
        return push_integer(std::int64_t(number(2)));
      case '\x8a':
        return push_integer(signed_number(number(1)));
      case 'G':
        return push_real();
      case 'U':
      case 'C':
      case '\x8c':
        return push_text(Kind::text, take(number(1)));
      case 'T':
      case 'B':
      case 'X':
        return push_text(Kind::text, take(number(4)));
      case '\x8d':
      case '\x8e':
        return push_text(Kind::text, take(number(8)));
      default:
        return false;
    }
  }

  bool container(char operation) {
    switch (operation) {
      case '(':
        marks_.push_back(stack_.size());
        return true;
      case ')':
      case ']':
        return push(Kind::list);
      case '}':
        return push(Kind::dict);
      case 't':
      case 'l':
        return push_items(Kind::list, pop_marked());
      case 'd':
        return push_items(Kind::dict, pop_marked());
      case '\x85':
        return push_items(Kind::list, pop_many(1));
      case '\x86':
        return push_items(Kind::list, pop_many(2));
      case '\x87':
        return push_items(Kind::list, pop_many(3));
      case 'a':
        return append(pop_many(1), Kind::list);
      case 'e':
        return append(pop_marked(), Kind::list);
      case 's':
        return append(pop_many(2), Kind::dict);
      case 'u':
        return append(pop_marked(), Kind::dict);
      default:
        return false;
    }
  }
  bool push_items(Kind kind, std::vector<std::uint32_t> items) {
    if (kind == Kind::dict && items.size() % 2 == 1) fail("a key without a value");
    push(kind);
    value(stack_.back()).items = std::move(items);
    return true;
  }
  /// Adds items to the list or dictionary at the top, or to an object that behaves like one.
  bool append(const std::vector<std::uint32_t>& items, Kind kind) {
    PickleValue& to = value(top());
    if (to.kind != kind && to.kind != Kind::object) fail("items for a value that has none");
    if (kind == Kind::dict && items.size() % 2 == 1) fail("a key without a value");
    auto& all = to.kind == Kind::object ? to.entries : to.items;
    all.insert(all.end(), items.begin(), items.end());
    return true;
  }

  bool object(char operation) {
    switch (operation) {
      case 'c': {
        const std::string module = line();
        return push_text(Kind::global, module + " " + line());
      }
      case '\x93': {
        const auto names = pop_many(2);
        return push_text(Kind::global, value(names[0]).text + " " + value(names[1]).text);
      }
      case 'R':
      case '\x81':
        return push_items(Kind::object, pop_many(2));
      case 'b': {
        const std::uint32_t state = pop();
        value(top()).state = state;
        return true;
      }
      default:
        return false;
    }
  }

  bool memory(char operation) {
    switch (operation) {
      case '\x80':
        number(1);
        return true;  // the protocol
      case '\x95':
        number(8);
        return true;  // the length of what follows
      case 'p':
        memory_[decimal(line())] = top();
        return true;
      case 'q':
        memory_[std::int64_t(number(1))] = top();
        return true;
      case 'r':
        memory_[std::int64_t(number(4))] = top();
        return true;
      case '\x94': {
        const auto next = std::int64_t(memory_.size());
        memory_[next] = top();
        return true;
      }
      case 'g':
        return recall(decimal(line()));
      case 'h':
        return recall(std::int64_t(number(1)));
      case 'j':
        return recall(std::int64_t(number(4)));
      case '0':
        pop();
        return true;
      default:
        return false;
    }
  }
  bool recall(std::int64_t i) {
    const auto found = memory_.find(i);
    if (found == memory_.end()) fail(fmt::format("nothing was stored under {}", i));
    stack_.push_back(found->second);
    return true;
  }

  Pickle& result_;
  const std::string& bytes_;
  std::size_t place_ = 0, at_ = 0;  // at_: where the operation began
  std::vector<std::uint32_t> stack_;
  std::vector<std::size_t> marks_;
  std::map<std::int64_t, std::uint32_t> memory_;
};

Pickle::Pickle(const std::filesystem::path& path) {
  const InputFile file(path);
  name_ = file.name();
  const std::string bytes = file.content();
  PickleMachine(*this, bytes).run();
}

const PickleValue* Pickle::find(const std::vector<std::uint32_t>& items,
                                const std::string& key) const {
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    const PickleValue& name = values_[items[i]];
    if (name.kind == PickleValue::Kind::text && name.text == key) return &values_[items[i + 1]];
  }
  return nullptr;
}

void Pickle::fail(const std::string& what) const { throw IoError(name_ + ": " + what); }

}  // namespace mct::cli::train
