#include "verify/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "verify/behaviour.h"
#include "verify/interpreter.h"
#include "verify/left.h"
#include "verify/model.h"
#include "verify/unreadable.h"

namespace cuvier::verify {
namespace {

constexpr int drawn_of_each = 8;  // hypotheses with an excluded value
constexpr int drawn_of_left = 2;
constexpr int compared_of_left = 8;

class Check {
 public:
  Check(const std::string& dir, std::function<void()> still)
      : still_(std::move(still)),
        path_(dir + "/model.json"),
        model_(read_model(path_)),
        journal_(read_journal(dir + "/journal.jsonl")),
        space_(journal_.device) {}

  Checked result() {
    if (model_.device == journal_.device) {
      for (const std::string& assumption : model_.assumed) {
        space_.restrict_to(assumption, path_ + ": assumed");
      }
      look_at_recordings();
      what_is_said_beside();
      if (!why_not_followed()) follow_or_say_why();
    } else {
      fault("device", "is not the journal's");
    }
    say_what_is_not_checked();
    return checked_;
  }

 private:
  void fault(const std::string& field, const std::string& what) {
    checked_.faults.push_back(fmt::format("{}: {}: {}", path_, field, what));
  }

  /// How many count; and that none is there twice, unless runs vote.
  void look_at_recordings() {
    std::set<std::string> names;
    for (const Recording& recording : journal_.recordings) {
      if (!names.insert(recording.probe.name).second && !model_.voted) {
        checked_.faults.push_back(
            fmt::format("{}: {} was recorded before", recording.where, recording.probe.name));
      }
      if (!recording.counts) continue;
      counting_.push_back(&recording);
      checked_.facts += recording.facts;
      ++checked_.recordings;
      if (recording.facts == 0) {
        checked_.faults.push_back(
            fmt::format("{}: nothing is known of {}", recording.where, recording.probe.name));
      }
    }
    if (!model_.voted && model_.probes != static_cast<int>(names.size())) {
      fault("probes", fmt::format("{}, but {} were recorded", model_.probes, names.size()));
    }
    if (!model_.voted && model_.runs != 0 && model_.runs != model_.probes) {
      fault("runs", fmt::format("{} of {} probes that ran once", model_.runs, model_.probes));
    }
    if (!model_.voted && model_.discarded > 0) fault("discarded", "where no runs vote, none is");
  }

  void what_is_said_beside() {
    for (const std::string& channel : model_.channels) {
      if (channel != "warp_slot" && channel != "shared_config" && channel != "start_ns") {
        fault("channels", channel + " is none");
      }
    }
    checked_.combinations = space_.combinations();
    if (model_.combinations != checked_.combinations) {
      fault("hypotheses.combinations",
            fmt::format("{}, but there are {}", model_.combinations, checked_.combinations));
    }
    std::set<std::string> of_axes;
    for (const AxisRow& axis : axes) of_axes.insert(std::string(axis.name));
    for (const auto& [axis, values] : model_.surviving) of_axes.erase(axis);
    if (!of_axes.empty() || model_.surviving.size() != axis_count) {
      fault("surviving", "must have every axis");
    }
    for (const auto& [axis, why] : model_.classes) {
      const bool is_open = std::ranges::count(model_.open, axis) > 0;
      const bool identified = model_.status == "identified";
      const std::string expected = !is_open     ? "any value: without effect under the others"
                                   : identified ? "any value: proved equivalent"
                                                : "open";
      if (why != expected)
        fault("classes." + axis, fmt::format("\"{}\", not \"{}\"", expected, why));
    }
    for (const auto& [axis, values] : model_.surviving) {
      if ((values.size() > 1) != model_.classes.contains(axis)) {
        fault("classes." + axis, "is there where an axis has several values, and nowhere else");
      }
    }
    for (const std::string& axis : model_.open) {
      if (!model_.classes.contains(axis)) fault("open", axis + " has no two values");
    }
  }

