#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hypotheses/axes/selection.h"
#include "solver/invention/formula_forms.h"
#include "solver/invention/key_table.h"
#include "solver/invention/placements.h"
#include "solver/invention/spread.h"

namespace cuvier {
namespace {

constexpr std::size_t kThresholds = 24;  ///< of a name
constexpr int kParts[] = {2, 3, 4, 5, 6, 8, 16, 32};
// Keys for each of the two.
constexpr std::ptrdiff_t kSmallest = 3;
constexpr std::ptrdiff_t kFollowed = 3;
constexpr std::size_t kFewest = 3;  ///< blocks of either that the other's key gets wrong
constexpr std::size_t kMostFound = 24;

class CaseLearner {
 public:
  explicit CaseLearner(const KeyTable& table) : table_(table), pairs_(table.preferences()) {
    for (const TriedKey& key : table.keys()) told_.push_back(told_by(key, pairs_));
    std::ranges::stable_sort(told_, {}, [](const Told& told) { return told.key->size; });
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
    std::ranges::stable_sort(found_, {}, [&](const std::string& text) {
      return parse_formula(table_.axis(), text).nodes.size();
    });
    if (found_.size() > kMostFound) found_.resize(kMostFound);
    return std::move(found_);
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
  std::vector<const Told*> first_keys(const PreferenceBits& of) const {
    using Left = std::pair<std::size_t, const Told*>;
    const PreferenceBits others = ~of;
    std::vector<Left> keys;
    for (const Told& told : told_) {
      if (!told.wrong.intersects(of) && placements_in(told.wrong & others) >= kFewest) {
        keys.emplace_back((told.unsettled & of).count(), &told);
      }
    }
    const auto smallest = keys.begin() + std::min(std::ssize(keys), kSmallest);
    std::ranges::stable_sort(smallest, keys.end(), {}, &Left::first);
    if (std::ssize(keys) > kSmallest + kFollowed) keys.resize(kSmallest + kFollowed);
    std::vector<const Told*> first;
    std::ranges::transform(keys, std::back_inserter(first), &Left::second);
    return first;
  }

  std::size_t placements_in(const PreferenceBits& pairs) const {
    std::set<int> placements;
    for (auto i = pairs.find_first(); i != PreferenceBits::npos; i = pairs.find_next(i)) {
      placements.insert(pairs_[i].placement);
    }
    return placements.size();
  }

  void add(const std::string& condition, const PreferenceBits& here) {
    const PreferenceBits elsewhere = ~here;
    const std::vector<const Told*> others = first_keys(elsewhere);
    if (others.empty()) return;
    for (const Told* one : first_keys(here)) {
      for (const Told* other : others) {
        const std::string key =
            fmt::format("{} ? {} : {}", condition, one->key->text, other->key->text);
        const PreferenceBits open = (one->open & here) | (other->open & elsewhere);
        // What both leave is the order's, or another key's.
        const auto unsettled = (one->unsettled & here) | (other->unsettled & elsewhere);
        const auto rest = std::ranges::find_if(
            told_, [&](const Told& told) { return !told.unsettled.intersects(open); });
        if (unsettled.none()) {
          offer({key});
        } else if (rest != told_.end()) {
          offer({key, rest->key->text});
        }
      }
    }
  }

  void offer(const std::vector<std::string>& keys) {
    if (const auto formula = formula_in_range(table_.axis(), as_tuple(keys))) {
      found_.push_back(formula->text);
    }
  }

  const KeyTable& table_;
  const std::vector<Preference>& pairs_;
  std::vector<Told> told_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> keys_by_case(const std::vector<Placement>& placements,
                                      std::uint32_t names) {
  const KeyTable table(Selection::formula, placements, names, KeysOf::formulas);
  return table.preferences().empty() ? std::vector<std::string>() : CaseLearner(table).formulas();
}

}  // namespace cuvier
