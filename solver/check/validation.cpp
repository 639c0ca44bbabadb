#include "solver/check/validation.h"

#include <fmt/format.h>

#include <boost/math/distributions/binomial.hpp>
#include <chrono>
#include <map>

#include "hypotheses/simulator.h"
#include "probes/error.h"
#include "probes/exact_steps.h"
#include "probes/family.h"
#include "probes/json_fields.h"
#include "solver/finding/mismatches.h"

namespace cuvier {
namespace {

constexpr std::string_view papers_generator = "paper_random";

/// Sequences of one session, which may be held beside others.
constexpr int kOfASession = 50;

/// One validation at work: sequences asked in sessions, and the model brought along in each.
class Validator {
 public:
  Validator(Oracle& oracle, Journal& journal, const Hypothesis& model,
            const ValidationOptions& options)
      : oracle_(oracle),
        journal_(journal),
        options_(options),
        rng_(options.seed),
        begun_{Simulator(oracle.device(), model), oracle.session(), {}} {
    result_.device = oracle.device();
    result_.oracle = oracle.description();
    result_.model = model;
    result_.seed = options.seed;
    result_.wanted = options.sequences;
    for (const ProbeFamily& family : all_probe_families(oracle.device())) {
      const bool first = family.name == papers_generator;
      result_.tallies.insert(first ? result_.tallies.begin() : result_.tallies.end(),
                             {family.name});
    }
  }