  /// What this checker cannot follow.
  bool why_not_followed() {
    std::string& why = checked_.undecided;
    if (model_.voted) why = "runs vote (--repeat), and which of them count is not worked out here";
    if (journal_.has_openings)
      why = "sessions open (a device that others used), which is not followed here";
    for (const auto& [axis, values] : model_.surviving) {
      if (std::ranges::any_of(values, [](const auto& value) { return is_last_resort(value); })) {
        why = axis + " is a last resort, which is not followed here";
      }
    }
    return !why.empty();
  }

  /// Recordings by themselves that know most about single blocks come first: what they exclude need
  /// not be followed through the others. (What an inference asked in a session told most at first.)
  std::vector<const Recording*> telling_first() const {
    std::vector<std::vector<const Recording*>> sessions;
    for (const Recording* recording : counting_) {
      if (recording->fresh) sessions.emplace_back();
      sessions.back().push_back(recording);
    }
    const auto blocks = [](const std::vector<const Recording*>& session) {
      std::size_t blocks = 0;
      for (const Recording* recording : session) {
        for (const auto& step : recording->known) {
          for (const Known& known : step) blocks += known.sms ? known.sms->size() : 0;
        }
      }
      return blocks;
    };
    if (sessions.size() == counting_.size()) {
      std::ranges::stable_sort(sessions, std::ranges::greater{}, blocks);
    }
    std::vector<const Recording*> sorted;
    for (const auto& session : sessions)
      sorted.insert(sorted.end(), session.begin(), session.end());
    return sorted;
  }

  void follow_or_say_why() {
    try {
      follow();
    } catch (const TooManyWays&) {
      checked_.undecided =
          fmt::format("the recordings can be explained in more than {} ways", most_ways);
    }
  }

  void follow() {
    Left left(journal_.device, space_, still_);
    for (const Recording* recording : telling_first()) {
      if (!left.nothing()) left.explain(*recording);
    }
    checked_.ways = left.ways();
    checked_.left = left.hypotheses();
    for (int axis = 0; axis < axis_count; ++axis) {
      const std::string name(axes[axis].name);
      std::vector<std::string> values;
      for (const Value& value : left.surviving(axis)) values.push_back(space_.text(axis, value));
      if (model_.surviving[name] != values) {
        fault("surviving." + name,
              fmt::format("[{}], but [{}] explain the recordings",
                          fmt::join(model_.surviving[name], ", "), fmt::join(values, ", ")));
      }
    }
    if (model_.status == "refuted") {
      if (!left.nothing()) fault("status", "refuted, but hypotheses explain the recordings");
      if (model_.has_mechanism) fault("mechanism", "of what nothing explains");
    } else if (left.nothing()) {
      fault("status", model_.status + ", but nothing explains the recordings");
    } else {
      mechanism_is_left(left);
      if (model_.status == "identified") is_one_behaviour(left);
    }
    draw(left);
  }

  /// Nobody proves it here; but what parts on a few more probes is no one behaviour.
  void is_one_behaviour(const Left& left) {
    std::mt19937_64 random(1);
    const std::vector<Box> boxes = left.boxes();
    std::vector<Mechanism> members;
    for (int i = 0; i < compared_of_left; ++i) {
      members.push_back(left.member(boxes[random() % boxes.size()], random));
    }
    const std::string part = where_they_part(journal_.device, members, counting_, random, still_);
    if (!part.empty())
      return fault("status", "identified, but what is left goes apart after " + part);
    checked_.compared = counting_.empty() ? 0 : compared_sessions;
  }

  void mechanism_is_left(const Left& left) {
    if (model_.mechanism.size() != axis_count) return fault("mechanism", "must have every axis");
    Mechanism mechanism;
    for (const auto& [name, value] : model_.mechanism) {
      const int axis = find_axis(name);
      if (axis < 0) return fault("mechanism." + name, "is no axis");
      mechanism.decide(axis, space_.value(axis, value, path_ + ": mechanism"));
    }
    if (!left.has(mechanism)) fault("mechanism", "does not explain the recordings");
    if (!model_.order.empty()) fault("order", "of what learned none");
    if (!run_through(mechanism)) fault("mechanism", "gets a recording wrong");
  }

