#include "verify/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <random>
#include <set>

#include "verify/explanations.h"
#include "verify/interpreter.h"
#include "verify/journal.h"
#include "verify/model.h"
#include "verify/votes.h"

namespace cuvier::verify {
namespace {

constexpr int drawn_of_each = 8;  // hypotheses with an excluded value
constexpr int drawn_of_left = 2;
constexpr int compared_of_left = 8;
constexpr int most_left_out = 3;  // of contradicted probes; each makes it as many times longer

/// A drift from two picks in flight explains less than one from a single pick.
const std::pair<int, Texts> last_resorts_in_turn[] = {
    {find_axis("pairs_in_flight"), {"drifting_from_two", "drifting"}},
    {find_axis("tie_break"), {"learned"}}};

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
      follow_or_say_why();
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
  void expect(const std::string& field, const auto& told, const auto& expected,
              const char* why = "") {
    if (told != expected) fault(field, fmt::format("{}, but {}{}", told, expected, why));
  }

  /// How many count; and that none is there twice, unless runs vote.
  void look_at_recordings() {
    std::set<std::string> names;
    for (const Recording& recording : journal_.recordings) {
      const std::string& name = recording.probe.name;
      const bool is_new = names.insert(name).second;
      if (model_.voted) continue;
      if (!is_new) {
        checked_.faults.push_back(recording.where + ": " + name + " was recorded before");
      } else if (recording.facts() == 0 && recording.counts) {
        checked_.faults.push_back(recording.where + ": nothing is known of " + name);
      }
    }
    std::erase_if(journal_.recordings, [](const Recording& each) { return !each.counts; });
    int runs = 0;
    if (model_.voted) {
      voted_ = put_to_vote(journal_.recordings);
      for (const Voted& voted : voted_) counting_.push_back(&voted.outcome);
      runs = static_cast<int>(journal_.recordings.size());
    } else {
      for (const Recording& recording : journal_.recordings) {
        counting_.push_back(&recording);
        runs += !recording.probe.name.ends_with("-alone");
      }
    }
    checked_.recordings = static_cast<int>(counting_.size());
    for (const Recording* each : counting_) checked_.facts += each->facts();
    expect("probes", model_.probes, model_.voted ? checked_.recordings : runs, " were recorded");
    if (model_.runs != 0 || model_.voted) expect("runs", model_.runs, runs, " were recorded");
  }

  void what_is_said_beside() {
    for (const std::string& channel : model_.channels) {
      if (channel != "warp_slot" && channel != "shared_config" && channel != "start_ns") {
        fault("channels", channel + " is none");
      }
    }
    checked_.combinations = space_.combinations();
    expect("hypotheses.combinations", model_.combinations, checked_.combinations);
    if (model_.surviving.size() != axis_count) fault("surviving", "must have every axis");
    ByAxis<std::string> classes;
    for (const auto& [axis, values] : model_.surviving) {
      if (find_axis(axis) < 0) fault("surviving." + axis, "is no axis");
      if (values.size() < 2) continue;
      classes[axis] = std::ranges::count(model_.open, axis) == 0
                          ? "any value: without effect under the others"
                      : model_.status == "identified" ? "any value: proved equivalent"
                                                      : "open";
      expect("classes." + axis, model_.classes[axis], classes[axis]);
    }
    for (const auto& [axis, why] : model_.classes) {
      if (!classes.contains(axis)) fault("classes." + axis, "has no two values");
    }
    for (const std::string& axis : model_.open) {
      if (!classes.contains(axis)) fault("open", axis + " has no two values");
    }
  }

  /// Last resorts are considered where nothing else is left, one after the other.
  void follow_or_say_why() {
    try {
      Explanations left = explanations();
      int more = 0;  // axes of which one is left
      for (const auto& [axis, last_resorts] : last_resorts_in_turn) {
        const bool has =
            std::ranges::any_of(model_.surviving[std::string(axes[axis].name)], is_last_resort);
        more += has;
        for (const std::string& value : last_resorts) {
          if (!left.nothing() || !(has || model_.status == "refuted")) continue;
          if (!space_.consider(axis, value)) continue;
          if (value == "learned" && model_.order.empty()) {
            checked_.undecided =
                "whether some order of the SMs explains all is not worked out here";
            return;
          }
          left = explanations();
        }
      }
      if (left.nothing() && most_that_may_be_left_out() > left.left_out()) {
        checked_.undecided =
            fmt::format("more than {} contradicting probes are not left out here", left.left_out());
      } else if (more > 1 || (more > 0 && model_.voted)) {
        checked_.undecided = "several last resorts, or one where runs vote, are not followed here";
      } else {
        compare(left);
      }
    } catch (const TooManyWays&) {
      checked_.undecided =
          fmt::format("the recordings can be explained in more than {} ways", most_ways);
    }
  }

  Explanations explanations() {
    const Left all = left_of(space_);
    Explanations left(all, counting_, std::min(most_left_out, most_that_may_be_left_out()));
    checked_.ways = all.ways();
    return left;
  }
  Left left_of(const Space& space) const {
    return Left(journal_.device, space, model_.order, still_);
  }

  /// So that what nobody thought of is not taken for noise.
  int most_that_may_be_left_out() const {
    return model_.voted ? 2 + static_cast<int>(counting_.size()) / 10 : 0;
  }

