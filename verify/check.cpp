#include "verify/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "verify/cores.h"
#include "verify/explanations.h"

namespace cuvier::verify {
namespace {

using Texts = std::vector<std::string>;

constexpr long few_ways = 200'000;  // through a session, at first

const std::string wrong_itself = "the checker is wrong: ";
constexpr int drawn_of_each = 8;  // hypotheses with an excluded value
constexpr int most_left_out = 3;  // of contradicted probes; each makes it as many times longer

/// What model.json has that is looked at, and what is only told.
constexpr const char* looked_at[] = {"schema", "status",    "device",    "assumed",   "channels",
                                     "voted",  "mechanism", "surviving", "open",      "classes",
                                     "probes", "runs",      "discarded", "hypotheses"};
constexpr const char* told[] = {"reason",        "oracle",    "seed",    "seconds", "spent",
                                "fewest_probes", "confirmed", "nearest", "maps",    "clash"};

class Check {
 public:
  Check(const std::string& dir, std::function<void()> still)
      : still_(std::move(still)),
        path_(dir + "/model.json"),
        json_(parse_json(read_file(path_), path_)),
        model_(json_, path_),
        journal_(read_journal(dir + "/journal.jsonl")),
        space_(journal_.device) {}

  Checked result() {
    read();
    if (device_from(model_.at("device")) == journal_.device) {
      look_at_recordings();
      follow_or_say_why();
    } else {
      fault("device", "is not the journal's");
      checked_.undecided = "the recordings are another device's";
    }
    say_what_is_not_checked();
    return checked_;
  }

 private:
  void fault(const std::string& field, const std::string& what) {
    checked_.faults.push_back(fmt::format("{}: {}: {}", path_, field, what));
  }
  /// Of an object, each field.
  void expect(const std::string& field, const Json& told, const Json& expected, const char* why) {
    if (told.is_object() && expected.is_object()) {
      Json all = told;
      all.update(expected);
      for (const auto& [name, value] : all.items()) {
        const std::string of = field + '.' + name;
        if (told.contains(name) && expected.contains(name)) {
          expect(of, told[name], expected[name], why);
        } else {
          fault(of, told.contains(name) ? "is no field here" : "is missing");
        }
      }
    } else if (told.dump() != expected.dump()) {
      fault(field, fmt::format("{}, but {}{}", told.dump(), expected.dump(), why));
    }
  }
  void expect(const std::string& field, const Json& expected, const char* why = "") {
    expect(field, model_.at(field).json(), expected, why);
  }

  void read() {
    for (const char* field : looked_at) model_.at(field);
    for (const char* field : told) {
      if (model_.find(field)) checked_.not_checked.push_back(field);
    }
    if (const auto order = model_.find("order")) {
      order_ = order->numbers(0, journal_.device.sms - 1);
      std::vector<int> sms = order_;
      std::ranges::sort(sms);
      if (sms != numbers_below(journal_.device.sms)) order->fail("must have each SM once");
    }
    model_.nothing_else();
    expect("schema", 1);
    status_ = model_.at("status").get<std::string>();
    const Texts ends = {"identified", "ambiguous", "refuted", "undecided"};
    if (std::ranges::count(ends, status_) == 0) fault("status", status_ + " is none");
    voted_ = model_.at("voted").get<bool>();
    surviving_ = model_.at("surviving").get<std::map<std::string, Texts>>();
    for (const std::string& channel : model_.at("channels").get<Texts>()) {
      if (channel != "warp_slot" && channel != "shared_config" && channel != "start_ns") {
        fault("channels", channel + " is none");
      }
    }
    for (const std::string& assumption : model_.at("assumed").get<Texts>()) {
      space_.restrict_to(assumption, path_ + ": assumed");
    }
    checked_.combinations = space_.combinations();
    Field hypotheses = model_.at("hypotheses");
    for (const char* field : {"initial", "remaining", "exact"}) {
      hypotheses.at(field);
      checked_.not_checked.push_back(std::string("hypotheses.") + field);
    }
    if (hypotheses.at("combinations").get<double>() != checked_.combinations) {
      fault("hypotheses.combinations", fmt::format("must be {:.0f}", checked_.combinations));
    }
    hypotheses.nothing_else();
  }

