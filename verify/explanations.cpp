#include "verify/explanations.h"

#include <fmt/format.h>

#include <optional>

#include "verify/cores.h"

namespace cuvier::verify {
namespace {

constexpr int most_at_once = 32;  // sessions; each is a copy of what is left

/// Recordings by themselves that know most about single blocks come first: what they exclude need
/// not be followed through the others. (What an inference asked in a session told most at first.)
std::vector<const Recording*> telling_first(std::vector<const Recording*> recordings) {
  const auto blocks = [](const Recording* recording) {
    std::size_t blocks = 0;
    for (const auto& step : recording->known) {
      for (const Known& known : step) blocks += known.sms ? known.sms->size() : 0;
    }
    return blocks;
  };
  if (std::ranges::all_of(recordings, &Recording::fresh)) {
    std::ranges::stable_sort(recordings, std::ranges::greater{}, blocks);
  }
  return recordings;
}

/// Where its warps go does not always show.
std::vector<std::vector<Known>> known_of(const std::vector<Step>& shown) {
  std::vector<std::vector<Known>> known;
  for (const Step& step : shown) {
    for (auto& of_kernels = known.emplace_back(); const auto& blocks : step) {
      std::vector<int>& sms = of_kernels.emplace_back().sms.emplace();
      for (const Seen& each : blocks) sms.push_back(each.sm);
    }
  }
  return known;
}

}  // namespace

Explanations::Explanations(const Left& all, const std::vector<const Recording*>& recordings,
                           int most_left_out, long ways_at_first)
    : recordings_(telling_first(recordings)) {
  if (most_left_out == 0) {
    follow_all(all, ways_at_first);
    return;
  }
  for (left_out_ = 0;; ++left_out_) {
    follow(all, 0, {});
    if (!nothing() || left_out_ == most_left_out) return;
  }
}

/// A session can be followed at any time, and what others exclude need not be followed through it:
/// those with few ways come first. Most exclude nothing more, and are followed several at once.
void Explanations::follow_all(Left left, long most) {
  using Session = std::vector<const Recording*>;
  std::vector<Session> sessions;
  for (const Recording* recording : recordings_) {
    if (sessions.empty() || recording->fresh) sessions.emplace_back();
    sessions.back().push_back(recording);
  }
  const auto after = [&](const Session& session, long limit) -> std::optional<Left> {
    Left after = left;
    after.limit_ways(limit);
    try {
      for (const Recording* recording : session) after.explain(*recording);
    } catch (const TooManyWays&) {
      return {};
    }
    return after;
  };
  std::vector<Session> waiting;
  bool has_followed = false;
  int at_once = 1;
  while (!(sessions.empty() && waiting.empty()) && !left.nothing()) {
    if (sessions.empty()) {
      if (!std::exchange(has_followed, false)) most *= 4;
      sessions = std::exchange(waiting, {});
      at_once = 1;
    }
    const Count hypotheses = left.hypotheses();
    const long ways = left.ways();
    const long limit = std::min(most, most_ways - followed_);
    const int count = std::min(at_once, static_cast<int>(sessions.size()));
    auto lefts = on_all_cores(count, [&](int i) { return after(sessions[i], limit); });
    at_once = std::min(2 * at_once, most_at_once);
    std::vector<Session> again;
    bool excludes = false;
    for (int i = 0; i < count; ++i) {
      const bool excludes_some =
          lefts[i] && (left.may_drift() || lefts[i]->hypotheses() < hypotheses);
      if (excludes_some && excludes) {
        again.push_back(sessions[i]);
        continue;
      }
      followed_ += lefts[i] ? lefts[i]->ways() - ways : limit;
      if (followed_ >= most_ways) throw TooManyWays();
      if (!lefts[i]) waiting.push_back(sessions[i]);
      has_followed |= lefts[i].has_value();
      if (!excludes_some) continue;
      left = std::move(*lefts[i]);
      excludes = true;
      at_once = 1;
    }
    sessions.erase(sessions.begin(), sessions.begin() + count);
    sessions.insert(sessions.begin(), again.begin(), again.end());
  }
  if (left.nothing()) return;
  left_.push_back(std::move(left));
  ways_.emplace_back();
}

void Explanations::follow(Left left, std::size_t from, const std::set<const Recording*>& left_out) {
  const bool are_all = static_cast<int>(left_out.size()) == left_out_;
  for (std::size_t at = from; at < recordings_.size() && !left.nothing(); ++at) {
    if (!are_all) {
      std::set<const Recording*> more = left_out;
      more.insert(recordings_[at]);
      follow(left, at + 1, more);
    }
    const long ways = left.ways();
    left.limit_ways(most_ways - followed_);
    left.explain(*recordings_[at]);
    followed_ += left.ways() - ways;
  }
  if (!are_all || left.nothing()) return;
  left_.push_back(std::move(left));
  ways_.push_back(left_out);
}

double Explanations::hypotheses() const {
  double all = 0;
  for (const Left& left : left_) all += static_cast<double>(left.hypotheses());
  return all;
}

std::vector<Box> Explanations::boxes() const {
  std::vector<Box> all;
  for (const Left& left : left_) std::ranges::copy(left.boxes(), std::back_inserter(all));
  return all;
}

std::vector<const Value*> Explanations::surviving(const Space& space, int axis) const {
  const int part = part_of(axis);
  std::set<const Value*> left;
  for (const auto& [tables, cells] : boxes()) {
    for (const int each : *cells[part]) left.insert(tables->combinations[part][each][axis]);
  }
  std::vector<const Value*> values = space.values(axis);
  std::erase_if(values, [&](const Value* value) { return !left.contains(value); });
  return values;
}

Mechanism Explanations::member(std::mt19937_64& random) const {
  const std::vector<Box> boxes = this->boxes();
  const Box& box = boxes[random() % boxes.size()];
  Mechanism member;
  for (int part = 0; part < parts; ++part) {
    const Set& set = *box.cells[part];
    const int chosen = set[random() % set.size()];
    for (const int axis : axes_of(part)) {
      member[axis] = box.tables->combinations[part][chosen][axis];
    }
  }
  return member;
}

std::string Explanations::where_they_part(const std::function<Left(const Mechanism&)>& one,
                                          std::mt19937_64& random) const {
  if (recordings_.empty()) return {};
  const Device& device = left_.front().device();
  const auto any = [&] { return recordings_[random() % recordings_.size()]; };
  const auto drawn = [&] {
    Probe probe = any()->probe;
    for (Kernel& kernel : probe.kernels) {
      const Probe& other = any()->probe;
      if (other.kernels.empty() || random() % 2 == 0) continue;
      Kernel varied = other.kernels[random() % other.kernels.size()];
      if (varied.cluster != kernel.cluster) continue;
      varied.name = kernel.name;
      varied.blocks = kernel.blocks;
      varied.stream = kernel.stream;
      if (illegal(varied, device).empty()) kernel = varied;
    }
    return probe;
  };
  std::vector<std::shared_ptr<const Opening>> openings;
  for (const Recording* each : recordings_) {
    if (each->opening) openings.push_back(each->opening);
  }
  struct Drawn {
    std::vector<Probe> probes;
    std::shared_ptr<const Opening> opening;
    Mechanism member;
  };
  std::vector<Drawn> sessions;
  while (std::ssize(sessions) < compared_sessions) {
    Drawn& session = sessions.emplace_back(Drawn{{drawn()}, {}, {}});
    if (openings.empty()) {
      session.probes.push_back(drawn());
    } else {
      session.opening = openings[random() % openings.size()];
      // A device frees blocks one by one, and each may let one in that waits.
      auto& script = session.probes.front().script;
      script.erase(std::ranges::find_if(script, &Action::releases_several), script.end());
    }
    session.member = member(random);
  }
  const auto parted = on_all_cores(compared_sessions, [&](int i) -> std::string {
    const auto& [probes, opening, member] = sessions[i];
    Left alone = one(member);
    std::vector<Recording> session;
    for (const Probe& probe : probes) {
      session.push_back({probe, known_of(alone.run(probe, opening)), opening, session.empty()});
    }
    const auto part = [&](const Left& each) {
      Left after = each;
      for (const Recording& recording : session) after.explain(recording);
      return after.hypotheses() < each.hypotheses();
    };
    if (std::ranges::none_of(left_, part)) return {};
    return fmt::format("{}{}, with needs of other kernels", probes.front().name,
                       opening ? "" : " and then " + probes.back().name);
  });
  const auto first = std::ranges::find_if(parted, [](const auto& each) { return !each.empty(); });
  return first == parted.end() ? "" : *first;
}

}  // namespace cuvier::verify
