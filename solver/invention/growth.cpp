#include "solver/invention/growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "solver/invention/formula_forms.h"
#include "solver/invention/lists.h"
#include "solver/invention/two_cases.h"

namespace cuvier {
namespace {

constexpr int kMostSteps = 8;
constexpr std::size_t kThresholds = 24;    ///< of a name
constexpr std::size_t kMostAdded = 8;      ///< likewise
constexpr std::size_t kMostOfSample = 12;  ///< sessions that are explained, and others
constexpr std::size_t kMostTried = 8;      ///< changes, on all sessions
constexpr std::size_t kBeam = 3;           ///< formulas that are changed further

class Growth {
 public:
  Growth(const FormulaInfo& info, std::uint32_t names, const std::string& own, RuleTrials& trials,
         double most_blocks, const Task& task)
      : info_(info),
        own_(own),
        trials_(trials),
        for_a_step_(most_blocks),
        most_blocks_(trials.blocks() + most_blocks),
        task_(task) {
    for (std::size_t n = 0; n < info.names.size(); ++n) {
      if ((names >> n & 1) == 0) continue;
      std::set<int> values;
      for (const RuleInputs& inputs : trials.inputs()) values.insert(inputs[n]);
      if (values.size() < 2) continue;
      names_.emplace_back(info.names[n].name);
      cuts_.push_back(
          spread(std::vector<int>(std::next(values.begin()), values.end()), kThresholds));
    }
  }

  Grown from(const std::string& text) {
    const auto formula = formula_in_range(info_, text);
    Grown best{text, formula ? explained(*formula) : 0};
    std::vector<Grown> beam{best};
    for (int step = 0; step < kMostSteps && best.explained < trials_.sessions(); ++step) {
      std::vector<Grown> better;
      for (const Grown& each : beam) std::ranges::move(changed(each), std::back_inserter(better));
      beam = best_of(std::move(better), kBeam);
      if (beam.empty()) break;
      if (beam.front().explained <= best.explained) continue;
      // What explains half of the rest is worth as much work again.
      const int all = trials_.sessions();
      const bool is_much = 2 * (all - beam.front().explained) <= all - best.explained;
      if (is_much) most_blocks_ = trials_.blocks() + for_a_step_;
      best = beam.front();
    }
    return best;
  }

 private:
  using Changes = std::map<std::string, Formula>;  ///< by text

  bool explains(int session, const FormulaRule& rule) {
    return trials_.explains(session, [&](int input) { return rule(trials_.inputs()[input]); });
  }
  /// Of these sessions.
  int explained_of(const std::vector<int>& sessions, const Formula& formula) {
    const FormulaRule rule(info_, formula);
    return static_cast<int>(
        std::ranges::count_if(sessions, [&](int session) { return explains(session, rule); }));
  }
  int explained(const Formula& formula) {
    std::vector<int> all;
    for (int session = 0; session < trials_.sessions(); ++session) all.push_back(session);
    return explained_of(all, formula);
  }

  /// Those that explain most; of equals, the shortest.
  static std::vector<Grown> best_of(std::vector<Grown> all, std::size_t most) {
    const auto key = [](const Grown& each) {
      return std::tuple(-each.explained, each.text.size(), each.text);
    };
    std::ranges::sort(all, {}, key);
    const auto again = std::ranges::unique(all, {}, &Grown::text);
    all.erase(again.begin(), again.end());
    if (all.size() > most) all.resize(most);
    return all;
  }