  void compare(const Explanations& left) {
    for (int axis = 0; axis < axis_count; ++axis) {
      const std::string name(axes[axis].name);
      Texts values;
      for (const Value* value : left.surviving(space_, axis)) values.push_back(value->text);
      const auto listed = [](const Texts& texts) {
        return fmt::format("[{}]", fmt::join(texts, ", "));
      };
      expect("surviving." + name, listed(model_.surviving[name]), listed(values),
             " explain the recordings");
    }
    const auto as_told = [&](const Explanations::Way& way) {
      return discarded(way.left_out) == model_.discarded;
    };
    if (!left.nothing() && std::ranges::none_of(left.ways(), as_told)) {
      fault("discarded", fmt::format("not {}", discarded(left.ways().front().left_out).dump()));
    }
    if (left.nothing() != (model_.status == "refuted")) {
      fault("status", model_.status + (left.nothing() ? ", but nothing explains the recordings"
                                                      : ", but hypotheses explain them"));
    } else if (!left.nothing()) {
      mechanism_is_left(left);
      if (model_.status == "identified") is_one_behaviour(left);
    } else if (!model_.mechanism.empty()) {
      fault("mechanism", "of what nothing explains");
    }
    checked_.left = left.hypotheses();
    checked_.left_out = left.nothing() ? 0 : left.left_out();
    draw(left);
  }

  /// What does not count, as the model must have it.
  Json discarded(const std::set<const Recording*>& left_out) const {
    Json all = Json::array();
    for (const Voted& voted : voted_) {
      const auto add = [&](int runs, const std::string& reason) {
        all.push_back({{"probe", voted.outcome.probe.name},
                       {"runs", voted.runs},
                       {"discarded", runs},
                       {"reason", reason}});
      };
      if (left_out.contains(&voted.outcome)) {
        add(voted.runs, "contradicts the others");
        continue;
      }
      if (voted.differing > 0) add(voted.differing, "differs from most");
      if (!voted.is_settled) {
        add(voted.runs,
            fmt::format("not settled from step {} on", voted.outcome.probe.script.size()));
      }
    }
    return all;
  }

  /// Nobody proves it here; but what parts on a few more probes is no one behaviour.
  void is_one_behaviour(const Explanations& left) {
    std::mt19937_64 random(1);
    std::vector<Mechanism> members;
    for (int i = 0; i < compared_of_left; ++i) members.push_back(left.member(random));
    if (has_drift(members.front())) return;
    const std::string part =
        where_they_part(journal_.device, members, model_.order, counting_, random, still_);
    if (!part.empty()) {
      return fault("status", "identified, but what is left goes apart after " + part);
    }
    checked_.compared = counting_.empty() ? 0 : compared_sessions;
  }

  void mechanism_is_left(const Explanations& left) {
    if (model_.mechanism.size() != axis_count) return fault("mechanism", "must have every axis");
    Mechanism mechanism;
    for (const auto& [name, value] : model_.mechanism) {
      const int axis = find_axis(name);
      if (axis < 0) return fault("mechanism." + name, "is no axis");
      mechanism[axis] = value_of(axis, value, path_ + ": mechanism");
    }
    if (!left.has(mechanism)) return fault("mechanism", "does not explain the recordings");
    if (!model_.order.empty() && !mechanism.is("tie_break=learned")) {
      fault("order", "of what learned none");
    }
    ++checked_.run_through;
    if (!explains(mechanism, left.left_out())) fault("mechanism", "gets a recording wrong");
  }

  /// Hypotheses one by one: what was followed for all of them at once is held to them.
  void draw(const Explanations& left) {
    std::mt19937_64 random(1);
    for (int i = 0; i < drawn_of_left && !left.nothing(); ++i, ++checked_.run_through) {
      if (!explains(left.member(random), left.left_out())) {
        checked_.faults.push_back("the checker is wrong: what it leaves gets a recording wrong");
      }
    }
    for (int axis = 0; axis < axis_count; ++axis) {
      const std::vector<const Value*> surviving = left.surviving(space_, axis);
      for (const Value* excluded : space_.values(axis)) {
        if (std::ranges::count(surviving, excluded) > 0) continue;
        for (int i = 0; i < drawn_of_each; ++i, ++checked_.drawn) {
          Mechanism drawn;
          for (int each = 0; each < axis_count; ++each) {
            const auto& values = space_.values(each);
            drawn[each] = values[random() % values.size()];
          }
          drawn[axis] = excluded;
          if (explains(drawn, left.left_out())) {
            checked_.faults.push_back("the checker is wrong: what it excludes explains everything");
          }
        }
      }
    }
  }

  /// Whether it explains all recordings but as many as are left out.
  bool explains(const Mechanism& hypothesis, int left_out) const {
    Left one = left_of(Space(hypothesis));
    int wrong = 0;
    for (const Recording* recording : counting_) {
      Left further = one;
      further.explain(*recording);
      if (!further.nothing()) {
        one = further;
      } else if (++wrong > left_out) {
        return false;
      }
    }
    return true;
  }

  void say_what_is_not_checked() {
    Texts& list = checked_.not_checked;
    list = model_.told;
    for (const char* told :
         {"device.name", "device.architecture", "limits of the device that no recording reaches",
          "channels", "open", "the journal's source"}) {
      list.push_back(told);
    }
    if (!model_.order.empty()) list.push_back("orders of the SMs other than the model's");
    if (checked_.left_out > 0) {
      list.push_back("that what contradicts the others was asked in other words");
    }
    if (model_.status == "identified") list.push_back("a proof that what is left is one behaviour");
    list.push_back("last resorts that the model does not have (learned orders, drift)");
  }

  std::function<void()> still_;
  std::string path_;
  Model model_;
  Journal journal_;
  Space space_;
  std::vector<Voted> voted_;
  std::vector<const Recording*> counting_;
  Checked checked_;
};

}  // namespace

Checked check(const std::string& dir, const std::function<void()>& still) {
  return Check(dir, still).result();
}

}  // namespace cuvier::verify
