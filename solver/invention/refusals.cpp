#include "solver/invention/refusals.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <utility>

#include "hypotheses/axes.h"
#include "hypotheses/formulas/evaluate.h"
#include "solver/invention/conditions.h"
#include "solver/invention/formula_forms.h"
#include "solver/invention/lists.h"

namespace cuvier {
namespace {

constexpr std::size_t kMostKindsOfTwo = 400;  ///< of what SMs held when they took or refused

/// Numbers by which SMs, or parts of the device, have their turn as one of these goes on.
std::vector<std::string> turns_by(std::initializer_list<std::string_view> counters) {
  std::vector<std::string> turns;
  for (const std::string_view counter : counters) {
    for (const int parts : usual_parts) {
      turns.push_back(fmt::format("((sm - {1}) mod {0})", parts, counter));
      turns.push_back(fmt::format("((sm * {0} / sms - {1}) mod {0})", parts, counter));
    }
    turns.push_back(fmt::format("((sm - {}) mod sms)", counter));
  }
  return turns;
}

void add_turns(const std::vector<std::string>& turns, std::vector<FormulaName>& names) {
  for (const std::string& turn : turns) names.push_back({turn, "", 0, kMostSms});
}

}  // namespace

// What conditions read: what an SM would hold, how many blocks more than its TPC's other SM it has,
// how many SMs of its GPC there are from it on, the registers of a block, blocks of other kernels
// and of the other sort (in clusters or not), and whose turn it is, beside the names.
Refusals::Refusals(std::uint32_t given)
    : turns_(turns_by({"joined", "placed"})),
      turns_of_marks_(turns_by({"mark"})),
      names_(std::begin(Admission::names), std::end(Admission::names)) {
  names_.push_back({"(warps + w)", "", 1, 2 * kMostOfAnSm});
  names_.push_back({"(2 * blocks - tpc_blocks)", "", -kMostSms, kMostSms});
  names_.push_back({"(sms_of_gpc - place_in_gpc)", "", 1, kMostSms});
  names_.push_back({"(held_threads + threads)", "", 1, 2 * Admission::kMostThreads});
  names_.push_back({"(w * registers)", "", 0, kMostBlocks});
  names_.push_back({"(device_blocks - own_on_device)", "", 0, kMostBlocks});
  names_.push_back({"(device_urgent - priority)", "", -2 * kMostBlocks, 2 * kMostBlocks});
  names_.push_back({"abs(urgent - priority)", "", 0, 2 * kMostBlocks});
  names_.push_back({"(cluster < 1 ? tpc_clustered : tpc_blocks - tpc_clustered)", "", 0, kMostSms});
  const FormulaInfo numbers{Admission::formula.names, FormulaInfo::Gives::key, ""};
  std::erase_if(names_, [&](const FormulaName& name) {
    return (parse_formula(numbers, std::string(name.name)).names & ~given) != 0;
  });
  names_and_turns_ = names_;
  add_turns(turns_, names_and_turns_);
}

std::vector<std::string> Refusals::in(const std::vector<Placement>& placements,
                                      const std::string& own, int most_parts) const {
  const auto [took, refused] = parted(placements, own, names_and_turns_);
  return conditions_of_table(names_and_turns_, took, refused, most_parts);
}

std::vector<std::string> Refusals::of_two_names(const std::vector<Placement>& placements,
                                                const std::string& own) const {
  const std::vector<NumberOfTwo> numbers = numbers_of_two(names_);
  std::vector<FormulaName> pairs;
  for (const NumberOfTwo& each : numbers) {
    pairs.push_back({each.text, "", each.least, each.most});
  }
  const Parted by_names = parted(placements, own, names_);
  const auto of_pairs = [&](const Kinds& kinds) {
    Kinds all;
    for (const Kind& kind :
         spread(std::vector<Kind>(kinds.begin(), kinds.end()), kMostKindsOfTwo)) {
      Kind of_one;
      for (const NumberOfTwo& each : numbers) of_one.push_back(each.value(kind));
      all.insert(std::move(of_one));
    }
    return all;
  };
  return conditions_of_table(pairs, of_pairs(by_names.took), of_pairs(by_names.refused), 1);
}

std::vector<std::string> Refusals::beside(const Formula& mark,
                                          const std::vector<Placement>& placements,
                                          const std::string& own) const {
  const auto name = [](NameOf<Admission> of) { return Admission::names[of]; };
  std::vector<FormulaName> names{name("mark")};
  const auto reads = [&](NameOf<Mark> of) { return mark.reads(of); };
  const bool remembers_blocks =
      reads("registers") || reads("bytes") || reads("priority") || reads("joined");
  if (reads("blocks") && (remembers_blocks || reads("w"))) {  // which kinds came since it was idle
    for (const FormulaName& each :
         {name("w"), name("bytes"), name("registers"), name("priority")}) {
      names.push_back(each);
    }
    const auto [took, refused] = parted(placements, own, names);
    return conditions_of_table(names, took, refused, 2);
  }
  if (!remembers_blocks) {
    add_turns(turns_of_marks_, names);
    if (reads("w")) names.push_back({"(mark + w)", "", 0, kMostBlocks});
    const auto [took, refused] = parted(placements, own, names);
    return conditions_of_table(names, took, refused, 1);
  }
  for (const FormulaName& each :
       {name("blocks"), name("warps"), name("priority"), name("sm"), name("marked")}) {
    names.push_back(each);
  }
  names.push_back({"abs(mark - joined - 1)", "", 0, kMostBlocks});  // 0: its own
  const auto [took, refused] = parted(placements, own, names);
  return conditions_of_table(names, took, refused, 3);
}

Refusals::Parted Refusals::parted(const std::vector<Placement>& placements, const std::string& own,
                                  const std::vector<FormulaName>& names) {
  const auto read = read_by(Admission::formula, names);
  const Formula selection = parse_formula(Selection::formula, own);
  Parted parted;
  auto& [took, refused] = parted;
  for (const Placement& placement : placements) {
    const auto place = [&](const Contender& sm) {
      const Evaluation<int, bool> value(selection, sm.choice);
      return std::pair(value.key(), sm.rank);
    };
    const Contender* const chosen =
        placement.chosen < 0 ? nullptr : &placement.eligible[placement.chosen];
    if (chosen) took.insert(read(chosen->admission));
    for (const Contender& each : placement.eligible) {
      const bool passed_over =
          placement.of_cluster ? &each != chosen : !chosen || place(each) < place(*chosen);
      if (passed_over) refused.insert(read(each.admission));
    }
  }
  return parted;
}

}  // namespace cuvier
