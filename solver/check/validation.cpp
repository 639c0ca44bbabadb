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

/// One validation at work: the oracle's session, and the model brought along in it.
class Validator {
 public:
  Validator(Oracle& oracle, Journal& journal, const Hypothesis& model,
            const ValidationOptions& options)
      : oracle_(oracle),
        journal_(journal),
        options_(options),
        rng_(options.seed),
        session_(oracle.session()),
        simulator_(oracle.device(), model) {
    result_.device = oracle.device();
    result_.oracle = oracle.description();
    result_.model = model;
    result_.seed = options.seed;
    result_.wanted = options.sequences;
    for (const ProbeFamily& family : probe_families(oracle.device())) {
      const bool first = family.name == papers_generator;
      result_.tallies.insert(first ? result_.tallies.begin() : result_.tallies.end(),
                             {family.name});
    }
  }

  Validation run() {
    const auto start = std::chrono::steady_clock::now();
    for (int drawn = 0; result_.asked() < options_.sequences && !options_.task.is_to_end();
         ++drawn) {
      next_sequence(drawn);
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
  /// What was seen, against what was predicted.
  struct Outcome {
    Recording recording;
    std::vector<Mismatch> wrong;  ///< facts of exact steps
    bool unsettled = false;       ///< others differ too
  };

  /// The paper's generator and ours take turns, and ours among themselves.
  Validation::Tally& generator_of(int drawn) {
    const int ours = static_cast<int>(result_.tallies.size()) - 1;
    return result_.tallies[drawn % 2 == 0 ? 0 : 1 + drawn / 2 % ours];
  }

  void next_sequence(int drawn) {
    Validation::Tally& tally = generator_of(drawn);
    const auto families = probe_families(oracle_.device());
    Probe probe = std::ranges::find(families, tally.generator, &ProbeFamily::name)
                      ->draw(oracle_.device(), rng_);
    probe.name = fmt::format("v{}", drawn + 1);
    options_.task.tell(fmt::format("asking {} of {}: {} wrong so far", result_.asked() + 1,
                                   options_.sequences, result_.contradictions.size()));
    const std::optional<Probe> previous = previous_;
    Outcome outcome;
    try {
      outcome = ask(probe, tally.generator);
    } catch (const OracleInterrupted&) {
      return;
    } catch (const OracleRefusal& refusal) {
      ++tally.refused;
      result_.refusals[refusal.code()] = refusal.what();
      expect_answers(refusal);
      return;
    }
    ++tally.asked;
    const std::vector<Mismatch>& wrong = outcome.wrong;
    if (wrong.empty()) {
      if (outcome.unsettled) ++tally.unsettled;
      return;
    }
    ++tally.wrong;
    result_.contradictions.push_back(
        {std::string(tally.generator), wrong.front(), static_cast<int>(wrong.size())});
    if (!first_.empty()) return;
    first_.push_back(probe);
    if (alone_in_session_) return;
    first_.push_back(join(*previous, probe));
    first_.back().name = probe.name;
  }

  void expect_answers(const OracleRefusal& refusal) const {
    constexpr int most_refusals = 50;
    if (result_.refused() <= most_refusals + result_.asked()) return;
    throw Error(fmt::format("{}: refused {} of {} sequences; the last: {}", oracle_.description(),
                            result_.refused(), result_.refused() + result_.asked(), refusal.what()),
                Error::Kind::oracle);
  }

  /// Asks, records, brings the model along, and compares. Where they differ, the next one begins a
  /// session, so that each begins where both agree.
  Outcome ask(const Probe& probe, std::string_view why) {
    Answer answer = std::move(oracle_.run(probe, 1).front());
    if (oracle_.session() != session_) {
      session_ = oracle_.session();
      previous_.reset();
      ++result_.sessions;
    }
    alone_in_session_ = !previous_;
    const Recording recording = journal_.append(probe, std::move(answer), alone_in_session_,
                                                oracle_.opening(), {{"why", std::string(why)}});
    previous_ = probe;
    const Observation predicted = simulator_.replay(recording);
    Outcome outcome{recording, mismatches(recording, predicted)};
    const int exact = exact_steps(predicted, probe);
    const auto differ = std::erase_if(
        outcome.wrong, [&](const Mismatch& mismatch) { return mismatch.fact.step >= exact; });
    outcome.unsettled = differ > 0;
    // A cursor is elsewhere then, and what follows would go otherwise for that alone.
    if (!outcome.wrong.empty()) oracle_.begin_session();
    return outcome;
  }

  /// State that earlier sequences left may have been part of it: if it does not disagree
  /// again by itself, it is asked together with the one before.
  void minimise_first() {
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
      options.task = Task([&](const std::string& what) {  // `questions` are asked no more instead
        options_.task.tell(what);
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
    result_.not_minimised =
        questions.ended.empty()
            ? fmt::format(
                  "asked again, {} was as predicted: state that earlier sequences had left "
                  "may have a part in it, or chance",
                  first_.front().name)
            : questions.ended;
  }

  /// Whether it still disagrees, and in what.
  void ask_again(SmallestContradiction& smallest) {
    constexpr int times = 3;
    for (int time = 0; time < times; ++time) {
      try {
        Outcome outcome = ask(smallest.minimised.probe, "asked again");
        ++smallest.asked_again;
        if (outcome.wrong.empty()) continue;
        ++smallest.disagreed_again;
        smallest.answer = std::move(outcome.recording);
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
        wrong = !validator.ask(named, "minimising").wrong.empty();
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
  int session_;
  Simulator simulator_;
  std::optional<Probe> previous_;  ///< in this session
  bool alone_in_session_ = true;   ///< the latest one was the first of its session
  std::vector<Probe> first_;       ///< the first contradiction, and with what ran before it
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
