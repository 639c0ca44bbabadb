#include "verify/explanations.h"

#include <fmt/format.h>

namespace cuvier::verify {
namespace {

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
/// those with few ways come first.
void Explanations::follow_all(Left left, long most) {
  std::vector<std::vector<const Recording*>> sessions;
  for (const Recording* recording : recordings_) {
    if (sessions.empty() || recording->fresh) sessions.emplace_back();
    sessions.back().push_back(recording);
  }
  const auto excludes = [&](const auto& session, long most) {
    Left after = left;
    after.limit_ways(most);
    try {
      for (const Recording* recording : session) after.explain(*recording);
    } catch (const TooManyWays&) {
      if (left.ways() >= most_ways) throw;
      return false;
    }
    left = std::move(after);
    return true;
  };
  while (!sessions.empty() && !left.nothing()) {
    const auto followed = std::erase_if(
        sessions, [&](const auto& session) { return left.nothing() || excludes(session, most); });
    if (followed == 0) most *= 4;
  }
  if (left.nothing()) return;
  boxes_ = left.boxes();
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
    left.explain(*recordings_[at]);
  }
  if (!are_all || left.nothing()) return;
  std::ranges::copy(left.boxes(), std::back_inserter(boxes_));
  ways_.push_back(left_out);
}

double Explanations::hypotheses() const {
  double all = 0;
  for (const Box& box : boxes_) {
    double product = 1;
    for (const Set* set : box.cells) product *= static_cast<double>(set->size());
    all += product;
  }
  return all;
}

std::vector<const Value*> Explanations::surviving(const Space& space, int axis) const {
  const int part = part_of(axis);
  std::set<const Value*> left;
  for (const auto& [tables, cells] : boxes_) {
    for (const int each : *cells[part]) left.insert(tables->combinations[part][each][axis]);
  }
  std::vector<const Value*> values = space.values(axis);
  std::erase_if(values, [&](const Value* value) { return !left.contains(value); });
  return values;
}

Mechanism Explanations::member(std::mt19937_64& random) const {
  const Box& box = boxes_[random() % boxes_.size()];
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

std::string where_they_part(const Device& device, const std::vector<Mechanism>& hypotheses,
                            const std::vector<int>& order,
                            const std::vector<const Recording*>& recordings,
                            std::mt19937_64& random, const std::function<void()>& still) {
  if (recordings.empty()) return {};
  const auto any = [&]() -> const Probe& {
    return recordings[random() % recordings.size()]->probe;
  };
  const auto drawn = [&] {
    Probe probe = any();
    for (Kernel& kernel : probe.kernels) {
      const Probe& other = any();
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
  std::vector<const Recording*> opened;
  std::ranges::copy_if(recordings, std::back_inserter(opened),
                       [](const Recording* each) { return each->opening != nullptr; });
  for (int session = 0; session < compared_sessions; ++session) {
    std::vector<Probe> probes = {drawn()};
    std::shared_ptr<const Opening> opening;
    if (opened.empty()) {
      probes.push_back(drawn());
    } else {
      opening = opened[random() % opened.size()]->opening;
      // A device frees blocks one by one, and each may let one in that waits.
      auto& script = probes.front().script;
      script.erase(std::ranges::find_if(script, &Action::releases_several), script.end());
    }
    std::vector<Step> first;
    for (const Mechanism& hypothesis : hypotheses) {
      if (still) still();
      Left left(device, Space(hypothesis), order);
      std::vector<Step> steps;
      for (const Probe& probe : probes) {
        std::ranges::copy(left.run(probe, steps.empty() ? opening : nullptr),
                          std::back_inserter(steps));
      }
      for (Step& step : steps) {
        for (auto& blocks : step) {
          // How their warps go does not always show.
          for (Seen& seen : blocks) seen.subpartitions.clear();
        }
      }
      if (first.empty()) first = steps;
      if (steps == first) continue;
      return fmt::format("{}{}, with needs of other kernels", probes.front().name,
                         opening ? "" : " and then " + probes.back().name);
    }
  }
  return {};
}

}  // namespace cuvier::verify
