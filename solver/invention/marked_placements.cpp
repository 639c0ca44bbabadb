#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "hypotheses/formulas/evaluate.h"
#include "hypotheses/scheduler/marks.h"
#include "solver/invention/formula_forms.h"
#include "solver/invention/placements.h"

namespace cuvier {
namespace {

// What stands for an SM from then on: for that where a block came, for the others then, and for
// that which blocks have left.
constexpr auto of_the_chosen = {"1",
                                "mark + 1",
                                "w",
                                "mark + w",
                                "most + 1",
                                "warps",
                                "blocks",
                                "mark / 2 + w",
                                "(mark + w) / 2",
                                "min(mark + 1, 3)",
                                "1 - min(mark, 1)",
                                "0"};
constexpr auto of_others = {"mark",
                            "more > 0 ? 0 : mark",
                            "more > 0 ? max(mark - 1, 0) : mark",
                            "more > 0 ? mark / 2 : mark",
                            "more > 0 ? mark + 1 : mark",
                            "more > 0 and marked + 1 >= sms ? 0 : mark"};
constexpr auto of_those_left = {"mark",     "0",        "1",          "max(mark - gone, 0)",
                                "mark / 2", "most + 1", "mark + gone"};
// What is remembered of the latest block, or of any before it.
constexpr auto of_blocks = {"joined + 1",           "priority < 0 ? 1 : mark",
                            "priority < 0 ? 1 : 0", "bytes > 0 ? 1 : mark",
                            "bytes > 0 ? 1 : 0",    "registers",
                            "max(mark, registers)", "max(mark, w)"};
// That an SM has got such a block since it was idle.
constexpr auto kinds_since_idle = {"w < 2",  "w < 3",     "w < 5",          "w > 4",       "w > 7",
                                   "w > 15", "bytes > 0", "registers > 64", "priority < 0"};
// By whom: SMs of a TPC, or neighbours, share what they remember.
constexpr auto sharing = {"sm / 2 == at / 2", "abs(sm - at) == 1"};
constexpr std::size_t kMostLimits = 48;  ///< of warps, or of blocks

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
  int blocks() const { return events_[next_ - 1]["device_blocks"]; }

 private:
  void next() {
    const auto says = [this](const Seen<Mark, int>& seen) {
      return std::clamp(Evaluation<int, bool>(rule_, seen.values).number(), 0, Mark::kMost);
    };
    const std::size_t first = next_;
    if (events_[first]["more"] > 0) {
      if (events_[first]["device_blocks"] == 1) become_idle();  // it was until now
      take(events_[next_]);
    } else {
      // What leaves together has left before any of it is noted.
      while (next_ < events_.size() && events_[next_]["more"] < 0 &&
             events_[next_]["device_blocks"] == events_[first]["device_blocks"]) {
        take(events_[next_]);
      }
    }
    for (std::size_t i = first; i < next_; ++i) marks_.note(events_[i], *this, says);
  }

  void take(const Seen<Mark, int>& event) {
    warps_[event["at"]] = event["warps"];
    blocks_[event["at"]] = event["blocks"];
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
std::vector<int> limits_of(const std::vector<Placement>& placements, NameOf<Mark> name) {
  std::set<int> values;
  const SmEvents* seen = nullptr;
  for (const Placement& placement : placements) {
    if (placement.events.get() == seen) continue;
    seen = placement.events.get();
    for (const auto& event : *seen) values.insert(event[name]);
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
        if (left != "mark")
          add(fmt::format("chosen == 1 ? {} : gone > 0 ? {} : {}", chosen, left, others));
      }
    }
  }
  // For so many blocks to come, wherever they go.
  for (const int blocks : {2, 4, 8, 16}) {
    add(fmt::format("gone > 0 ? {} : more > 0 ? max(mark - 1, 0) : mark", blocks));
  }
  for (const char* const rule : of_blocks) add(fmt::format("chosen == 1 ? {} : mark", rule));
  for (const char* const kind : kinds_since_idle) {
    add(fmt::format("chosen == 1 and {} ? 1 : blocks < 1 ? 0 : mark", kind));
  }
  for (const char* const who : sharing) {
    add(fmt::format("{} ? mark + more * w : mark", who));
    for (const char* const rule : of_blocks)
      add(fmt::format("more > 0 and {} ? {} : mark", who, rule));
  }
  for (const NameOf<Mark> number : {NameOf<Mark>("warps"), NameOf<Mark>("blocks")}) {
    const std::string_view name = Mark::names[number].name;
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
    for (Contender& sm : placement.eligible) {
      const auto read = [&](NameOf<Admission> name) -> int& { return sm.admission[name]; };
      const bool is_idle = read("device_blocks") == 0;
      const int its = is_idle ? 0 : marks[read("sm")];
      read("mark") = its;
      read("marked") = is_idle ? 0 : marks.marked();
      if (!sm.choice.empty()) sm.choice[NameOf<Selection>("mark")] = its;
    }
  }
}

}  // namespace cuvier