  /// How many count; and that none is there twice, unless runs vote or follow each other in one
  /// session.
  void look_at_recordings() {
    std::vector<Recording>& all = journal_.recordings;
    std::erase_if(all, [](const Recording& each) { return !each.counts; });
    std::set<std::string> names;
    int alone = 0;
    const Recording* before = nullptr;
    for (const Recording& recording : all) {
      const std::string& name = recording.probe.name;
      const bool is_new = names.insert(name).second;
      const bool is_again = before && !recording.fresh && are_of_one_probe(*before, recording);
      before = &recording;
      if (voted_) continue;
      counting_.push_back(&recording);
      alone += name.ends_with("-alone");
      if (!is_new && !is_again) {
        checked_.faults.push_back(recording.where + ": " + name + " was recorded before");
      } else if (recording.facts() == 0) {
        checked_.faults.push_back(recording.where + ": nothing is known of " + name);
      }
    }
    if (voted_) votes_ = put_to_vote(all);
    for (const Voted& voted : votes_) counting_.push_back(&voted.outcome);
    checked_.recordings = static_cast<int>(counting_.size());
    for (const Recording* each : counting_) checked_.facts += each->facts();
    expect("probes", std::ssize(names) - alone, " were recorded");
    if (voted_ || model_.at("runs").json() != 0) {
      expect("runs", std::ssize(all) - alone, " were recorded");
    }
  }

