#include "solver/invention/marked_placements.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "hypotheses/formulas/evaluate.h"
#include "hypotheses/scheduler/marks.h"
#include "solver/invention/formula_forms.h"

namespace cuvier {
namespace {

// What stands for an SM from then on.
constexpr auto of_the_chosen = {"1",
                                "mark + 1",
                                "placed_warps",
                                "mark + placed_warps",
                                "most + 1",
                                "warps",
                                "blocks",
                                "mark / 2 + placed_warps",
                                "(mark + placed_warps) / 2",
                                "min(mark + 1, 3)",
                                "1 - min(mark, 1)",
                                "0"};
constexpr auto of_others = {"mark",     "0",        "max(mark - 1, 0)",
                            "mark / 2", "mark + 1", "marked + 1 < sms ? mark : 0"};
constexpr auto of_those_left = {"mark",     "0",        "1",          "max(mark - gone, 0)",
                                "mark / 2", "most + 1", "mark + gone"};
// What is remembered of the latest block, or of any before it.
constexpr auto of_blocks = {"chosen == 1 ? joined + 1 : mark",
                            "chosen == 1 and priority < 0 ? 1 : mark",
                            "chosen == 1 ? (priority < 0 ? 1 : 0) : mark",
                            "chosen == 1 and bytes > 0 ? 1 : mark",
                            "chosen == 1 ? (bytes > 0 ? 1 : 0) : mark",
                            "chosen == 1 ? registers : mark",
                            "chosen == 1 ? max(mark, registers) : mark",
                            "chosen == 1 ? max(mark, placed_warps) : mark"};
constexpr std::size_t kMostLimits = 12;  ///< of warps, or of blocks

/// The SMs of a session, and their marks.
class MarkedSms {
 public:
  MarkedSms(const Formula& rule, const SmEvents& events, int sms)
      : rule_(rule), events_(events), warps_(sms), blocks_(sms), marks_(sms) {}

  const MarksOfSms& after(std::size_t events) {
    while (next_ < events) next();
    return marks_;
  }

  int resident_warps(int sm) const { return warps_[sm]; }
  int resident_blocks(int sm) const { return blocks_[sm]; }

 private:
  void next() {
    const auto says = [this](const Mark::Seen<int>& seen) {
      return std::clamp(Evaluation<int, bool>(rule_, seen.in_order()).number(), 0, Mark::kMost);
    };
    const SmEvent& event = events_[next_];
    if (event.came.placed_warps > 0) {
      if (event.device_blocks == 1) become_idle();  // it was until now
      take(event);
      return marks_.placed(event.sm, event.came, *this, says);
    }
    std::vector<int> left;  // together
    for (const int action = event.action;
         next_ < events_.size() && events_[next_].gone > 0 && events_[next_].action == action;) {
      left.insert(left.end(), events_[next_].gone, events_[next_].sm);
      take(events_[next_]);
    }
    marks_.left(std::move(left), *this, says);
  }

  void take(const SmEvent& event) {
    warps_[event.sm] = event.warps;
    blocks_[event.sm] = event.blocks;
    ++next_;
  }
  void become_idle() {
    std::ranges::fill(warps_, 0);
    std::ranges::fill(blocks_, 0);
    marks_.clear();
  }

  const Formula& rule_;
  const SmEvents& events_;
  std::vector<int> warps_;
  std::vector<int> blocks_;
  MarksOfSms marks_;
  std::size_t next_ = 0;
};

/// What it came to, of the numbers that SMs had: some, spread over all.
std::vector<int> limits_of(const std::vector<Placement>& placements, int SmEvent::*number) {
  std::set<int> values;
  const SmEvents* seen = nullptr;
  for (const Placement& placement : placements) {
    if (placement.events.get() == seen) continue;
    seen = placement.events.get();
    for (const SmEvent& event : *seen) values.insert(event.*number);
  }
  const std::vector<int> all(values.begin(), values.end());
  if (all.size() <= kMostLimits) return all;
  std::vector<int> some;
  for (std::size_t i = 0; i < kMostLimits; ++i) {
    some.push_back(all[i * (all.size() - 1) / (kMostLimits - 1)]);
  }
  return some;
}

}  // namespace

std::vector<Formula> rules_of_marks(const std::vector<Placement>& placements) {
  std::vector<Formula> rules;
  const auto add = [&](const std::string& text) {
    if (auto formula = formula_in_range(Mark::formula, text)) rules.push_back(std::move(*formula));
  };
  for (const std::string chosen : of_the_chosen) {
    for (const std::string others : of_others) {
      add(fmt::format("chosen == 1 ? {} : {}", chosen, others));
      for (const std::string left : of_those_left) {
        if (left == others) continue;
        add(fmt::format("chosen == 1 ? {} : gone > 0 ? {} : {}", chosen, left, others));
      }
    }
  }
  for (const char* const rule : of_blocks) add(rule);
  for (const auto& [name, number] :
       {std::pair("warps", &SmEvent::warps), {"blocks", &SmEvent::blocks}}) {
    const std::vector<int> limits = limits_of(placements, number);
    for (const int most : limits) {
      for (const int least : limits) {
        if (least < most)
          add(fmt::format("{0} >= {1} ? 1 : {0} <= {2} ? 0 : mark", name, most, least));
      }
    }
  }
  std::ranges::stable_sort(rules, {}, [](const Formula& rule) { return rule.nodes.size(); });
  return rules;
}

void mark(std::vector<Placement>& placements, const Formula& rule, int sms) {
  const SmEvents* events = nullptr;
  std::optional<MarkedSms> marked;
  for (Placement& placement : placements) {
    if (placement.events.get() != events) {
      events = placement.events.get();
      marked.emplace(rule, *events, sms);
    }
    const MarksOfSms& marks = marked->after(placement.after);
    for (EligibleSm& sm : placement.eligible) {
      const bool is_idle = sm.admission[Admission::device_blocks] == 0;
      const int its = is_idle ? 0 : marks[sm.admission[Admission::sm]];
      sm.admission[Admission::mark] = its;
      sm.admission[Admission::marked] = is_idle ? 0 : marks.marked();
      if (!sm.selection.empty()) sm.selection[Selection::mark] = its;
    }
  }
}

}  // namespace cuvier
