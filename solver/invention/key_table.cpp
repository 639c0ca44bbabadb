#include "solver/invention/key_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "hypotheses/axes/selection.h"
#include "hypotheses/formulas/evaluate.h"
#include "solver/invention/formula_forms.h"

namespace cuvier {
namespace {

constexpr std::size_t kMostOthers = 12;  ///< SMs that a block is compared with

/// What is the same for all SMs that a block finds, whichever block: of the names, the blocks of
/// its grid, and how many times over they would have filled the device before it.
std::vector<FormulaName> names_of_blocks_of(const std::vector<Placement>& placements) {
  std::vector<FormulaName> names;
  for (std::size_t n = 0; n < std::size(Selection::names); ++n) {
    const auto is_same = [n](const Placement& placement) {
      // Of a block that waits nobody asked the selection.
      if (placement.chosen == Placement::kWaits) return true;
      return std::ranges::all_of(placement.eligible, [&](const EligibleSm& sm) {
        return sm.selection[n] == placement.eligible.front().selection[n];
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

KeyTable::KeyTable(const std::vector<Placement>& placements, std::uint32_t names, KeysOf of)
    : names_(names),
      names_of_blocks_(names_of_blocks_of(placements)),
      values_(std::size(Selection::names)) {
  const auto kind_of = read_by(Selection::formula, names_of_blocks_);
  const SmEvents* session = nullptr;
  for (const Placement& placement : placements) {
    if (std::exchange(session, placement.events.get()) != placement.events.get()) ++sessions_;
    if (placement.chosen >= 0 && placement.eligible.size() > 1) add(placement, kind_of);
  }
  for (auto& column : values_) columns_.emplace_back(std::move(column));
  if (rows_ == 0) return;
  for (const CandidateKey& key : candidate_keys(columns_, names_of_blocks_, of)) add_key(key);
}

std::optional<Numbers> KeyTable::column_of(const std::string& text) const {
  const auto formula = formula_in_range(Selection::formula, text);
  if (!formula || formula->parts.size() > 1 || (formula->names & ~names_) != 0) {
    return std::nullopt;
  }
  return Evaluation<Numbers, Conditions>(*formula, columns_).number();
}

int KeyTable::add_row(const EligibleSm& sm) {
  for (std::size_t n = 0; n < values_.size(); ++n) values_[n].push_back(sm.selection[n]);
  return rows_++;
}

void KeyTable::add(const Placement& placement,
                   const std::function<Kind(const std::vector<int>&)>& kind_of) {
  const EligibleSm& chosen = placement.eligible[placement.chosen];
  const int row = add_row(chosen);
  const int number = static_cast<int>(kinds_.size());
  kinds_.push_back(kind_of(chosen.selection));
  // Of those that come before it in the order, and of those behind it, some of each.
  for (const bool behind : {false, true}) {
    std::vector<const EligibleSm*> others;
    for (const EligibleSm& each : placement.eligible) {
      if (&each != &chosen && (each.rank > chosen.rank) == behind) others.push_back(&each);
    }
    const std::size_t step = others.size() / (kMostOthers / 2) + 1;
    for (std::size_t i = 0; i < others.size(); i += step) {
      preferences_.push_back({row, add_row(*others[i]), number, sessions_ - 1, behind});
    }
  }
}

void KeyTable::add_key(const CandidateKey& key) {
  const auto column = column_of(key.text);
  if (!column || column->size() == 1) return;
  const std::string_view bytes(reinterpret_cast<const char*>(column->begin()),
                               column->size() * sizeof(int));
  if (!seen_.insert(std::hash<std::string_view>{}(bytes)).second) return;
  std::vector<int> opposite;
  for (const int value : *column) opposite.push_back(-value);
  keys_.push_back({key.text, *column, key.size});
  const std::string negated = key.size == 1 ? "-" + key.text : fmt::format("-({})", key.text);
  keys_.push_back({negated, Numbers(std::move(opposite)), key.size + 1});
}

}  // namespace cuvier