  /// Last resorts are considered where nothing else is left, one after the other.
  void follow_or_say_why() {
    try {
      Explanations left = explanations();
      const bool has_lone = std::ranges::any_of(surviving_, [](const auto& of_axis) {
        return std::ranges::any_of(of_axis.second, needs_lone_tpcs);
      });
      if (left.nothing() && (has_lone || status_ == "refuted")) {
        space_.consider_lone_tpcs();
        ways_at_first_ = few_ways;  // there are a hundred times as many combinations
        left = explanations();
      }
      int more = 0;  // other axes of which one is left
      for (const auto& [axis, last_resorts] : last_resorts_in_turn()) {
        const Texts& surviving = surviving_[std::string(axes[axis].name)];
        const bool has = std::ranges::any_of(last_resorts, [&](const std::string& value) {
          return std::ranges::count(surviving, value) > 0;
        });
        more += has;
        for (const std::string& value : last_resorts) {
          if (!left.nothing() || !(has || status_ == "refuted")) continue;
          if (!space_.consider(axis, value)) continue;
          if (value == "learned" && order_.empty()) {
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
      } else if (more > 1 || (voted_ && (has_lone || more > 0))) {
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
    Explanations left(all, counting_, std::min(most_left_out, most_that_may_be_left_out()),
                      ways_at_first_);
    checked_.ways = left.followed();
    return left;
  }
  Left left_of(const Space& space) const { return Left(journal_.device, space, order_, still_); }

  /// So that what nobody thought of is not taken for noise.
  int most_that_may_be_left_out() const {
    return voted_ ? 2 + static_cast<int>(counting_.size()) / 10 : 0;
  }

  void compare(const Explanations& left) {
    Json surviving;
    Json classes = Json::object();
    const Texts open = model_.at("open").get<Texts>();
    for (int axis = 0; axis < axis_count; ++axis) {
      const std::string name(axes[axis].name);
      Json& values = surviving[name] = Json::array();
      for (const Value* value : left.surviving(space_, axis)) values.push_back(value->text);
      const bool is_open = std::ranges::count(open, name) > 0;
      if (values.size() > 1) {
        classes[name] = !is_open                  ? "any value: without effect under the others"
                        : status_ == "identified" ? "any value: proved equivalent"
                                                  : "open";
      } else if (is_open) {
        fault("open", name + " has no two values");
      }
    }
    expect("surviving", surviving, " explain the recordings");
    expect("classes", classes);
    const auto as_told = [&](const auto& left_out) {
      return discarded(left_out) == model_.at("discarded").json();
    };
    if (!left.nothing() && std::ranges::none_of(left.ways(), as_told)) {
      fault("discarded", fmt::format("not {}", discarded(left.ways().front()).dump()));
    }
    if (left.nothing() != (status_ == "refuted")) {
      fault("status", status_ + (left.nothing() ? ", but nothing explains the recordings"
                                                : ", but hypotheses explain them"));
    } else if (left.nothing()) {
      expect("mechanism", nullptr, " explains the recordings");
    } else if (status_ == "identified") {
      is_one_behaviour(left);
    }
    checked_.left = left.hypotheses();
    checked_.left_out = left.nothing() ? 0 : left.left_out();
    one_by_one(left);
  }

  /// What does not count, as the model must have it.
  Json discarded(const std::set<const Recording*>& left_out) const {
    Json all = Json::array();
    for (const Voted& voted : votes_) {
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
    if (has_drift(left.member(random))) return;
    const std::string part = left.where_they_part(
        [&](const Mechanism& hypothesis) { return left_of(Space(hypothesis)); }, random);
    if (!part.empty()) {
      return fault("status", "identified, but what is left goes apart after " + part);
    }
    checked_.compared = counting_.empty() ? 0 : compared_sessions;
  }

  /// What the model has, if that is considered.
  std::optional<Mechanism> told_mechanism() {
    const auto wrong = [&](const std::string& field, const std::string& what) {
      fault(field, what);
      return std::nullopt;
    };
    if (model_.at("mechanism").json().is_null()) return wrong("mechanism", "must have every axis");
    const auto told = model_.at("mechanism").get<std::map<std::string, std::string>>();
    if (told.size() != axis_count) return wrong("mechanism", "must have every axis");
    Mechanism mechanism;
    for (const auto& [name, value] : told) {
      const int axis = find_axis(name);
      if (axis < 0) return wrong("mechanism." + name, "is no axis");
      mechanism[axis] = value_of(axis, value, path_ + ": mechanism");
      if (std::ranges::count(space_.values(axis), mechanism[axis]) == 0) {
        return wrong("mechanism." + name, value + " is not considered");
      }
    }
    if (!order_.empty() && !mechanism.is("tie_break=learned")) {
      fault("order", "of what learned none");
    }
    return mechanism;
  }

  /// Hypotheses one by one: what was followed for all of them at once is held to them.
  void one_by_one(const Explanations& left) {
    struct Alone {
      Mechanism hypothesis;
      bool is_left = false;
      std::string otherwise = "";  ///< what is wrong if it is not, or if it is
    };
    std::vector<Alone> all;
    std::mt19937_64 random(1);
    if (!left.nothing()) {
      if (const auto told = told_mechanism()) {
        all.push_back({*told, true, path_ + ": mechanism: gets a recording wrong"});
      }
      all.push_back({left.member(random), true, wrong_itself + "what it leaves gets one wrong"});
    }
    checked_.run_through = static_cast<int>(all.size());
    for (int axis = 0; axis < axis_count; ++axis) {
      const std::vector<const Value*> surviving = left.surviving(space_, axis);
      for (const Value* excluded : space_.values(axis)) {
        if (std::ranges::count(surviving, excluded) > 0) continue;
        for (int i = 0; i < drawn_of_each; ++i) {
          Mechanism drawn;
          for (int each = 0; each < axis_count; ++each) {
            const auto& values = space_.values(each);
            drawn[each] = values[random() % values.size()];
          }
          drawn[axis] = excluded;
          all.push_back({drawn, false, wrong_itself + "what it excludes explains everything"});
        }
      }
    }
    checked_.drawn = static_cast<int>(all.size()) - checked_.run_through;
    const auto explain = on_all_cores(static_cast<int>(all.size()), [&](int i) -> int {
      return explains(all[i].hypothesis, left.left_out());
    });
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (explain[i] != all[i].is_left) checked_.faults.push_back(all[i].otherwise);
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
    for (const char* told :
         {"device.name", "device.architecture", "limits of the device that no recording reaches",
          "that the oracle shows the channels", "that axes which are not open have no effect",
          "the journal's source"}) {
      list.push_back(told);
    }
    if (!order_.empty()) list.push_back("orders of the SMs other than the model's");
    if (checked_.left_out > 0) {
      list.push_back("that what contradicts the others was asked in other words");
    }
    if (status_ == "identified") list.push_back("a proof that what is left is one behaviour");
    list.push_back(
        "last resorts that the model does not have (learned orders, drift, numbers by GPC)");
  }

  std::function<void()> still_;
  std::string path_;
  Json json_;
  Field model_;
  std::string status_;
  bool voted_ = false;
  std::vector<int> order_;          ///< of the SMs, if it was learned
  long ways_at_first_ = most_ways;  ///< through a session
  std::map<std::string, Texts> surviving_;
  Journal journal_;
  Space space_;
  std::vector<Voted> votes_;
  std::vector<const Recording*> counting_;
  Checked checked_;
};

}  // namespace

Checked check(const std::string& dir, const std::function<void()>& still) {
  return Check(dir, still).result();
}

}  // namespace cuvier::verify