  /// Changes of it that explain more. They are held against some sessions first.
  std::vector<Grown> changed(const Grown& from) {
    std::vector<int> sample[2];  // of sessions that are not explained, and that are
    const FormulaRule rule(info_, parse_formula(info_, from.text));
    for (int session = 0; session < trials_.sessions(); ++session) {
      sample[explains(session, rule) ? 1 : 0].push_back(session);
    }
    for (auto& sessions : sample) {
      std::ranges::stable_sort(sessions, {}, [&](int session) { return trials_.cost(session); });
      sessions = spread(std::move(sessions), kMostOfSample);
    }
    const Changes all = changes_of(from.text);
    std::vector<Grown> changes;
    for (const auto& [text, formula] : all) {
      task_.still();
      if (trials_.blocks() > most_blocks_) break;
      const int more = explained_of(sample[0], formula);
      if (more == 0) continue;
      const int kept = explained_of(sample[1], formula);
      if (more + kept > std::ssize(sample[1])) changes.push_back({text, more + kept});
    }
    changes = best_of(std::move(changes), kMostTried);
    for (Grown& change : changes) change.explained = explained(all.at(change.text));
    std::erase_if(changes, [&](const Grown& each) { return each.explained <= from.explained; });
    return changes;
  }

  Changes changes_of(const std::string& text) const {
    Changes changes;
    const auto add = [&](const std::string& changed) {
      // What is divided by nothing reads as if it said something.
      if (changed.find(" mod 0") != changed.npos || changed.find(" / 0") != changed.npos) return;
      auto formula = formula_in_range(info_, changed);
      if (formula) changes.try_emplace(formula->text, std::move(*formula));
    };
    for (const int number : numbers_in(parse_formula(info_, text))) {
      for (const int other : others_than(number)) add(with_another(text, number, other));
    }
    for (const std::string& name : names_) {
      for (const std::string& instead : instead_of(name)) add_for_each(text, name, instead, add);
      if (info_.gives == FormulaInfo::Gives::condition) add_sums(text, name, add);
    }
    for (const std::string_view sign : {" < ", " <= ", " > ", " >= "}) {
      for (const std::string_view other : {" < ", " <= ", " > ", " >= "}) {
        for (auto at = text.find(sign); at != text.npos; at = text.find(sign, at + 1)) {
          std::string changed = text;
          add(changed.replace(at, sign.size(), other));
        }
      }
    }
    for (const std::string& whole : larger(text)) add(whole);
    changes.erase(text);
    return changes;
  }

  /// With another name added, and as much to what that is compared with: either by itself would
  /// explain less.
  void add_sums(const std::string& text, const std::string& name, const auto& add) const {
    const std::set<int> numbers = numbers_in(parse_formula(info_, text));
    for (std::size_t n = 0; n < names_.size(); ++n) {
      if (names_[n] == name) continue;
      add_for_each(text, name, fmt::format("({} + {})", name, names_[n]), [&](const auto& sum) {
        for (const int number : numbers) {
          for (const int more : spread(cuts_[n], kMostAdded)) {
            if (more > 0 && number <= Formula::kFurthest / 2 && more <= Formula::kFurthest / 2) {
              add(with_another(sum, number, number + more));
            }
          }
        }
      });
    }
  }

  /// So much more or less: by one, two, four, and so on; and so many times that.
  static std::set<int> others_than(int number) {
    std::set<int> others;
    if (number > Formula::kFurthest / 8) return others;
    for (int step = 1; step <= std::max(number, 8); step *= 2) {
      others.insert({number + step, number - step});
    }
    for (const int times : {2, 3, 4, 8}) others.insert({number * times, number / times});
    std::erase_if(others, [](int other) { return other < 0; });
    return others;
  }

  std::vector<std::string> instead_of(const std::string& name) const {
    std::vector<std::string> instead;
    for (const int number : {2, 3, 4, 6, 8, 16}) {
      instead.push_back(fmt::format("({} * {})", name, number));
      instead.push_back(fmt::format("({} / {})", name, number));
      instead.push_back(fmt::format("({} mod {})", name, number));
    }
    for (const int unit : {2, 4, 8}) {
      instead.push_back(fmt::format("(({} + {}) / {} * {})", name, unit - 1, unit, unit));
    }
    instead.push_back(fmt::format("power({})", name));
    for (const std::string& other : names_) {
      if (other == name) continue;
      instead.push_back(other);
      instead.push_back(fmt::format("({} + {})", name, other));
      instead.push_back(fmt::format("({} - {})", name, other));
      instead.push_back(fmt::format("min({}, {})", name, other));
      instead.push_back(fmt::format("max({}, {})", name, other));
    }
    return instead;
  }

