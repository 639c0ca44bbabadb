#include <algorithm>
#include <set>
#include <utility>

#include "hypotheses/axes/selection.h"
#include "solver/invention/formula_forms.h"
#include "solver/invention/key_table.h"
#include "solver/invention/placements.h"

namespace cuvier {
namespace {

/// Keys that are followed by others, for the first, the second and the third of a tuple.
constexpr std::size_t kBranchesInMost[] = {8, 4, 2};
constexpr std::size_t kMostInMost = 12;

/// Learns keys by which the placements of most sessions come out: beam search, in which a session
/// that contradicts a key counts no more.
class MostLearner {
 public:
  explicit MostLearner(const KeyTable& table) : table_(table) {}

  std::vector<std::string> run() {
    extend({{}, table_.preferences(), std::vector<char>(table_.sessions(), 1)});
    std::ranges::stable_sort(found_, {}, [](const Found& each) {
      return std::pair(-each.sessions, size_of(each.tuple));
    });
    std::vector<std::string> best;
    for (const Found& each : found_) {
      if (best.size() == kMostInMost) break;
      std::string text = text_of(each.tuple);
      if (formula_in_range(Selection::formula, text)) best.push_back(std::move(text));
    }
    return best;
  }

 private:
  /// What keys leave open, of sessions that do not contradict them.
  struct Extended {
    KeyTuple tuple;
    std::vector<Preference> open;
    std::vector<char> holds;  ///< by session
  };
  struct Found {
    KeyTuple tuple;
    int sessions;  ///< that it explains
  };
  struct Next {
    const TriedKey* key;
    long settled;  ///< preferences that the order gets wrong
  };

  void extend(const Extended& from) {
    std::vector<char> explained = from.holds;
    for (const Preference& each : from.open) {
      if (!each.by_rank) explained[each.session] = 0;
    }
    const auto sessions = static_cast<int>(std::ranges::count(explained, 1));
    if (!from.tuple.empty()) found_.push_back({from.tuple, sessions});
    if (explained == from.holds || from.tuple.size() == std::size(kBranchesInMost)) return;
    for (const TriedKey* key : most_settling(from)) {
      Extended to{from.tuple, {}, from.holds};
      to.tuple.push_back(key);
      const int* const values = key->column.begin();
      for (const Preference& each : from.open) {
        if (values[each.chosen] > values[each.other]) to.holds[each.session] = 0;
      }
      std::ranges::copy_if(from.open, std::back_inserter(to.open), [&](const Preference& each) {
        return to.holds[each.session] != 0 && values[each.chosen] == values[each.other];
      });
      extend(to);
    }
  }

  /// Of keys that settle as many preferences, the smallest alone.
  std::vector<const TriedKey*> most_settling(const Extended& from) const {
    std::vector<Next> next;
    for (const TriedKey& key : table_.keys()) {
      const long settled = settled_by(key, from.open);
      if (settled > 0) next.push_back({&key, settled});
    }
    std::ranges::stable_sort(
        next, {}, [](const Next& each) { return std::pair(-each.settled, each.key->size); });
    const auto rest = std::ranges::unique(next, {}, &Next::settled);
    next.erase(rest.begin(), rest.end());
    std::vector<const TriedKey*> keys;
    for (const Next& each : next) {
      if (keys.size() == kBranchesInMost[from.tuple.size()]) break;
      keys.push_back(each.key);
    }
    return keys;
  }

  /// Of the sessions that do not contradict the key. Those of a session stand together.
  static long settled_by(const TriedKey& key, const std::vector<Preference>& open) {
    const int* const values = key.column.begin();
    long settled = 0;
    for (auto each = open.begin(); each != open.end();) {
      const int session = each->session;
      long of_session = 0;
      bool holds = true;
      for (; each != open.end() && each->session == session; ++each) {
        const int chosen = values[each->chosen];
        const int other = values[each->other];
        holds = holds && chosen <= other;
        of_session += chosen < other && !each->by_rank;
      }
      if (holds) settled += of_session;
    }
    return settled;
  }

  const KeyTable& table_;
  std::vector<Found> found_;
};

}  // namespace

std::vector<std::string> keys_that_choose_in_most(const std::vector<Placement>& placements,
                                                  std::uint32_t names) {
  return MostLearner(KeyTable(Selection::formula, placements, names, KeysOf::formulas)).run();
}

}  // namespace cuvier
