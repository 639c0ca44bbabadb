#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace cuvier {

/// A number, or a condition, for each of several inputs: the value domain in which a formula is
/// evaluated for all of them at once. Copies share their values; one alone is that of all inputs.
template <class Value>
class Column {
 public:
  Column(Value value) : one_(value) {}  // NOLINT: as domains convert
  explicit Column(std::vector<Value> values)
      : values_(std::make_shared<const std::vector<Value>>(std::move(values))) {}

  Value operator[](std::size_t input) const { return values_ ? (*values_)[input] : one_; }
  std::size_t size() const { return values_ ? values_->size() : 1; }
  const Value* begin() const { return values_ ? values_->data() : &one_; }
  const Value* end() const { return begin() + size(); }

 private:
  Value one_{};
  std::shared_ptr<const std::vector<Value>> values_;
};

using Numbers = Column<int>;
using Conditions = Column<char>;  // not bool, whose vectors are packed

template <class Result, class F, class... Operands>
Column<Result> for_each_input(F f, const Operands&... operands) {
  const std::size_t size = std::max({operands.size()...});
  if (size == 1) return Column<Result>(static_cast<Result>(f(operands[0]...)));
  std::vector<Result> results(size);
  // What is one value for all is read again and again.
  const auto each = [&](const auto*... values) {
    for (std::size_t i = 0; i < size; ++i) {
      results[i] = static_cast<Result>(f(values[operands.size() == 1 ? 0 : i]...));
    }
  };
  each(operands.begin()...);
  return Column<Result>(std::move(results));
}

inline Numbers operator+(const Numbers& a, const Numbers& b) {
  return for_each_input<int>(std::plus<>(), a, b);
}
inline Numbers operator-(const Numbers& a, const Numbers& b) {
  return for_each_input<int>(std::minus<>(), a, b);
}
inline Numbers operator*(const Numbers& a, const Numbers& b) {
  return for_each_input<int>(std::multiplies<>(), a, b);
}
inline Numbers operator/(const Numbers& a, const Numbers& b) {
  return for_each_input<int>(std::divides<>(), a, b);
}
inline Numbers operator%(const Numbers& a, const Numbers& b) {
  return for_each_input<int>(std::modulus<>(), a, b);
}
inline Conditions operator<(const Numbers& a, const Numbers& b) {
  return for_each_input<char>(std::less<>(), a, b);
}
inline Conditions operator<=(const Numbers& a, const Numbers& b) {
  return for_each_input<char>(std::less_equal<>(), a, b);
}
inline Conditions operator==(const Numbers& a, const Numbers& b) {
  return for_each_input<char>(std::equal_to<>(), a, b);
}
inline Conditions operator&&(const Conditions& a, const Conditions& b) {
  return for_each_input<char>(std::logical_and<>(), a, b);
}
inline Conditions operator||(const Conditions& a, const Conditions& b) {
  return for_each_input<char>(std::logical_or<>(), a, b);
}
inline Conditions operator!(const Conditions& a) {
  return for_each_input<char>(std::logical_not<>(), a);
}
inline Numbers min(const Numbers& a, const Numbers& b) {
  return for_each_input<int>([](int x, int y) { return std::min(x, y); }, a, b);
}
inline Numbers max(const Numbers& a, const Numbers& b) {
  return for_each_input<int>([](int x, int y) { return std::max(x, y); }, a, b);
}
inline Numbers ite(const Conditions& condition, const Numbers& then, const Numbers& otherwise) {
  return for_each_input<int>([](char c, int a, int b) { return c ? a : b; }, condition, then,
                             otherwise);
}

}  // namespace cuvier
