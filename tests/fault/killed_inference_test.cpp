// An inference that is killed goes on as if nothing had happened. A handful of kills; as many
// as one likes, at other moments, of a larger inference, with the environment variables
//   CUVIER_KILLS=100 CUVIER_KILL_SEED=2 CUVIER_KILL_ASSUME=queue=fifo

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "probes/family.h"
#include "probes/json_fields.h"
#include "tests/fault/small_inference.h"

namespace cuvier {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// The oracle, which also keeps what it is asked, and takes its time to answer.
const std::string oracle = "tee -a asked.jsonl | " + SmallInference::simulated() +
                           R"( | while IFS= read -r line; do sleep 0.002; echo "$line"; done)";

std::string setting(const char* name, const std::string& usual) {
  const char* const value = std::getenv(name);
  return value == nullptr ? usual : value;
}

SmallInference begun() {
  return SmallInference(setting("CUVIER_KILL_ASSUME", SmallInference::usual_assumptions));
}

std::string question(const Json& probe) { return probe["kernels"].dump() + probe["script"].dump(); }

/// What the oracle was asked, in order.
std::vector<std::string> asked(const SmallInference& inference) {
  std::vector<std::string> questions;
  const std::string text = inference.read("asked.jsonl");
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const Json message = Json::parse(text.substr(begin, end - begin), nullptr, false);
    const bool whole = message.is_object();
    if (whole && message["type"] == "run") questions.push_back(question(message["probe"]));
    begin = end + 1;
  }
  return questions;
}

/// What the journal has answers to; and which of these were to be asked once more, as confirmation
/// does in other sessions.
struct Answered {
  std::set<std::string> questions;
  std::set<std::string> once_more;
};
Answered answered(const SmallInference& inference) {
  Answered answered;
  const std::string journal = inference.journal();
  for (std::size_t begin = 0; begin < journal.size();) {
    const std::size_t end = std::min(journal.find('\n', begin), journal.size());
    const Json line = Json::parse(journal.substr(begin, end - begin), nullptr, false);
    begin = end + 1;
    if (!line.is_object() || !line.contains("why")) continue;
    const std::string asked = question(line);
    if (line["why"].get<std::string>().find("once more") != std::string::npos) {
      answered.once_more.insert(asked);
    } else {
      EXPECT_TRUE(answered.questions.insert(asked).second) << "answered twice";
    }
  }
  return answered;
}

struct Tally {
  std::map<std::string, int> stages;  ///< at which it was killed
  int inferences = 0;
  std::size_t in_flight = 0;  ///< questions whose answer came too late for the journal
};

/// Where an inference was, by what it had left on the disk.
std::string stage(const SmallInference& inference) {
  const std::string journal = inference.journal();
  if (inference.has_model()) return "after its model";
  if (journal.empty()) return "before its journal";
  if (!journal.ends_with('\n')) return "in an answer";
  return fmt::format("after {} answers", inference.recordings().size());
}

/// Runs it, and sees that no answer is lost and none asked for again.
std::optional<int> go_on(SmallInference& inference, std::optional<milliseconds> killed_after) {
  const std::string journal = inference.journal();
  const std::size_t asked_before = asked(inference).size();
  const std::set<std::string> known = answered(inference).questions;
  const std::optional<int> exit_code = inference.run(oracle, "", killed_after);
  EXPECT_TRUE(inference.journal().starts_with(journal.substr(0, journal.rfind('\n') + 1)));
  const std::vector<std::string> questions = asked(inference);
  const std::set<std::string> once_more = answered(inference).once_more;
  for (std::size_t i = asked_before; i < questions.size(); ++i) {
    const bool is_in_flight = !exit_code && i + 1 == questions.size();
    if (is_in_flight || once_more.contains(questions[i])) continue;
    EXPECT_FALSE(known.contains(questions[i])) << "asked twice: " << questions[i];
  }
  EXPECT_EQ(exit_code.value_or(0), 0) << inference.said();
  return exit_code;
}

/// Kills it at random moments until it is done or `kills` is 0.
void kill_and_go_on(SmallInference& inference, int& kills, milliseconds usual, Rng& rng,
                    Tally& tally) {
  for (; kills > 0; --kills) {
    // Most of the time is the proof's, and most of what may go wrong comes before.
    const int latest = static_cast<int>(usual.count()) / uniform(rng, 1, 4);
    if (go_on(inference, milliseconds(uniform(rng, 0, latest)))) return;
    ++tally.stages[stage(inference)];
  }
  go_on(inference, std::nullopt);
}

TEST(KilledInference, EndsAsIfItHadNotBeenKilled) {
  const int all_kills = std::stoi(setting("CUVIER_KILLS", "3"));
  Rng rng(std::stoul(setting("CUVIER_KILL_SEED", "1")));
  SmallInference undisturbed = begun();
  const auto start = Clock::now();
  ASSERT_EQ(undisturbed.run(oracle), 0) << undisturbed.said();
  const auto usual = std::chrono::ceil<milliseconds>(Clock::now() - start);

  Tally tally;
  for (int kills = all_kills; kills > 0; ++tally.inferences) {
    SmallInference inference = begun();
    const std::size_t kills_before = kills;
    kill_and_go_on(inference, kills, usual, rng, tally);
    EXPECT_EQ(inference.conclusion(), undisturbed.conclusion());
    const auto in_flight = asked(inference).size() - inference.recordings().size();
    EXPECT_LE(in_flight, kills_before - kills);
    tally.in_flight += in_flight;
  }
  std::string text = fmt::format("{} kills of {} inferences of {} ms: ", all_kills,
                                 tally.inferences, usual.count());
  for (const auto& [name, count] : tally.stages) text += fmt::format("{} {}, ", count, name);
  std::puts(fmt::format("{}{} answers were in flight", text, tally.in_flight).c_str());
}

}  // namespace
}  // namespace cuvier