  /// The text with something else for the name, wherever that stands once.
  static void add_for_each(const std::string& text, const std::string& name,
                           const std::string& instead, const auto& add) {
    const auto is_of_name = [&](std::size_t at) {
      return at < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
    };
    for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
      if ((at > 0 && is_of_name(at - 1)) || is_of_name(at + name.size())) continue;
      add(text.substr(0, at) + instead + text.substr(at + name.size()));
    }
  }

  /// With one part more.
  std::vector<std::string> larger(const std::string& text) const {
    std::vector<std::string> larger;
    if (info_.gives == FormulaInfo::Gives::condition) {
      const bool is_constant = parse_formula(info_, text).names == 0;
      for (const std::string& part : parts()) {
        if (is_constant) {
          larger.push_back(part);
          continue;
        }
        larger.push_back(fmt::format("({}) and {}", text, part));
        larger.push_back(fmt::format("({}) or {}", text, part));
      }
    } else if (info_.gives == FormulaInfo::Gives::number) {
      for (const int number : usual_numbers()) {
        larger.push_back(fmt::format("min({}, {})", text, number));
        larger.push_back(fmt::format("max({}, {})", text, number));
      }
      const std::string own = own_.empty() ? std::to_string(info_.least) : own_;
      for (const std::string& part : parts()) {
        for (int more = 1; more <= 4096; more *= 2) {
          larger.push_back(fmt::format("({}) + ({} ? {} : 0)", text, part, more));
        }
        if (own == text) continue;
        larger.push_back(in_two_cases_of(info_, part, text, own));
        larger.push_back(in_two_cases_of(info_, part, own, text));
      }
    } else {
      add_keys(text, larger);
    }
    return larger;
  }

  /// Compared before, or after.
  void add_keys(const std::string& text, std::vector<std::string>& larger) const {
    const bool is_tuple = parse_formula(info_, text).parts.size() > 1;
    const std::string inside = is_tuple ? text.substr(1, text.size() - 2) : text;
    for (const std::string& name : names_) {
      std::vector<std::string> keys{name, "-" + name};
      for (const int number : {2, 4, 8, 16, 32}) {
        keys.push_back(fmt::format("{} / {}", name, number));
        keys.push_back(fmt::format("{} mod {}", name, number));
      }
      for (int number = 2; number <= 4096; number *= 2) {
        keys.push_back(fmt::format("{} mod {} == 0 ? 0 : 1", name, number));
        keys.push_back(fmt::format("{} mod {} == 0 ? 1 : 0", name, number));
      }
      for (const std::string& key : keys) {
        larger.push_back(fmt::format("({}, {})", key, inside));
        larger.push_back(fmt::format("({}, {})", inside, key));
      }
    }
  }

  /// Of conditions.
  std::vector<std::string> parts() const {
    std::vector<std::string> parts;
    for (std::size_t n = 0; n < names_.size(); ++n) {
      for (const int cut : cuts_[n]) {
        parts.push_back(fmt::format("{} < {}", names_[n], cut));
        parts.push_back(fmt::format("{} >= {}", names_[n], cut));
      }
      for (const std::string& other : names_) {
        if (other == names_[n]) continue;
        parts.push_back(fmt::format("{} < {}", names_[n], other));
        parts.push_back(fmt::format("{} <= {}", names_[n], other));
      }
    }
    return parts;
  }

  const FormulaInfo& info_;
  const std::string& own_;
  RuleTrials& trials_;
  const double for_a_step_;
  double most_blocks_;
  const Task& task_;
  std::vector<std::string> names_;      ///< of which more than one value was seen
  std::vector<std::vector<int>> cuts_;  ///< by these
};

}  // namespace

Grown grown(const FormulaInfo& info, std::uint32_t names, const std::string& own,
            const std::string& from, RuleTrials& trials, double most_blocks, const Task& task) {
  return Growth(info, names, own, trials, most_blocks, task).from(from);
}

}  // namespace cuvier
