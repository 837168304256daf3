// States of modules: round trips in memory and through files, plain states in long models, errors.
#include <filesystem>

#include "tests/autograd/gradients.hpp"
#include "tests/files.hpp"

namespace mct::test {
namespace {

template <class T, int N>
std::shared_ptr<nn::Sequential<T, N>> model(std::uint64_t seed) {
  auto all = std::make_shared<nn::Sequential<T, N>>();
  all->template emplace<nn::Linear>(4, 6, seed);
  all->template emplace<nn::ReLU>();
  all->template emplace<nn::Linear>(6, 2, seed + 1);
  return all;
}

template <class T, int N>
::testing::AssertionResult same_state(const nn::StateDict<T, N>& a, const nn::StateDict<T, N>& b) {
  if (a.size() != b.size()) return ::testing::AssertionFailure() << "sizes differ";
  for (const auto& [name, tensor] : a)
    if (b.count(name) == 0 || !same(tensor, b.at(name)))
      return ::testing::AssertionFailure() << name;
  return ::testing::AssertionSuccess();
}

/// A file of its own for each test, removed at the end.
struct File {
  mct::testing::TemporaryDirectory directory;
  std::filesystem::path path = directory / "state.safetensors";
};

TEST(State, RoundTripInMemory) {
  const auto a = model<float, 2>(1);
  const auto b = model<float, 2>(7);
  EXPECT_FALSE(same_state(a->state_dict(), b->state_dict()));
  b->load_state_dict(a->state_dict());
  EXPECT_TRUE(same_state(a->state_dict(), b->state_dict()));
  const auto parameters = b->parameters();
  parameters[0].value().fill_(f32x2(0));
  EXPECT_FALSE(same_state(a->state_dict(), b->state_dict())) << "copied, not shared";
  EXPECT_EQ(b->state_dict().count("2.bias"), 1U);
}

TEST(State, PlainStatesInLongModels) {
  const auto plain = model<float, 1>(1);
  const auto long_model = model<float, 2>(7);
  long_model->load_state_dict(plain->state_dict());
  for (const auto& [name, tensor] : long_model->state_dict()) {
    EXPECT_TRUE(same(tensor.plane(0), plain->state_dict().at(name)));
    EXPECT_EQ(max(abs(tensor.plane(1))).item(), 0.0F) << name;
  }
  const auto x = randn<float>({3, 4}, 1);
  const auto difference =
      (*plain)(Variable<float>(x)).value() - (*long_model)(Variable<float>(x)).value();
  EXPECT_LT(max(abs(difference)).item(), 1e-6F);
}

TEST(State, RoundTripThroughFiles) {
  const File file;
  const auto a = model<float, 2>(1);
  nn::save_safetensors(*a, file.path);
  const auto b = model<float, 2>(7);
  nn::load_safetensors(*b, file.path);
  EXPECT_TRUE(same_state(a->state_dict(), b->state_dict()));
  const auto sixteen_bits = model<bfloat16, 3>(3);
  nn::save_safetensors(*sixteen_bits, file.path);
  const auto other = model<bfloat16, 3>(4);
  nn::load_safetensors(*other, file.path);
  EXPECT_TRUE(same_state(sixteen_bits->state_dict(), other->state_dict()));
}

TEST(State, FilesOfPlainModelsOfAnyType) {
  const File file;
  const auto doubles = model<double, 1>(1);
  nn::save_safetensors(*doubles, file.path);
  // two floats hold 48 of the 53 bits
  const auto floats = model<float, 2>(2);
  nn::load_safetensors(*floats, file.path);
  for (const auto& [name, tensor] : floats->state_dict()) {
    const auto expected = doubles->state_dict().at(name);
    EXPECT_TRUE(same(tensor, convert<float, 2>(expected)));
    EXPECT_GT(max(abs(tensor.plane(1))).item(), 0.0F);
  }
  const auto halves = model<half, 1>(1);
  nn::save_safetensors(*halves, file.path);
  nn::load_safetensors(*floats, file.path);
  EXPECT_TRUE(same(floats->state_dict().at("0.weight"),
                   convert<float, 2>(halves->state_dict().at("0.weight"))));
}

TEST(State, ErrorsNameTheKeys) {
  const auto a = model<float, 1>(1);
  const auto before = a->state_dict().at("0.weight").clone();
  auto state = model<float, 1>(2)->state_dict();
  state.erase("2.weight");
  state.emplace("extra", zeros<float>({1}));
  state["0.bias"] = zeros<float>({5});
  const auto text = message_of<DomainError>([&] { a->load_state_dict(state); });
  EXPECT_EQ(text,
            "load_state_dict: missing: 2.weight; unexpected: extra; of another shape: 0.bias ((5,) "
            "given, (6,) expected)");
  EXPECT_TRUE(same(a->state_dict().at("0.weight"), before)) << "nothing was changed";
  // not strict: only shapes matter
  EXPECT_THROW(a->load_state_dict(state, false), ShapeError);
  state.erase("0.bias");
  a->load_state_dict(state, false);
  EXPECT_TRUE(same(a->state_dict().at("0.weight"), state.at("0.weight")));
}

TEST(State, ErrorsOfFiles) {
  const File file;
  EXPECT_THROW(nn::load_safetensors(*model<float, 1>(1), file.path), IoError);
  SafetensorsWriter writer;
  auto state = model<float, 2>(2)->state_dict();
  writer.add("0.weight", state.at("0.weight"));
  writer.add("0.bias", Tensor<std::int64_t>({6}));
  writer.save(file.path);
  const auto target = model<float, 2>(1);
  EXPECT_THROW(nn::load_safetensors(*target, file.path), IoError) << "integers";
  writer = SafetensorsWriter();
  writer.add("0.weight", state.at("0.weight"));
  writer.add("0.bias", Tensor<float>({7}));
  writer.save(file.path);
  const auto text = message_of<DomainError>([&] { nn::load_safetensors(*target, file.path); });
  EXPECT_NE(text.find("missing: 2.weight, 2.bias"), std::string::npos) << text;
  EXPECT_NE(text.find("0.bias ((7,) given, (6,) expected)"), std::string::npos) << text;
  // planes of another number of components are no plain tensor either
  EXPECT_THROW(nn::load_safetensors(*model<float, 3>(1), file.path), DomainError);
}

}  // namespace
}  // namespace mct::test
