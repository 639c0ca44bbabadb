#include "solver/synthesis/synthesis.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "solver/proof/choice_proof.h"
#include "solver/synthesis/sm_question.h"

namespace cuvier {
namespace {

using Clock = std::chrono::steady_clock;

// Answers to one question, each with other kernels than those before, before the next is asked:
// what one SM answers differently need not come about on the whole device.
constexpr int kMostModels = 3;

// Beyond so many actions two SMs are not asked about: there are too many ways.
constexpr int kMostActionsOfTwo = 4;

// By so many actions the smallest menu is ahead of the others.
constexpr int kMenuLead = 2;

template <class... Axes>
bool same_axes(const Hypothesis& a, const Hypothesis& b, AxisList<Axes...>) {
  return ((a.get<Axes>() == b.get<Axes>()) && ...);
}

class Synthesiser {
 public:
  Synthesiser(const Device& device, const Hypothesis& a, const Hypothesis& b,
              const SynthesisOptions& options, const TellsApart& tells_apart)
      : device_(device),
        a_(canonical(a)),
        b_(canonical(b)),
        options_(options),
        tells_apart_(tells_apart),
        simulator_(device, a) {}

  Synthesis run() {
    factors_ = {!same_axes(a_, b_, WarpFileAxes{}), !same_axes(a_, b_, SharedMemoryAxes{})};
    if (!factors_.warps && !factors_.shared) {
      result_.reason = "they differ in nothing that one SM answers";
      return result_;
    }
    Hypothesis same_room = b_;
    same_room.set<RoomWarps>(a_.get<RoomWarps>());
    same_room.set<SharedRoom>(a_.get<SharedRoom>());
    only_room_differs_ =
        same_axes(a_, same_room, WarpFileAxes{}) && same_axes(a_, same_room, SharedMemoryAxes{});
    const auto sees = [&](const char* channel) {
      return std::ranges::find(options_.channels, channel) != options_.channels.end();
    };
    seen_.warp_slots = sees("warp_slot");
    seen_.configurations = sees("shared_config");
    const auto menus = demand_menus(device_, a_, b_, factors_);
    room_ = asks_of_choice(device_, a_).room && asks_of_choice(device_, b_).room;
    // The smallest menu goes ahead.
    for (int level = 1; level <= options_.actions + kMenuLead; ++level) {
      for (std::size_t menu = 0; menu < menus.size(); ++menu) {
        const int actions = menu == 0 ? level : level - kMenuLead;
        if (actions < 1 || actions > options_.actions) continue;
        if (found_with(actions, menus[menu])) return result_;
      }
      if (open_.empty()) level_ = level;
    }
    conclude();
    return result_;
  }

 private:
  bool found_with(int actions, const DemandMenu& menu) {
    for (const SmScript& script : sm_scripts(actions)) {
      if (!only_room_differs_ && found_by(script, menu, seen_)) return true;
      if (!room_ || actions > kMostActionsOfTwo) continue;
      Asked about_room;
      about_room.room = true;
      for (const SmScript& two : with_second_sm(script)) {
        if (found_by(two, menu, about_room)) return true;
      }
    }
    return false;
  }

  bool found_by(const SmScript& script, const DemandMenu& menu, const Asked& asked) {
    if (out_of_time(script)) return false;
    SmQuestion question(device_, a_, b_, script, menu, factors_, asked);
    for (int model = 0; model < kMostModels; ++model) {
      if (question.evidently_none()) return false;
      if (out_of_time(script)) return false;
      SmtLimits limits = options_.limits;
      limits.seconds = std::min(limits.seconds, options_.seconds - seconds());
      ++result_.queries;
      const SmtAnswer answer = question.ask(limits);
      if (answer.kind == SmtAnswer::Kind::unsat) return false;
      if (answer.kind == SmtAnswer::Kind::unknown) {
        gave_up_ = gave_up_ || seconds() < options_.seconds;
        leave_open(script, answer.reason);
        return false;
      }
      const std::vector<Kernel> kernels = question.take(answer);
      result_.probe = lift(script, kernels, simulator_, tells_apart_, result_.tried);
      if (result_.probe) {
        result_.kind = Synthesis::Kind::found;
        return true;
      }
    }
    ++unlifted_;
    return false;
  }

  bool out_of_time(const SmScript& script) {
    if (seconds() < options_.seconds && !options_.limits.task.is_to_end()) return false;
    leave_open(script, fmt::format("the {} s allowed are spent", options_.seconds));
    return true;
  }

  void leave_open(const SmScript& script, const std::string& why) {
    if (open_.empty()) open_ = fmt::format("\"{}\": {}", describe(script), why);
  }

  /// Where nothing was found. A bound that was exhausted before the time was spent is one.
  void conclude() {
    if (gave_up_ || level_ == 0) {
      result_.kind = Synthesis::Kind::gave_up;
      result_.reason = "synthesis gave up on " + open_;
      return;
    }
    const int all_menus = std::max(std::min(level_ - kMenuLead, options_.actions), 0);
    const int smallest_menu = std::min(level_, options_.actions);
    result_.reason = fmt::format(
        "{} up to {} actions on one SM of kernels on the smallest menu, up to {} on all menus",
        unlifted_ == 0 ? "equivalent" : "not shown to differ", smallest_menu, all_menus);
    if (unlifted_ > 0) {
      result_.reason += fmt::format(
          " ({} sequences have an SM answer differently, but none of {} probes made of them does)",
          unlifted_, result_.tried);
    }
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  const Device& device_;
  const Hypothesis a_;
  const Hypothesis b_;
  const SynthesisOptions& options_;
  const TellsApart& tells_apart_;
  Simulator simulator_;
  Factors factors_;
  bool room_ = false;  ///< the choice compares it, under both
  bool only_room_differs_ = false;
  Asked seen_;
  Synthesis result_;
  int unlifted_ = 0;
  int level_ = 0;         ///< up to which nothing was left open
  bool gave_up_ = false;  ///< the solver did, before the time was spent
  std::string open_;      ///< the first question that was left open, and why
  Clock::time_point start_ = Clock::now();
};

}  // namespace

Synthesis synthesise(const Device& device, const Hypothesis& a, const Hypothesis& b,
                     const SynthesisOptions& options, const TellsApart& tells_apart) {
  return Synthesiser(device, a, b, options, tells_apart).run();
}

}  // namespace cuvier
