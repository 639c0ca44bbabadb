#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "solver/invention/formula_forms.h"
#include "solver/invention/key_table.h"

namespace cuvier {
namespace {

/// Keys that are followed by others, for the first, the second and the third of a tuple.
constexpr std::size_t kBranchesInMost[] = {8, 4, 2};
constexpr std::size_t kMostInMost = 12;

/// Learns keys by which the placements of most sessions come out: beam search, in which a session
/// that contradicts a key counts no more.
class MostLearner {
 public:
  explicit MostLearner(const KeyTable& table) : table_(table) {
    const auto& preferences = table.preferences();
    for (std::size_t i = 0; i < preferences.size(); ++i) {
      if (i == 0 || preferences[i].session != preferences[i - 1].session) {
        sessions_.push_back(table.none());
      }
      sessions_.back().set(i);
    }
  }

  std::vector<std::string> run() {
    extend({{}, table_.all(), table_.all()});
    std::ranges::stable_sort(found_, {}, [](const Found& each) {
      return std::pair(-each.sessions, size_of(each.tuple));
    });
    std::vector<std::string> best;
    for (const Found& each : found_) {
      if (best.size() == kMostInMost) break;
      std::string text = text_of(each.tuple);
      if (formula_in_range(table_.axis(), text)) best.push_back(std::move(text));
    }
    return best;
  }

 private:
  /// What keys leave open, of sessions that do not contradict them.
  struct Extended {
    KeyTuple tuple;
    PreferenceBits open;
    PreferenceBits holds;  ///< all of these sessions
  };
  struct Found {
    KeyTuple tuple;
    int sessions;  ///< that it explains
  };

  void extend(const Extended& from) {
    const PreferenceBits unsettled = from.open & table_.wrong_by_order();
    const auto explained = std::ranges::count_if(sessions_, [&](const PreferenceBits& session) {
      return session.is_subset_of(from.holds) && !session.intersects(unsettled);
    });
    if (!from.tuple.empty()) found_.push_back({from.tuple, static_cast<int>(explained)});
    if (unsettled.none() || from.tuple.size() == std::size(kBranchesInMost)) return;
    for (const TriedKey* key : most_settling(from)) {
      const PreferenceBits holds = from.holds - contradicting(*key, from.open);
      Extended to{from.tuple, from.open & holds & key->open, holds};
      to.tuple.push_back(key);
      extend(to);
    }
  }

  /// Of keys that settle as many preferences, the smallest alone.
  KeyTuple most_settling(const Extended& from) const {
    const PreferenceBits unsettled = from.open & table_.wrong_by_order();
    std::vector<std::pair<std::size_t, const TriedKey*>> next;  // so many are settled
    for (const TriedKey& key : table_.keys()) {
      const std::size_t settled =
          (unsettled - key.unsettled - contradicting(key, from.open)).count();
      if (settled > 0) next.emplace_back(settled, &key);
    }
    std::ranges::stable_sort(next, {}, [](const auto& each) {
      return std::pair(-static_cast<long>(each.first), each.second->size);
    });
    const auto rest = std::ranges::unique(next, {}, [](const auto& each) { return each.first; });
    next.erase(rest.begin(), rest.end());
    KeyTuple keys;
    for (const auto& [settled, key] : next) {
      if (keys.size() == kBranchesInMost[from.tuple.size()]) break;
      keys.push_back(key);
    }
    return keys;
  }

  /// All preferences of the sessions that contradict the key in one of these.
  PreferenceBits contradicting(const TriedKey& key, const PreferenceBits& open) const {
    const PreferenceBits wrong = key.wrong & open;
    PreferenceBits all = table_.none();
    for (const PreferenceBits& session : sessions_) {
      if (session.intersects(wrong)) all |= session;
    }
    return all;
  }

  const KeyTable& table_;
  std::vector<PreferenceBits> sessions_;  ///< their preferences
  std::vector<Found> found_;
};

}  // namespace

std::vector<std::string> keys_that_choose_in_most(const KeyTable& table) {
  return MostLearner(table).run();
}

}  // namespace cuvier
