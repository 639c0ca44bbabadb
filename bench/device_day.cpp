// bench_device_day ORACLE OUT SECONDS TABLE2 SEED [ITEM...]: asks a device the questions of
// docs/howto/device-day.md, most valuable first, and keeps every answer in OUT/ITEM/journal.jsonl
// as it comes. ORACLE is a command that speaks the oracle protocol; TABLE2 is corpus/table2.jsonl.
// Another SEED asks other questions; 0 asks the plainest.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "bench/device_day_items.h"
#include "corpus/store.h"
#include "probes/error.h"
#include "probes/number_in.h"
#include "probes/oracles/external.h"

namespace {

using namespace cuvier;
using device_day::Item;
using Clock = std::chrono::steady_clock;

constexpr int most_failures = 3;  // then an item is left, and the others still run

// Then another journal begins: what brings them home (bench/pack-day.sh) divides no file.
constexpr std::uintmax_t full_journal = 4 << 20;

struct Outcome {
  int answers = 0;
  int unsteady = 0;  ///< probes whose repetitions differ
  int failures = 0;
  std::map<std::string, int> refusals;  ///< by code
};

/// Whether they place blocks differently, as far as all are exact. Warp slots may come and go.
bool differ(const std::vector<Answer>& answers) {
  int steps = std::numeric_limits<int>::max();
  for (const Answer& answer : answers) steps = std::min(steps, answer.exact.value_or(steps));
  const auto placements = [&](const Answer& answer) {
    std::vector<Fact> facts = answer.facts;
    std::erase_if(facts, [&](const Fact& fact) {
      return fact.kind == Fact::Kind::warp_slot || fact.step >= steps;
    });
    return facts;
  };
  const std::vector<Fact> first = placements(answers[0]);
  return std::ranges::any_of(answers,
                             [&](const Answer& answer) { return placements(answer) != first; });
}

/// OUT/ITEM/journal.jsonl, then OUT/ITEM-1/journal.jsonl and so on.
class Journals {
 public:
  Journals(std::string folder, ExternalOracle& oracle)
      : folder_(std::move(folder)), oracle_(oracle) {}

  void append(const Probe& probe, const Answer& answer) {
    const bool fresh = oracle_.session() != session_;
    // Of the observation no more than the facts leave out: what is brought home is small.
    journal_->append(probe, answer, fresh, oracle_.opening(), nlohmann::ordered_json::object());
    session_ = oracle_.session();
  }

  /// Before each probe. A journal begins with a session: what ran before it stands elsewhere.
  void turn() {
    if (journal_ && std::filesystem::file_size(journal_->path()) < full_journal) return;
    do {
      const std::string number = count_ == 0 ? "" : fmt::format("-{}", count_);
      journal_ =
          std::make_unique<Journal>(folder_ + number, oracle_.device(), oracle_.description());
      ++count_;
    } while (std::filesystem::file_size(journal_->path()) >= full_journal);
    oracle_.end_session();
    session_ = -1;
  }

 private:
  std::string folder_;
  ExternalOracle& oracle_;
  std::unique_ptr<Journal> journal_;
  int count_ = 0;
  int session_ = -1;
};

Outcome ask(ExternalOracle& oracle, const Item& item, const std::string& folder,
            Clock::time_point end) {
  Journals journals(folder, oracle);
  Outcome outcome;
  for (int index = 0; Clock::now() + item.idle < end && outcome.failures < most_failures; ++index) {
    const std::optional<Probe> probe = item.source(index);
    if (!probe) break;
    journals.turn();
    std::this_thread::sleep_for(item.idle);
    try {
      std::vector<Answer> answers;
      while (std::ssize(answers) < item.repeat) {
        for (Answer& answer : oracle.run(*probe, item.repeat - static_cast<int>(answers.size()))) {
          answer.observation = item.times
                                   ? std::optional(seen_through({"start_ns"}, *answer.observation))
                                   : std::nullopt;
          journals.append(*probe, answer);
          ++outcome.answers;
          answers.push_back(std::move(answer));
        }
      }
      outcome.unsteady += differ(answers);
    } catch (const OracleRefusal& refusal) {
      ++outcome.refusals[refusal.code()];
      if (outcome.refusals[refusal.code()] == 1) fmt::print("  {}\n", refusal.what());
    } catch (const Error& error) {
      fmt::print("  {}\n", error.what());
      ++outcome.failures;
    }
  }
  return outcome;
}

/// `items`: these alone, if there are any.
void run(const std::string& command, const std::string& out, std::chrono::seconds limit,
         const std::string& table, int seed, const std::set<std::string>& items) {
  const Clock::time_point end = Clock::now() + limit;
  ExternalOracle oracle(command);
  fmt::print("{} by {}\n", oracle.device().name, oracle.description());
  for (const Item& item : device_day::programme(oracle.device(), table, seed)) {
    if (!items.empty() && !items.contains(item.name)) continue;
    const Clock::time_point begin = Clock::now();
    const double share = items.size() == 1 ? 1 : item.share;
    const auto allowed = std::chrono::duration_cast<Clock::duration>((end - begin) * share);
    const Outcome outcome =
        ask(oracle, item, fmt::format("{}/{}", out, item.name), begin + allowed);
    const double spent = std::chrono::duration<double>(Clock::now() - begin).count();
    fmt::print(
        "{}: {} answers in {:.1f} s ({:.0f} a second), {} probes did not repeat, {} failures",
        item.name, outcome.answers, spent, outcome.answers / std::max(spent, 1e-3),
        outcome.unsteady, outcome.failures);
    for (const auto& [code, count] : outcome.refusals) fmt::print(", {} {}", count, code);
    fmt::print("\n");
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int at) { return at < argc ? number_in<int>(argv[at]) : std::nullopt; };
  const auto seconds = number(3);
  const auto seed = number(5);
  if (!seconds || !seed) {
    fmt::print(stderr,
               "usage: bench_device_day ORACLE OUT SECONDS TABLE2 SEED [ITEM...]; SECONDS and SEED "
               "are whole numbers\n");
    return 2;
  }
  try {
    run(argv[1], argv[2], std::chrono::seconds(*seconds), argv[4], *seed, {argv + 6, argv + argc});
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_device_day: {}\n", error.what());
    return 3;
  }
}
