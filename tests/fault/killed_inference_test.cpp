// An inference that is killed goes on as if nothing had happened. A handful of kills; as many
// as one likes, at other moments, of a larger inference, with the environment variables
//   CUVIER_KILLS=100 CUVIER_KILL_SEED=2 CUVIER_KILL_ASSUME=queue=fifo

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>

#include "probes/family.h"
#include "tests/fault/small_inference.h"

namespace cuvier {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// The oracle, which also keeps what it is asked, and takes its time to answer.
const std::string oracle = "tee -a asked.jsonl | " + SmallInference::simulated() +
                           R"( | while IFS= read -r line; do sleep 0.05; echo "$line"; done)";

std::string setting(const char* name, const std::string& usual) {
  const char* const value = std::getenv(name);
  return value == nullptr ? usual : value;
}

SmallInference begun() {
  return SmallInference(setting("CUVIER_KILL_ASSUME", SmallInference::usual_assumptions));
}

std::string question(const Json& probe) { return probe["kernels"].dump() + probe["script"].dump(); }

struct Count {
  int asked = 0;
  int recorded = 0;
};

/// How often each question was put to the oracle, and how often it is in the journal.
std::map<std::string, Count> questions(const SmallInference& inference) {
  std::map<std::string, Count> counts;
  const std::string asked = inference.read("asked.jsonl");
  for (std::size_t begin = 0; begin < asked.size();) {
    const std::size_t end = std::min(asked.find('\n', begin), asked.size());
    const Json message = Json::parse(asked.substr(begin, end - begin), nullptr, false);
    const bool whole = message.is_object();
    if (whole && message["type"] == "run") ++counts[question(message["probe"])].asked;
    begin = end + 1;
  }
  for (const Recording& recording : inference.recordings()) {
    ++counts[question(to_json(recording.probe))].recorded;
  }
  return counts;
}

struct Tally {
  std::map<std::string, int> stages;  ///< at which it was killed
  int inferences = 0;
  int asked_again = 0;  ///< what had been in flight when it was killed
};

/// Where an inference was, by what it had left on the disk.
std::string stage(const SmallInference& inference) {
  const std::string journal = inference.journal();
  if (inference.has_model()) return "after its model";
  if (journal.empty()) return "before its journal";
  if (!journal.ends_with('\n')) return "in an answer";
  return fmt::format("after {} answers", inference.recordings().size());
}

/// Kills it at random moments until it is done or `kills` is 0.
void kill_and_go_on(SmallInference& inference, int& kills, milliseconds usual, Rng& rng,
                    Tally& tally) {
  for (; kills > 0; --kills) {
    const std::string before = inference.journal();
    // Most of the time is the proof's, and most of what may go wrong comes before.
    const int latest = static_cast<int>(usual.count()) / uniform(rng, 1, 4);
    const milliseconds moment(uniform(rng, 0, latest));
    const std::optional<int> exit_code = inference.run(oracle, "", moment);
    if (exit_code) {
      EXPECT_EQ(*exit_code, 0) << inference.said();
      return;
    }
    EXPECT_TRUE(inference.journal().starts_with(before.substr(0, before.rfind('\n') + 1)))
        << "an answer was lost";
    ++tally.stages[stage(inference)];
  }
  EXPECT_EQ(inference.run(oracle), 0) << inference.said();
}

TEST(KilledInference, EndsAsIfItHadNotBeenKilled) {
  const int all_kills = std::stoi(setting("CUVIER_KILLS", "6"));
  Rng rng(std::stoul(setting("CUVIER_KILL_SEED", "1")));
  SmallInference undisturbed = begun();
  const auto start = Clock::now();
  ASSERT_EQ(undisturbed.run(oracle), 0) << undisturbed.said();
  const auto usual = std::chrono::ceil<milliseconds>(Clock::now() - start);

  Tally tally;
  for (int kills = all_kills; kills > 0; ++tally.inferences) {
    SmallInference inference = begun();
    const int kills_before = kills;
    kill_and_go_on(inference, kills, usual, rng, tally);
    EXPECT_EQ(inference.conclusion(), undisturbed.conclusion());
    int asked_again = 0;
    for (const auto& [text, count] : questions(inference)) {
      EXPECT_EQ(count.recorded, 1) << text;
      asked_again += count.asked - count.recorded;
    }
    EXPECT_LE(asked_again, kills_before - kills);
    tally.asked_again += asked_again;
  }
  std::string text = fmt::format("{} kills of {} inferences of {} ms: ", all_kills,
                                 tally.inferences, usual.count());
  for (const auto& [name, count] : tally.stages) text += fmt::format("{} {}, ", count, name);
  std::puts(fmt::format("{}{} in flight asked again", text, tally.asked_again).c_str());
}

}  // namespace
}  // namespace cuvier
