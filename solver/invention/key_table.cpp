#include "solver/invention/key_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string_view>
#include <utility>

#include "hypotheses/axes/selection.h"
#include "hypotheses/formulas/evaluate.h"
#include "solver/invention/formula_forms.h"
#include "solver/invention/lists.h"

namespace cuvier {
namespace {

constexpr std::size_t kMostOthers = 12;    ///< SMs that a block is compared with
constexpr std::size_t kMostCuts = 64;      ///< of a name
constexpr std::size_t kMostPenalties = 4;  ///< likewise, from the least cut on
constexpr std::size_t kMostCases = 6;      ///< likewise

int largest_of(const Numbers& column) { return *std::max_element(column.begin(), column.end()); }

/// Of what a name can be, the least, and some of the rest.
std::vector<int> cuts_of(const Numbers& column) {
  const std::set<int> values(column.begin(), column.end());
  std::vector<int> cuts(values.begin(), values.end());
  if (cuts.size() <= kMostCuts) return cuts;
  const auto rest = cuts.begin() + kMostCuts / 2;
  const std::vector<int> some = spread(std::vector<int>(rest, cuts.end()), kMostCuts / 2);
  cuts.erase(rest, cuts.end());
  std::ranges::copy(some, std::back_inserter(cuts));
  return cuts;
}

/// What is the same for all SMs that a block finds, whichever block: of the names, the blocks of
/// its grid, and how many times over they would have filled the device before it.
std::vector<FormulaName> names_of_blocks_of(const std::vector<Placement>& placements) {
  std::vector<FormulaName> names;
  for (std::size_t n = 0; n < std::size(Selection::names); ++n) {
    const auto is_same = [n](const Placement& placement) {
      // Of a block that waits nobody asked the selection.
      if (placement.chosen == Placement::kWaits) return true;
      return std::ranges::all_of(placement.eligible, [&](const Contender& sm) {
        return sm.choice[n] == placement.eligible.front().choice[n];
      });
    };
    if (std::ranges::all_of(placements, is_same)) names.push_back(Selection::names[n]);
  }
  names.push_back({"(placed + left)", "blocks of the grid", 1, kMostBlocks});
  names.push_back({"(placed / sms)", "waves of one block on each SM", 0, kMostBlocks});
  return names;
}

}  // namespace

int size_of(const KeyTuple& tuple) {
  int size = 0;
  for (const TriedKey* key : tuple) size += key->size;
  return size;
}

std::string text_of(const KeyTuple& tuple) {
  std::vector<std::string> parts;
  for (const TriedKey* key : tuple) parts.push_back(key->text);
  return as_tuple(parts);
}

std::string as_tuple(const std::vector<std::string>& parts) {
  return parts.size() == 1 ? parts.front() : fmt::format("({})", fmt::join(parts, ", "));
}

KeyTable::KeyTable(const FormulaInfo& axis, const std::vector<Placement>& placements,
                   std::uint32_t names, KeysOf of)
    : axis_(axis), names_(names), values_(axis.names.size()) {
  const bool is_of_sms = &axis == &Selection::formula;
  if (is_of_sms) names_of_blocks_ = names_of_blocks_of(placements);
  const auto kind_of = read_by(axis, names_of_blocks_);
  const SmEvents* session = nullptr;
  for (const Placement& placement : placements) {
    if (std::exchange(session, placement.events.get()) != placement.events.get()) ++sessions_;
    if (placement.chosen >= 0 && placement.eligible.size() > 1) add(placement, kind_of);
  }
  for (auto& column : values_) columns_.emplace_back(std::move(column));
  if (rows_ == 0) return;
  for (const FormulaName& name : axis.names) add_key(std::string(name.name), 1);
  if (!is_of_sms) {
    add_keys_of_kernels();
    return;
  }
  // Whether the kernel that a rule of marks remembers is the block's own.
  add_key("mark == joined + 1 ? 0 : 1", 5);
  add_key("mark < 1 ? 0 : 1", 5);
  if (of == KeysOf::formulas) add_keys();
}

PreferenceBits KeyTable::of_placements(const std::vector<int>& placements) const {
  PreferenceBits preferences = none();
  for (std::size_t i = 0; i < preferences_.size(); ++i) {
    preferences[i] = std::ranges::binary_search(placements, preferences_[i].placement);
  }
  return preferences;
}

std::vector<int> KeyTable::placements_in(const PreferenceBits& preferences) const {
  std::vector<int> placements;
  for (auto i = preferences.find_first(); i != preferences.npos; i = preferences.find_next(i)) {
    const int placement = preferences_[i].placement;
    if (placements.empty() || placements.back() != placement) placements.push_back(placement);
  }
  return placements;
}

std::optional<TriedKey> KeyTable::key(const std::string& text, int size) const {
  const auto column = column_of(text);
  return column ? std::optional(told_by(text, size, *column)) : std::nullopt;
}

std::optional<Numbers> KeyTable::column_of(const std::string& text) const {
  const auto formula = formula_in_range(axis_, text);
  if (!formula || formula->parts.size() > 1 || (formula->names & ~names_) != 0) {
    return std::nullopt;
  }
  return Evaluation<Numbers, Conditions>(*formula, columns_).number();
}

TriedKey KeyTable::told_by(const std::string& text, int size, const Numbers& column) const {
  TriedKey key{text, size, none(), none(), {}};
  for (std::size_t i = 0; i < preferences_.size(); ++i) {
    const int chosen = column[preferences_[i].chosen];
    const int other = column[preferences_[i].other];
    key.wrong[i] = chosen > other;
    key.open[i] = chosen == other;
  }
  key.unsettled = key.wrong | (key.open & wrong_by_order_);
  return key;
}

int KeyTable::add_row(const Contender& sm) {
  for (std::size_t n = 0; n < values_.size(); ++n) values_[n].push_back(sm.choice[n]);
  return rows_++;
}

void KeyTable::add(const Placement& placement,
                   const std::function<Kind(const std::vector<int>&)>& kind_of) {
  const Contender& chosen = placement.eligible[placement.chosen];
  const int row = add_row(chosen);
  const int number = static_cast<int>(kinds_.size());
  kinds_.push_back(kind_of(chosen.choice));
  // Of those that come before it in the order, and of those behind it, some of each.
  for (const bool behind : {false, true}) {
    std::vector<const Contender*> others;
    for (const Contender& each : placement.eligible) {
      if (&each != &chosen && (each.rank > chosen.rank) == behind) others.push_back(&each);
    }
    const std::size_t step = others.size() / (kMostOthers / 2) + 1;
    for (std::size_t i = 0; i < others.size(); i += step) {
      preferences_.push_back({row, add_row(*others[i]), number, sessions_ - 1});
      wrong_by_order_.push_back(!behind);
    }
  }
}

/// What is made of one or two names of an SM.
void KeyTable::add_keys() {
  for (std::size_t n = 0; n < columns_.size(); ++n) {
    const std::string_view name = Selection::names[n].name;
    const bool is_load = name == "room" || name == "warps" || name == "blocks";
    if (is_load) add_key(fmt::format("power({} + 1)", name), 4);
    for (const int cut : cuts_of(columns_[n])) {
      add_key(fmt::format("{} < {} ? 0 : 1", name, cut), 5);
      // How far an SM is from what all are to have.
      add_key(fmt::format("abs({} - {})", name, cut), is_load ? 4 : 5);
    }
  }
  // Where the kernel's block before went, or its first; and in which of so many parts that is.
  add_key("abs(sm - previous)", 2);
  add_key("abs(sm - home)", 8);
  add_key("gpc == home_gpc ? 0 : 1", 5);
  for (const std::string_view other : {"previous", "home"}) {
    add_key(fmt::format("min((sm - {0}) mod sms, ({0} - sm) mod sms)", other), 9);
    add_key(fmt::format("sm == {} ? 0 : 1", other), 5);
    add_key(fmt::format("sm / 2 == {} / 2 ? 0 : 1", other), 5);
    add_key(fmt::format("sm != {0} and sm / 2 == {0} / 2 ? 0 : 1", other), 7);
    for (const int parts : {2, 3, 4}) {
      add_key(fmt::format("sm * {0} / sms == {1} * {0} / sms ? 0 : 1", parts, other), 5);
      add_key(fmt::format("sm mod {0} == {1} mod {0} ? 0 : 1", parts, other), 5);
    }
  }
  // No more room than the grid has waves left.
  add_key("min(room, left / sms + 1)", 5);
  add_key("min(room, (left + sms - 1) / sms)", 7);
  // A grid in so many parts, each on its part of the device.
  for (const int parts : usual_parts) {
    add_key(fmt::format("sm * {0} / sms == placed * {0} / (placed + left) ? 0 : 1", parts), 7);
  }
  // So many blocks after each other to each part of the device in turn.
  const auto sms_name = std::ranges::find(Selection::names, "sms", &FormulaName::name);
  const int sms = largest_of(columns_[sms_name - std::begin(Selection::names)]);
  for (int part = 2; part <= sms / 2; ++part) {
    if (sms % part != 0) continue;
    for (const std::string_view counted : {"placed", "joined"}) {
      for (const int run : {1, 2, 4, 8, 16, 32}) {
        add_key(fmt::format("(sm / {} - {} / {}) mod {}", part, counted, run, sms / part), 7);
      }
    }
  }
  const auto is_of_blocks = [&](const FormulaName& name) {
    return std::ranges::find(names_of_blocks_, name.name, &FormulaName::name) !=
           names_of_blocks_.end();
  };
  // For a kernel's first block each SM reads itself: what is made of that would hold by chance.
  const auto is_own_at_first = [](const FormulaName& name) {
    return name.name.starts_with("home") || name.name == "previous";
  };
  for (const FormulaName& a : Selection::names) {
    if (is_of_blocks(a) || is_own_at_first(a)) continue;
    const Numbers& column = columns_[static_cast<std::size_t>(&a - Selection::names)];
    for (const int number : {2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32}) {
      if (number > largest_of(column)) break;
      add_key(fmt::format("{} mod {}", a.name, number), 3);
      add_key(fmt::format("min({}, {})", a.name, number), 3);
      add_key(fmt::format("max({}, {})", a.name, number), 3);
    }
    for (const int unit : usual_numbers()) {
      if (unit > 1 && unit <= largest_of(column) / 2) {
        add_key(fmt::format("{} / {}", a.name, unit), 3);
      }
    }
    // An SM of some kind is taken for one that has less room.
    const std::vector<int> cuts = cuts_of(column);
    for (std::size_t c = 1; c < cuts.size() && c <= kMostPenalties; ++c) {
      for (const int less : {1, 2, 4}) {
        add_key(fmt::format("room - ({} < {} ? {} : 0)", a.name, cuts[c], less), 7);
        add_key(fmt::format("room - ({} < {} ? 0 : {})", a.name, cuts[c], less), 7);
      }
    }
    // Beside what the TPC's other SMs hold.
    add_key(fmt::format("{} + tpc_blocks - blocks", a.name), 5);
    add_key(fmt::format("{} - tpc_blocks + blocks", a.name), 5);
    add_key(fmt::format("{} * 2 / sms", a.name), 5);
    add_key(fmt::format("({} + 1) mod sms", a.name), 5);
    for (const FormulaName& b : Selection::names) {
      if (&a == &b || is_own_at_first(b)) continue;
      for (const std::string_view op : {"+", "-", "*", "/", "mod"}) {
        // So much more or less for all SMs compares them as before.
        if (is_of_blocks(b) && (op == "+" || op == "-")) continue;
        add_key(fmt::format("{} {} {}", a.name, op, b.name), 3);
      }
      if (!is_of_blocks(b)) {
        // One counts more than the other, or counts in some case.
        for (const int times : {2, 4}) {
          add_key(fmt::format("{} * {} + {}", a.name, times, b.name), 5);
          add_key(fmt::format("{} * {} - {}", a.name, times, b.name), 5);
        }
        for (const int cut : spread(cuts, kMostCases)) {
          add_key(fmt::format("{} < {} ? {} : 0", a.name, cut, b.name), 6);
          add_key(fmt::format("{} < {} ? 0 : {}", a.name, cut, b.name), 6);
        }
      }
      if (is_of_blocks(b) || &a < &b) {
        for (const std::string_view function : {"min", "max"}) {
          add_key(fmt::format("{}({}, {})", function, a.name, b.name), 3);
        }
      }
      if (!is_of_blocks(b)) continue;
      // Where an order begins that goes on with each block or kernel, or past it.
      for (const std::string_view unit : {"2", "4", "sms"}) {
        add_key(fmt::format("({} + {}) mod {}", a.name, b.name, unit), 5);
        add_key(fmt::format("({} - {}) mod {}", a.name, b.name, unit), 5);
      }
      add_key(fmt::format("({} * 2 / sms + {}) mod 2", a.name, b.name), 9);
      add_key(fmt::format("({} + {} + 1) mod sms", a.name, b.name), 7);
      add_key(fmt::format("({} - {} - 1) mod sms", a.name, b.name), 7);
    }
  }
}

/// What is made of one or two names of a kernel.
void KeyTable::add_keys_of_kernels() {
  for (std::size_t n = 0; n < columns_.size(); ++n) {
    const std::string_view a = axis_.names[n].name;
    const std::vector<int> cuts = cuts_of(columns_[n]);
    for (const int cut : cuts) add_key(fmt::format("{} < {} ? 0 : 1", a, cut), 5);
    for (const int cut : cuts) add_key(fmt::format("max({}, {})", a, cut), 3);
    const int largest = largest_of(columns_[n]);
    for (const int number : usual_numbers()) {
      if (number < 2 || number > largest) continue;
      // Every so many, another comes first; and no more than so much more urgent.
      for (const FormulaName& b : axis_.names) {
        add_key(fmt::format("{} mod {} == 0 ? {} : 0", a, number, b.name), 7);
      }
      for (const int most : {1, 2, 3, 4}) {
        add_key(fmt::format("priority - min({} / {}, {})", a, number, most), 7);
      }
      add_key(fmt::format("{} / {}", a, number), 3);
      add_key(fmt::format("{} mod {}", a, number), 3);
      add_key(fmt::format("min({}, {})", a, number), 3);
      // One more or less urgent for each so much of something.
      for (const FormulaName& b : axis_.names) {
        add_key(fmt::format("{} + {} / {}", b.name, a, number), 5);
        add_key(fmt::format("{} - {} / {}", b.name, a, number), 5);
      }
    }
    for (const FormulaName& b : axis_.names) {
      if (b.name == a) continue;
      for (const std::string_view op : {"+", "-"}) {
        add_key(fmt::format("{} {} {}", a, op, b.name), 3);
      }
      add_key(fmt::format("{} * {}", bounded(axis_.names[n]), bounded(b)), 3);
      add_key(fmt::format("min({}, {})", a, b.name), 3);
      add_key(fmt::format("max({}, {})", a, b.name), 3);
      add_key(fmt::format("min(blocks - placed, 1024) * {} * {}", a, b.name), 7);
      // So much more or less urgent in some case.
      for (std::size_t c = 0; c < cuts.size() && c <= kMostPenalties; ++c) {
        for (const int urgent : {1, 2}) {
          add_key(fmt::format("{} - ({} < {} ? {} : 0)", b.name, a, cuts[c], urgent), 7);
          add_key(fmt::format("{} - ({} < {} ? 0 : {})", b.name, a, cuts[c], urgent), 7);
        }
      }
    }
    add_key(fmt::format("{} * min(blocks - placed, 16384)", a), 5);
  }
}

void KeyTable::add_key(const std::string& text, int size) {
  const auto column = column_of(text);
  if (!column || column->size() == 1) return;
  const std::string_view bytes(reinterpret_cast<const char*>(column->begin()),
                               column->size() * sizeof(int));
  if (!seen_.insert(std::hash<std::string_view>{}(bytes)).second) return;
  TriedKey told = told_by(text, size, *column);
  if (told.open.all()) return;  // it is the same for all that a block finds
  keys_.push_back(std::move(told));
  std::string opposite = size == 1 ? "-" + text : fmt::format("-({})", text);
  if (text.ends_with(" ? 0 : 1")) {
    opposite = text;
    std::swap(opposite.back(), opposite[opposite.size() - 5]);
  }
  if (auto other = key(opposite, size + 1)) keys_.push_back(*std::move(other));
}

}  // namespace cuvier
