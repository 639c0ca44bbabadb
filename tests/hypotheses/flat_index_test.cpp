#include "hypotheses/fast/flat_index.h"

#include <gtest/gtest.h>

#include <map>

#include "probes/family.h"

namespace cuvier {
namespace {

TEST(FlatIndex, FindsWhatWasAddedSinceItWasEmptied) {
  Rng rng(1);
  FlatIndex index;
  for (int round = 0; round < 50; ++round) {
    std::map<int, int> entries;
    std::vector<int> values;
    // Few hashes for many values: what is equal must be looked at.
    const auto hash = [](int value) { return static_cast<std::size_t>(value % 40) << 4; };
    const auto find = [&](int value) {
      return index.find(hash(value), [&](int entry) { return values[entry] == value; });
    };
    for (int i = uniform(rng, 0, 300); i > 0; --i) {
      const int value = uniform(rng, 0, 500);
      const auto known = entries.find(value);
      ASSERT_EQ(find(value), known == entries.end() ? -1 : known->second);
      if (known != entries.end()) continue;
      entries[value] = static_cast<int>(values.size());
      values.push_back(value);
      index.add(hash(value));
    }
    for (const auto& [value, entry] : entries) ASSERT_EQ(find(value), entry);
    index.clear();
    for (const auto& [value, entry] : entries) ASSERT_EQ(find(value), -1);
  }
}

}  // namespace
}  // namespace cuvier
