#include "probes/oracles/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "probes/json_fields.h"

namespace cuvier {
namespace {

/// The names of what was recorded, each once; of many, the first.
std::string names_of(const std::vector<Recording>& recordings) {
  constexpr std::size_t most = 12;
  std::vector<std::string> names;
  for (const Recording& recording : recordings) {
    const std::string name = in_quotes(recording.name());
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  if (names.empty()) return "it holds none";
  const std::size_t shown = std::min(names.size(), most);
  std::string text =
      fmt::format("it holds {}", fmt::join(names.begin(), names.begin() + shown, ", "));
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

}  // namespace

RecordingOracle::RecordingOracle(const std::string& path)
    : RecordingOracle(path, {read_recordings(path)}) {}

RecordingOracle::RecordingOracle(std::string name, std::vector<RecordingSet> sets)
    : name_(std::move(name)), set_(std::move(sets.front())) {
  for (std::size_t i = 1; i < sets.size(); ++i) {
    std::ranges::move(sets[i].recordings, std::back_inserter(set_.recordings));
  }
  given_.resize(set_.recordings.size());
}

std::vector<Probe> RecordingOracle::catalogue() const {
  return mapped(set_.recordings, &Recording::probe);
}

std::shared_ptr<const InitialObservation> RecordingOracle::opening() const {
  if (!last_given_) return nullptr;
  std::size_t first = *last_given_;
  while (!set_.recordings[first].fresh) --first;
  return set_.recordings[first].opening;
}

bool RecordingOracle::may_answer(std::size_t index, const Probe& probe) const {
  const Recording& recording = set_.recordings[index];
  const bool in_order = recording.fresh || (index > 0 && last_given_ == index - 1);
  return in_order && !given_[index] && same_question(recording.probe, probe);
}

Answer RecordingOracle::give(std::size_t index) {
  if (set_.recordings[index].fresh && last_given_) ++session_;
  given_[index] = true;
  last_given_ = index;
  return {set_.recordings[index].facts, std::nullopt};
}

std::vector<Answer> RecordingOracle::run(const Probe& probe, int repeat) {
  const std::size_t count = set_.recordings.size();
  std::size_t index = 0;
  // In a session, what comes next there goes before an equal probe elsewhere.
  if (last_given_ && *last_given_ + 1 < count && may_answer(*last_given_ + 1, probe)) {
    index = *last_given_ + 1;
  } else {
    while (index < count && !may_answer(index, probe)) ++index;
  }
  if (index == count) {
    const bool known =
        std::any_of(set_.recordings.begin(), set_.recordings.end(),
                    [&](const Recording& other) { return same_question(other.probe, probe); });
    throw OracleRefusal("not_recorded",
                        fmt::format("{}: probe {} {}", name_, in_quotes(probe.name),
                                    known ? "was recorded, but not once more at this point"
                                          : "was not recorded; " + names_of(set_.recordings)));
  }
  std::vector<Answer> answers{give(index)};
  while (static_cast<int>(answers.size()) < repeat && ++index < count &&
         !set_.recordings[index].fresh && may_answer(index, probe)) {
    answers.push_back(give(index));
  }
  return answers;
}

}  // namespace cuvier