  /// Hypotheses one by one, by the plain interpreter: what was followed for all of them at once is
  /// held to it.
  void draw(const Left& left) {
    std::mt19937_64 random(1);
    const auto any = [&](int axis) {
      return space_.values(axis)[random() % space_.values(axis).size()];
    };
    const std::vector<Box> boxes = left.boxes();
    for (int i = 0; i < drawn_of_left && !boxes.empty(); ++i) {
      Mechanism drawn = left.member(boxes[random() % boxes.size()], random);
      if (!run_through(drawn)) {
        checked_.faults.push_back("the checker is wrong: what it leaves gets a recording wrong");
      }
    }
    for (int axis = 0; axis < axis_count; ++axis) {
      const std::vector<Value> surviving = left.surviving(axis);
      for (const Value& excluded : space_.values(axis)) {
        if (std::ranges::count(surviving, excluded) > 0) continue;
        for (int i = 0; i < drawn_of_each; ++i) {
          Mechanism drawn;
          for (int each = 0; each < axis_count; ++each) drawn.decide(each, any(each));
          drawn.decide(axis, excluded);
          ++checked_.drawn;
          if (explains_all(drawn)) {
            checked_.faults.push_back("the checker is wrong: what it excludes explains everything");
          }
        }
      }
    }
  }

  bool run_through(const Mechanism& hypothesis) {
    ++checked_.run_through;
    return explains_all(hypothesis);
  }

  bool explains_all(const Mechanism& hypothesis) const {
    std::unique_ptr<Interpreter> interpreter;
    for (const Recording* recording : counting_) {
      if (still_) still_();
      if (recording->fresh)
        interpreter = std::make_unique<Interpreter>(journal_.device, hypothesis);
      if (!explains(*interpreter, *recording)) return false;
    }
    return true;
  }

  static bool explains(Interpreter& interpreter, const Recording& recording) {
    const Probe& probe = recording.probe;
    const std::vector<Step> steps = interpreter.run(probe);
    for (std::size_t step = 0; step < steps.size(); ++step) {
      for (std::size_t k = 0; k < probe.kernels.size(); ++k) {
        const std::vector<Seen>& seen = steps[step][k];
        const int started = static_cast<int>(seen.size());
        std::vector<int> sms;
        std::vector<std::vector<int>> routes;
        for (const Seen& each : seen) sms.push_back(each.sm), routes.push_back(each.subpartitions);
        std::vector<int> set = sms;
        std::ranges::sort(set);
        const Known& known = recording.known[step][k];
        if (known.sms.value_or(sms) != sms || known.sm_set.value_or(set) != set ||
            known.started.value_or(started) != started ||
            known.starts.value_or(started > 0) != (started > 0) ||
            known.complete.value_or(started == probe.kernels[k].blocks) !=
                (started == probe.kernels[k].blocks) ||
            known.subpartitions.value_or(routes) != routes) {
          return false;
        }
      }
    }
    for (const Action& action : probe.script) {
      if (action.launch < 0 || !recording.configs[action.launch]) continue;
      const long preferred = interpreter.preferred_config(probe.kernels[action.launch]);
      if (preferred != *recording.configs[action.launch]) return false;
    }
    return true;
  }

  void say_what_is_not_checked() {
    auto& list = checked_.not_checked;
    list = model_.told;
    for (const char* told : {"device.name", "device.architecture", "open"}) list.push_back(told);
    if (model_.status == "refuted") list.push_back("clash");
    if (model_.status == "identified") list.push_back("a proof that what is left is one behaviour");
    list.push_back("last resorts (tie_break=learned, pairs_in_flight=drifting)");
  }

  std::function<void()> still_;
  std::string path_;
  Model model_;
  Journal journal_;
  Space space_;
  std::vector<const Recording*> counting_;
  Checked checked_;
};

}  // namespace

Checked check(const std::string& dir, const std::function<void()>& still) {
  return Check(dir, still).result();
}

}  // namespace cuvier::verify