  Validation run() {
    const auto start = std::chrono::steady_clock::now();
    try {
      while (result_.asked() < options_.sequences && !options_.task.is_to_end()) ask_sequences();
    } catch (const OracleInterrupted&) {  // what was found before still counts
    }
    if (options_.minimise && !first_.empty()) {
      try {
        minimise_first();
      } catch (const std::exception& error) {  // what was found before still counts
        result_.not_minimised = error.what();
        result_.failure = std::current_exception();
      }
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    result_.seconds = took.count();
    return std::move(result_);
  }

 private:
  struct Sequence {
    Validation::Tally* tally;
    Probe probe;
  };

  /// A session of an oracle.
  struct Session {
    Simulator model;
    int number;                     ///< by the oracle
    std::optional<Probe> previous;  ///< in it
  };

  /// What was seen, against what was predicted.
  struct Outcome {
    Probe probe;
    Answer answer;
    std::optional<Probe> previous;  ///< none where it began a session
    std::shared_ptr<const InitialObservation> opening;
    std::vector<Mismatch> wrong = {};  ///< facts of exact steps
    bool unsettled = false;            ///< others differ too
  };

  /// As many as are missing. Where sessions can be begun, each part is asked in one of its own.
  void ask_sequences() {
    std::vector<Sequence> sequences;
    for (int missing = options_.sequences - result_.asked(); missing > 0; --missing) {
      sequences.push_back(draw());
    }
    const int all = static_cast<int>(sequences.size());
    const bool apart = oracle_.begin_session();
    const int of_a_session = apart ? kOfASession : all;
    oracle_.hold_sessions((all + of_a_session - 1) / of_a_session, [&](Oracle& oracle, int number,
                                                                       const Oracle::Then& then) {
      Session fresh{begun_.model, oracle.session(), {}};
      Session& session = apart ? fresh : begun_;
      const int end = std::min(all, (number + 1) * of_a_session);
      for (int i = number * of_a_session; i < end && !options_.task.is_to_end(); ++i) {
        ask_sequence(oracle, session, sequences[i], then);
      }
    });
  }

  /// The paper's generator and ours take turns, and ours among themselves.
  Sequence draw() {
    const int ours = static_cast<int>(result_.tallies.size()) - 1;
    const int turn = drawn_ % 2 == 0 ? 0 : 1 + drawn_ / 2 % ours;
    Validation::Tally& tally = result_.tallies[turn];
    const auto families = all_probe_families(oracle_.device());
    Probe probe = std::ranges::find(families, tally.generator, &ProbeFamily::name)
                      ->draw(oracle_.device(), rng_);
    const bool is_second_round = turn > 0 && drawn_ / 2 / ours % 2 == 1;
    if (is_second_round) probe = with_odd_blocks(std::move(probe), oracle_.device(), rng_);
    probe.name = fmt::format("v{}", ++drawn_);
    return {&tally, std::move(probe)};
  }

  void ask_sequence(Oracle& oracle, Session& session, const Sequence& sequence,
                    const Oracle::Then& then) {
    Validation::Tally& tally = *sequence.tally;
    try {
      then([this, &tally, outcome = ask(oracle, session, sequence.probe)] {
        try {
          keep(outcome, tally.generator);
          count(outcome, tally);
        } catch (const OracleRefusal& refusal) {
          count(refusal, tally);
        }
      });
    } catch (const OracleRefusal& refusal) {
      then([this, &tally, refusal] { count(refusal, tally); });
    }
  }

  void count(const Outcome& outcome, Validation::Tally& tally) {
    ++tally.asked;
    tell();
    const std::vector<Mismatch>& wrong = outcome.wrong;
    if (wrong.empty()) {
      if (outcome.unsettled) ++tally.unsettled;
      return;
    }
    ++tally.wrong;
    result_.contradictions.push_back(
        {std::string(tally.generator), wrong.front(), static_cast<int>(wrong.size())});
    if (!first_.empty()) return;
    first_.push_back(outcome.probe);
    if (!outcome.previous) return;
    first_.push_back(join(*outcome.previous, outcome.probe));
    first_.back().name = outcome.probe.name;
  }

  void count(const OracleRefusal& refusal, Validation::Tally& tally) {
    ++tally.refused;
    tell();
    result_.refusals[refusal.code()] = refusal.what();
    constexpr int most_refusals = 50;
    if (result_.refused() <= most_refusals + result_.asked()) return;
    throw Error(fmt::format("{}: refused {} of {} sequences; the last: {}", oracle_.description(),
                            result_.refused(), result_.refused() + result_.asked(), refusal.what()),
                Error::Kind::oracle);
  }

  void tell() const {
    options_.task.tell({fmt::format("asked {} of {}: {} wrong so far", result_.asked(),
                                    options_.sequences, result_.contradictions.size()),
                        result_.asked(), options_.sequences});
  }

  /// Asks, brings the model along, and compares. Where they differ, the next one begins a session,
  /// so that each begins where both agree.
  Outcome ask(Oracle& oracle, Session& session, const Probe& probe) const {
    Answer answer = std::move(oracle.run(probe, 1).front());
    if (oracle.session() != session.number) {
      session.number = oracle.session();
      session.previous.reset();
    }
    Outcome outcome{probe, std::move(answer), session.previous, oracle.opening()};
    session.previous = probe;
    if (outcome.answer.exact == 0) return outcome;
    const Recording recording = outcome.answer.recording(probe, !outcome.previous, outcome.opening);
    const Observation predicted = session.model.replay(recording);
    outcome.wrong = mismatches(recording, predicted);
    const int exact = exact_steps(predicted, probe);
    const auto differ = std::erase_if(
        outcome.wrong, [&](const Mismatch& mismatch) { return mismatch.fact.step >= exact; });
    outcome.unsettled = differ > 0;
    // A cursor is elsewhere then, and what follows would go otherwise for that alone.
    if (!outcome.wrong.empty()) oracle.begin_session();
    return outcome;
  }

  /// In the journal.
  Recording keep(const Outcome& outcome, std::string_view why) {
    if (!outcome.previous) ++result_.sessions;
    return journal_.append(outcome.probe, outcome.answer, !outcome.previous, outcome.opening,
                           {{"why", std::string(why)}});
  }

  /// State that earlier sequences left may have been part of it: if it does not disagree
  /// again by itself, it is asked together with the one before.
  void minimise_first() {
    if (oracle_.begin_session()) begun_.number = -1;
    Questions questions(*this);
    for (const Probe& start : first_) {
      if (!questions.disagrees(start)) continue;
      SmallestContradiction smallest;
      smallest.before = start;
      smallest.with_previous = &start != &first_.front();
      MinimiseOptions options;
      options.seed = options_.seed;
      options.escapes = 500;  // each may be a question
      options.most_blocks = size_of(start).blocks;
      options.task = Task([&](const Doing& doing) {  // `questions` are asked no more instead
        options_.task.tell(doing);
        return "";
      });
      smallest.minimised = minimise(
          start, oracle_.device(), [&](const Probe& probe) { return questions.disagrees(probe); },
          options);
      smallest.unfinished = questions.ended;
      ask_again(smallest);
      result_.smallest = std::move(smallest);
      return;
    }
    result_.not_minimised = questions.ended.empty()
                                ? fmt::format(
                                      "asked again, {} was as predicted: state that earlier "
                                      "sequences had left may have a part in it, or chance",
                                      first_.front().name)
                                : questions.ended;
  }

  /// Whether it still disagrees, and in what.
  void ask_again(SmallestContradiction& smallest) {
    constexpr int times = 3;
    for (int time = 0; time < times; ++time) {
      try {
        Outcome outcome = ask(oracle_, begun_, smallest.minimised.probe);
        Recording seen = keep(outcome, "asked again");
        ++smallest.asked_again;
        if (outcome.wrong.empty()) continue;
        ++smallest.disagreed_again;
        smallest.answer = std::move(seen);
        smallest.wrong = std::move(outcome.wrong);
      } catch (const OracleRefusal& refusal) {
        smallest.unfinished = refusal.what();
        return;
      } catch (const Error& error) {
        if (error.kind() != Error::Kind::oracle) throw;
        smallest.unfinished = error.what();
        return;
      }
    }
  }

  /// The oracle as a judge of sequences: asked each only once, and not too often. Once it
  /// fails, what was found before still counts.
  struct Questions {
    explicit Questions(Validator& validator) : validator(validator) {}

    bool disagrees(const Probe& probe) {
      Probe named = tidied(probe, validator.oracle_.device());
      named.name = validator.first_.front().name;
      const std::string question = to_json(named).dump();
      if (const auto known = answers.find(question); known != answers.end()) return known->second;
      if (!ended.empty()) return false;
      const int most = validator.options_.most_questions;
      if (static_cast<int>(answers.size()) >= most) {
        ended = fmt::format("the {} questions allowed for it are spent", most);
        return false;
      }
      if (validator.options_.task.is_to_end()) {
        ended = "interrupted";
        return false;
      }
      bool& wrong = answers[question];
      named.name += fmt::format(".{}", answers.size());
      try {
        const Outcome outcome = validator.ask(validator.oracle_, validator.begun_, named);
        validator.keep(outcome, "minimising");
        wrong = !outcome.wrong.empty();
      } catch (const OracleRefusal&) {  // and so shows nothing
      } catch (const Error& error) {
        if (error.kind() != Error::Kind::oracle) throw;
        ended = error.what();
      }
      return wrong;
    }

    Validator& validator;
    std::map<std::string, bool> answers;
    std::string ended;  ///< why no more is asked
  };

  Oracle& oracle_;
  Journal& journal_;
  const ValidationOptions& options_;
  Rng rng_;
  int drawn_ = 0;
  Session begun_;             ///< where none can be begun, and to make a sequence small
  std::vector<Probe> first_;  ///< the first contradiction, and with what ran before it
  Validation result_;
};

}  // namespace

int Validation::sum(int Tally::*count) const {
  int result = 0;
  for (const Tally& tally : tallies) result += tally.*count;
  return result;
}

double most_disagreement(int contradictions, int sequences) {
  if (contradictions == sequences) return 1;
  return boost::math::binomial_distribution<>::find_upper_bound_on_p(sequences, contradictions,
                                                                     1 - kConfidence);
}

Validation validate_model(Oracle& oracle, Journal& journal, const Hypothesis& model,
                          const ValidationOptions& options) {
  return Validator(oracle, journal, model, options).run();
}

}  // namespace cuvier
