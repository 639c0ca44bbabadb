#include "solver/invention/marked_placements.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string>

#include "hypotheses/axes/mark.h"
#include "hypotheses/formulas/evaluate.h"
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
constexpr std::size_t kMostLimits = 12;  ///< of warps, or of blocks

/// The SMs of a session, and their marks.
class MarkedSms {
 public:
  MarkedSms(const Formula& rule, const SmEvents& events, int sms)
      : rule_(rule), events_(events), warps_(sms), blocks_(sms), marks_(sms) {}

  const std::vector<int>& after(std::size_t events) {
    while (next_ < events) next();
    return marks_;
  }

 private:
  void next() {
    const SmEvent& event = events_[next_];
    const bool came = event.placed_warps > 0;
    // Those that leave together: nobody sees what stands between.
    const auto together = std::find_if(events_.begin() + next_, events_.end(), [&](auto& each) {
      return came || each.placed_warps > 0 || each.action != event.action;
    });
    const auto end = came ? events_.begin() + next_ + 1 : together;
    if (came && event.device_blocks == 1) {  // the device was idle until now
      for (std::vector<int>* each : {&warps_, &blocks_, &marks_}) std::ranges::fill(*each, 0);
    }
    for (auto at = events_.begin() + next_; at != end; ++at) {
      warps_[at->sm] = at->warps;
      blocks_[at->sm] = at->blocks;
    }
    const int most = std::ranges::max(marks_);
    const auto marked = static_cast<int>(marks_.size() - std::ranges::count(marks_, 0));
    const auto write = [&](int sm, int chosen, int gone) {
      const std::array<int, std::size(Mark::names)> seen{
          marks_[sm], chosen,
          gone,       event.placed_warps,
          warps_[sm], blocks_[sm],
          sm,         most,
          marked,     static_cast<int>(marks_.size())};
      const int after = Evaluation<int, bool>(rule_, seen).number();
      marks_[sm] = std::clamp(after, 0, Mark::kMost);
    };
    if (came) {
      for (int sm = 0; sm < std::ssize(marks_); ++sm) write(sm, sm == event.sm, 0);
    } else {
      for (auto at = events_.begin() + next_; at != end; ++at) write(at->sm, 0, at->gone);
    }
    next_ = end - events_.begin();
  }

  const Formula& rule_;
  const SmEvents& events_;
  std::vector<int> warps_;
  std::vector<int> blocks_;
  std::vector<int> marks_;
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
    const std::vector<int>& marks = marked->after(placement.after);
    for (EligibleSm& sm : placement.eligible) {
      const bool is_idle = sm.admission[Admission::device_blocks] == 0;
      const int its = is_idle ? 0 : marks[sm.admission[Admission::sm]];
      sm.admission[Admission::mark] = its;
      if (!sm.selection.empty()) sm.selection[Selection::mark] = its;
    }
  }
}

}  // namespace cuvier
