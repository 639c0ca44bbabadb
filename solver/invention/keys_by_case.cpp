#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "solver/invention/formula_forms.h"
#include "solver/invention/key_table.h"
#include "solver/invention/lists.h"

namespace cuvier {
namespace {

constexpr std::size_t kThresholds = 24;  ///< of a name
constexpr int kParts[] = {2, 3, 4, 5, 6, 8, 16, 32};
// Keys for each of the two.
constexpr std::ptrdiff_t kSmallest = 3;
constexpr std::ptrdiff_t kFollowed = 3;
constexpr std::size_t kMostSecond = 2'000;  ///< the smallest
constexpr std::size_t kFewest = 3;          ///< blocks of either that the other's key gets wrong
constexpr std::size_t kMostFound = 24;

class CaseLearner {
 public:
  explicit CaseLearner(const KeyTable& table) : table_(table), pairs_(table.preferences()) {
    for (const TriedKey& key : table.keys()) keys_.push_back(&key);
    std::ranges::stable_sort(keys_, {}, &TriedKey::size);
  }

  std::vector<std::string> formulas() {
    std::set<PreferenceBits> seen;
    for (const std::string& condition : conditions()) {
      const auto holds = condition_on(table_.names_of_blocks(), condition);
      PreferenceBits here(pairs_.size());
      for (std::size_t i = 0; i < pairs_.size(); ++i) {
        here[i] = holds(table_.kind_of(pairs_[i].placement));
      }
      if (here.any() && !here.all() && seen.insert(here).second) add(condition, here);
    }
    return smallest_in_range(table_.axis(), found_, kMostFound);
  }

 private:
  /// On what a block asks for, and on what came before it: thresholds, and every so many.
  std::vector<std::string> conditions() const {
    std::vector<std::string> all;
    const auto& names = table_.names_of_blocks();
    for (std::size_t n = 0; n < names.size(); ++n) {
      std::set<int> values;
      for (const Preference& pair : pairs_) values.insert(table_.kind_of(pair.placement)[n]);
      const std::string name = fmt::format("({})", names[n].name);
      for (const int cut :
           spread(std::vector<int>(std::next(values.begin()), values.end()), kThresholds)) {
        all.push_back(fmt::format("{} < {}", name, cut));
      }
      for (const int parts : kParts) {
        if (parts > *values.rbegin()) continue;
        all.push_back(fmt::format("{} mod {} == 0", name, parts));
        all.push_back(fmt::format("{} mod {} == {}", name, parts, parts - 1));
        if (parts > 3) all.push_back(fmt::format("{} mod {} < {}", name, parts, parts / 2));
      }
    }
    return all;
  }

  /// Of those that contradict none of these, but others, the ones that leave the least to the
  /// order, and the smallest: what settles more by chance may hide the one that is meant.
  KeyTuple first_keys(const PreferenceBits& of) const {
    using Left = std::pair<std::size_t, const TriedKey*>;
    const PreferenceBits others = ~of;
    std::vector<Left> keys;
    for (const TriedKey* key : keys_) {
      if (!key->wrong.intersects(of) && are_of_several_blocks(key->wrong & others)) {
        keys.emplace_back((key->unsettled & of).count(), key);
      }
    }
    const auto smallest = keys.begin() + std::min(std::ssize(keys), kSmallest);
    std::ranges::stable_sort(smallest, keys.end(), {}, &Left::first);
    if (std::ssize(keys) > kSmallest + kFollowed) keys.resize(kSmallest + kFollowed);
    KeyTuple first;
    std::ranges::transform(keys, std::back_inserter(first), &Left::second);
    return first;
  }

  bool are_of_several_blocks(const PreferenceBits& pairs) const {
    std::size_t blocks = 0;
    int latest = -1;
    for (auto i = pairs.find_first(); i != pairs.npos && blocks < kFewest; i = pairs.find_next(i)) {
      blocks += std::exchange(latest, pairs_[i].placement) != pairs_[i].placement;
    }
    return blocks == kFewest;
  }

  void add(const std::string& condition, const PreferenceBits& here) {
    const PreferenceBits elsewhere = ~here;
    const KeyTuple others = first_keys(elsewhere);
    if (others.empty()) return;
    for (const TriedKey* one : first_keys(here)) {
      for (const TriedKey* other : others) {
        const std::string key = fmt::format("{} ? {} : {}", condition, one->text, other->text);
        const PreferenceBits open = (one->open & here) | (other->open & elsewhere);
        // What both leave is the order's, or another key's.
        const auto unsettled = (one->unsettled & here) | (other->unsettled & elsewhere);
        const std::span second(keys_.data(), std::min(keys_.size(), kMostSecond));
        const auto rest = std::ranges::find_if(
            second, [&](const TriedKey* each) { return !each->unsettled.intersects(open); });
        if (unsettled.none()) {
          found_.push_back(key);
        } else if (rest != second.end()) {
          found_.push_back(as_tuple({key, (*rest)->text}));
        }
      }
    }
  }

  const KeyTable& table_;
  const std::vector<Preference>& pairs_;
  KeyTuple keys_;  ///< the smallest first
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> keys_by_case(const KeyTable& table) {
  return table.preferences().empty() ? std::vector<std::string>() : CaseLearner(table).formulas();
}

}  // namespace cuvier
