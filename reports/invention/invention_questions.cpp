#include "reports/invention/invention_questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "hypotheses/simulator.h"
#include "probes/error.h"
#include "probes/family.h"
#include "solver/finding/mismatches.h"
#include "solver/invention/explains.h"
#include "solver/invention/parts_of_sessions.h"

namespace cuvier {
namespace {

constexpr int kDrawn = 60;
constexpr std::size_t kMostAskedAgain = 10;
constexpr std::size_t kEnoughWrong = 20;  ///< answers, or sessions of several that hang together
constexpr int kAround = 60;

/// The probe behind a kernel of so much local memory: as it was in its session, none of its own
/// waits for that.
Probe set_up_for(int local, const Probe& probe) {
  const bool waits = std::ranges::any_of(probe.kernels, [&](const Kernel& kernel) {
    return 0 < kernel.local && kernel.local <= local;
  });
  if (!waits) return probe;
  const Kernel first{
      .name = "k1", .blocks = 1, .threads = 32, .registers = kFewestRegisters, .local = local};
  return join({probe.name, {first}, {{0, {}}}}, probe);
}

}  // namespace

RecordingSet InventionQuestions::recorded() const {
  return read_recordings(Journal(run_.folder, oracle_.device(), oracle_.description()).path());
}

std::optional<Recording> InventionQuestions::ask(Probe probe, const std::string& why) {
  Journal journal(run_.folder, oracle_.device(), oracle_.description());
  probe.name = fmt::format("t{}", journal.recorded().recordings.size() + 1);
  ++asked_;
  ++run_.options.max_probes;
  oracle_.begin_session();
  try {
    Answer answer = std::move(oracle_.run(probe, 1).front());
    return journal.append(probe, std::move(answer), true, oracle_.opening(), {{"why", why}});
  } catch (const OracleRefusal&) {
    return std::nullopt;
  }
}

std::vector<Probe> InventionQuestions::drawn(Rng& rng, const FormulaNumbers& numbers) const {
  const Device& device = oracle_.device();
  const auto families = all_probe_families(device);
  std::vector<Probe> drawn;
  for (int i = 0; i < kDrawn; ++i) {
    Probe probe = i % 3 == 2 ? mutate(pick_from(rng, drawn), device, rng)
                             : pick_from(rng, families).draw(device, rng);
    if (!numbers.empty()) probe = numbers.put_into(std::move(probe), device, rng);
    drawn.push_back(std::move(probe));
  }
  return drawn;
}

InventionQuestions::AtRandom InventionQuestions::at_random(const Hypothesis& mechanism,
                                                           int sequences, bool observes,
                                                           const std::string& words) {
  means_.say(
      fmt::format("\nasking {} random sequences: {}\n", sequences,
                  observes ? "more of what nothing explains" : "they may contradict what is left"));
  int number = 1;  // the first that no earlier run has used
  while (std::filesystem::exists(random_folder(number))) ++number;
  Journal apart(random_folder(number), oracle_.device(), oracle_.description());
  ValidationOptions options;
  options.sequences = sequences;
  options.seed = run_.options.seed + number;
  options.task = means_.task;
  const Validation validation = validate_model(oracle_, apart, mechanism, options);
  const int contradict = static_cast<int>(validation.contradictions.size());
  means_.say(fmt::format("{} of {} contradict {}\n", contradict, validation.asked(),
                         words.empty() ? describe(mechanism) : words));
  if (!oracle_.begin_session()) throw Error("the oracle began sessions, and cannot any more");
  const AtRandom result{validation.asked(), contradict, contradict > 0};
  if (!observes && (contradict == 0 || contradicted_again(mechanism, apart, validation))) {
    means_.task.still();  // no contradiction says little where not all were asked
    return result;
  }
  Journal journal(run_.folder, oracle_.device(), oracle_.description());
  for (Recording recording : read_recordings(apart.path()).recordings) {
    recording.probe.name = fmt::format("r{}-{}", number, recording.probe.name);
    journal.append(recording);
  }
  run_.options.max_probes += validation.asked();
  return result;
}

bool InventionQuestions::contradicted_again(const Hypothesis& mechanism, const Journal& apart,
                                            const Validation& validation) {
  const std::vector<Recording> recordings = read_recordings(apart.path()).recordings;
  bool again = false;
  std::size_t asked = 0;
  for (const Contradiction& contradiction : validation.contradictions) {
    if (asked++ == kMostAskedAgain) break;
    const auto recording =
        std::ranges::find(recordings, contradiction.first.recording, &Recording::name);
    if (recording == recordings.end()) continue;
    const auto answer = ask(recording->probe, "contradicted what was left");
    again |=
        answer && !mismatches(*answer, predict(oracle_.device(), mechanism, answer->probe)).empty();
  }
  return again;
}

void InventionQuestions::around(const Hypothesis& mechanism, Rng& rng) {
  const RecordingSet all = recorded();
  std::vector<Probe> wrong;
  Simulator simulator(all.device, mechanism);
  int local = 0;  // the most of the session so far
  for (const Recording& recording : all.recordings) {
    means_.task.still();
    if (recording.fresh) local = 0;
    if (!explains(simulator.replay(recording), recording)) {
      wrong.push_back(set_up_for(local, recording.probe));
    }
    for (const Kernel& kernel : recording.probe.kernels) local = std::max(local, kernel.local);
  }
  const std::vector<Session> sessions = sessions_of({all});
  const std::size_t wrong_parts =
      wrong_first(all.device, mechanism, PartsOfSessions(sessions).under(mechanism)).second;
  if (wrong.empty() || wrong_parts >= kEnoughWrong) return;
  means_.say(
      fmt::format("\n{} of {} answers go otherwise than {} says: asking {} probes near these\n",
                  wrong.size(), all.recordings.size(), describe(mechanism), kAround));
  for (int i = 0; i < kAround; ++i) {
    means_.task.doing({"asking near what goes wrong", i, kAround});
    const auto answer =
        ask(mutate(pick_from(rng, wrong), oracle_.device(), rng), "near what nothing explains");
    if (answer && !explains(predict(oracle_.device(), mechanism, answer->probe), *answer)) {
      wrong.push_back(answer->probe);
    }
  }
}

void InventionQuestions::read_the_rest() {
  Journal journal(run_.folder, oracle_.device(), oracle_.description());
  const std::vector<Probe> catalogue = oracle_.catalogue();
  for (auto next = journal.recorded().recordings.size(); next < catalogue.size(); ++next) {
    const int session = oracle_.session();
    try {
      Answer answer = std::move(oracle_.run(catalogue[next], 1).front());
      journal.append(catalogue[next], std::move(answer), oracle_.session() != session,
                     oracle_.opening(), {{"why", "recorded"}});
    } catch (const OracleRefusal&) {  // an earlier process was told how its session began
    }
  }
}

std::string InventionQuestions::random_folder(int number) const {
  return (std::filesystem::path(run_.folder) / fmt::format("random-{}", number)).string();
}

}  // namespace cuvier
