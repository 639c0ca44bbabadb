#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/invention/invention_questions.h"
#include "solver/invention/explains.h"
#include "solver/invention/formula_forms.h"
#include "solver/invention/leeway.h"
#include "solver/invention/on_trial.h"
#include "solver/invention/parts_of_sessions.h"
#include "solver/invention/two_cases.h"

namespace cuvier {
namespace {

class Challenge {
 public:
  Challenge(const Oracle& oracle, InventionQuestions& questions, std::uint64_t seed,
            const Task& task, int& asked)
      : device_(oracle.device()),
        channels_(oracle.channels()),
        questions_(questions),
        task_(task),
        asked_(asked),
        rng_(seed) {}

  std::vector<Exception> left_of(std::vector<Exception> left) {
    asked_ = 0;
    for (int learned = 0; learned < kMostLearned && !left.empty();) {
      task_.still();
      if (tell_apart(left) && end_numbers(left.front()) && show(left.front())) {
        left.resize(1);  // the others say the same, as far as could be asked
        return left;
      }
      const Exception contradicted = left.front();
      left.erase(left.begin());
      std::erase_if(left, [&](const Exception& each) {
        return !std::ranges::all_of(answers_,
                                    [&](const Recording& answer) { return agrees(each, answer); });
      });
      if (!left.empty()) continue;
      left = learned_anew(contradicted);
      asked_ = 0;
      ++learned;
    }
    return {};
  }

 private:
  static constexpr int kToChallenge = 100;  ///< probes on which the exception shows
  static constexpr int kDraws = 8;          ///< in vain, until nothing is taken to tell them apart
  static constexpr int kMostLearned = 40;   ///< conditions, anew
  static constexpr double kWork = 5'000'000;

  Observation predicted(const Exception& exception, const Probe& probe) const {
    SpecialCase mechanism = mechanism_of(device_, exception);
    mechanism.begin_session();
    return seen_through(channels_, mechanism.preview(probe));
  }

  /// What the oracle shows of what tells most of these apart, if it agrees with the first.
  enum class Told { nothing, as_predicted, otherwise };
  Told ask(const std::vector<Exception>& candidates, const FormulaNumbers& numbers,
           const std::string& why) {
    const auto probe = telling_apart(
        candidates.size(), questions_.drawn(rng_, numbers),
        [&](std::size_t i, const Probe& each) { return predicted(candidates[i], each); });
    const auto answer = probe ? questions_.ask(*probe, why) : std::nullopt;
    if (!answer) return Told::nothing;
    ++asked_;
    answers_.push_back(*answer);
    return agrees(candidates.front(), *answer) ? Told::as_predicted : Told::otherwise;
  }

  bool agrees(const Exception& exception, const Recording& answer) const {
    return explains(predicted(exception, answer.probe), answer);
  }

  static Exception with(Exception exception, int number, int other) {
    exception.condition = with_another(exception.condition, number, other);
    return exception;
  }

  /// Whether what tells them apart agrees with the first; others that it contradicts go.
  bool tell_apart(std::vector<Exception>& left) {
    for (int in_vain = 0; left.size() > 1 && in_vain < kDraws;) {
      task_.doing(fmt::format("telling {} exceptions apart", left.size()));
      const Told told = ask(left, {}, "telling exceptions apart");
      if (told == Told::otherwise) return false;
      if (told == Told::nothing) {
        ++in_vain;
        continue;
      }
      std::erase_if(left, [&](const Exception& each) { return !agrees(each, answers_.back()); });
    }
    return true;
  }

  /// Whether nothing contradicts the numbers of the condition, where others would explain as much.
  /// Probes halve what each can be; then it becomes the roundest that is left.
  bool end_numbers(Exception& exception) {
    const auto names = exception_names(exception.deviation);
    const FormulaInfo info{names, FormulaInfo::Gives::condition, "", 0, 1};
    const std::set<int> numbers = numbers_in(parse_formula(info, exception.condition));
    for (const int number : numbers) {
      if (rounds_up_with(number, numbers)) continue;
      constexpr int most = 1 << 20;
      const std::vector<Session> observed = sessions_of({questions_.recorded()});
      const PartsOfSessions parts(observed);
      const std::vector<Session>& sessions = parts.under(exception.base);
      const Leeway leeway = around(number, {number, 0, most}, [&](int other) {
        const Exception changed = with(exception, number, other);
        return std::ranges::all_of(sessions, [&](const Session& session) {
          return explains(mechanism_of(device_, changed), session);
        });
      });
      const auto left = halved(leeway, kDraws, [&](const Leeway& open, int middle) {
        return ask_of_number(exception, open, middle);
      });
      if (!left) return false;
      exception = with(exception, number, left->roundest());
    }
    return true;
  }

  std::optional<std::function<bool(int)>> ask_of_number(const Exception& exception,
                                                        const Leeway& open, int middle) {
    const auto at = [&](int other) { return with(exception, open.number, other); };
    task_.doing(fmt::format("{}: {} may be {} to {}", exception.condition, open.number, open.least,
                            open.most));
    const Told told = ask({at(middle), at(open.least), at(open.most)},
                          FormulaNumbers(std::vector{middle}), "where an exception begins");
    if (told == Told::nothing) return std::nullopt;
    return [this, exception, number = open.number](int other) {
      return agrees(with(exception, number, other), answers_.back());
    };
  }

  /// Whether nothing contradicts it where it shows.
  bool show(const Exception& exception) {
    Exception never = exception;
    never.condition = fmt::format("({0}) and not ({0})", exception.condition);
    int in_vain = 0;
    for (int shown = 0; shown < kToChallenge && in_vain < kDraws;) {
      task_.doing(fmt::format("showing the exception: {} of {}", shown, kToChallenge));
      const Told told = ask({exception, never}, {}, "shows an exception");
      if (told == Told::otherwise) return false;
      ++(told == Told::nothing ? in_vain : shown);
    }
    return true;
  }

  std::vector<Exception> learned_anew(const Exception& exception) {
    const std::vector<Session> observed = sessions_of({questions_.recorded()});
    const PartsOfSessions parts(observed);
    return exceptions_that_explain(device_, parts.under(exception.base), exception.base,
                                   {exception.deviation}, kWork, task_);
  }

  const Device& device_;
  const std::vector<std::string> channels_;
  InventionQuestions& questions_;
  const Task& task_;
  int& asked_;
  Rng rng_;
  std::vector<Recording> answers_;
};

}  // namespace

std::vector<Exception> challenged(std::vector<Exception> exceptions, const Oracle& oracle,
                                  InventionQuestions& questions, std::uint64_t seed,
                                  const Task& task, int& asked) {
  return Challenge(oracle, questions, seed, task, asked).left_of(std::move(exceptions));
}

}  // namespace cuvier
