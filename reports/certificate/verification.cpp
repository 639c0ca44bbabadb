#include "reports/certificate/verification.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <future>
#include <map>
#include <optional>
#include <sstream>

#include "hypotheses/simulator.h"
#include "probes/an_error.h"
#include "probes/json_fields.h"
#include "probes/rng.h"
#include "reports/certificate/certificate.h"
#include "reports/certificate/claimed_model.h"
#include "reports/document/words.h"
#include "reports/document/write_file.h"
#include "solver/cancellation/task.h"
#include "solver/evidence/doubt.h"
#include "solver/finding/mismatches.h"
#include "solver/justification/evidence_left.h"

namespace cuvier {
namespace {

namespace fs = std::filesystem;

constexpr int kDrawnOfEach = 8;  ///< hypotheses that have an excluded value
constexpr std::uint64_t kSeed = 1;

class Verifier {
 public:
  Verifier(const std::string& dir, const std::vector<std::string>& second, const Task& task,
           const TellsApart& tells_apart)
      : dir_(dir),
        second_(second),
        task_(task),
        tells_apart_(tells_apart),
        model_path_(model_file(dir)) {}

  Verification verify() {
    claims_anything_ = !read_claims(dir_).empty();
    model_ = read_claimed_model(model_path_);
    expect_finished();
    journal_ = read_recordings(recordings_file(dir_));
    result_.claimed = model_.verdict;
    result_.solvers = {"Z3"};
    if (!second_.empty()) result_.solvers.push_back(fs::path(second_[0]).filename().string());
    try {
      check_sums();
      check_device();
      const EvidenceLeft left = evidence_left(journal_, model_.assumed, model_.voted, task_);
      check_model(left);
      check_predictions(left);
      std::vector<Proof> proofs;
      if (auto proof = proof_of(left)) proofs.push_back(std::move(*proof));
      const Exclusions exclusions =
          exclusions_of(left.counted, model_.assumed, left.space.surviving(), task_);
      check_files(certificate_files(proofs, exclusions));
      check_excluded(exclusions, left);
      if (!result_.faults.empty()) return std::move(result_);  // it claims something else
      for (const Proof& proof : proofs) ask_all(proof.lemmas);
      ask_all(exclusions.lemmas);
    } catch (const Stopped& cut_short) {
      result_.cut_short = cut_short.why;
    } catch (const GaveUp& gave_up) {
      result_.gave_up.push_back(recordings_file(dir_) + ": " + gave_up.what());
    }
    return std::move(result_);
  }

 private:
  void fault(const std::string& path, const std::string& what) {
    result_.faults.push_back(path + ": " + what);
  }

  /// That no inference asked on and was killed before it concluded anew: to the journal as far as
  /// the certificate knows it, answers were added.
  void expect_finished() {
    const std::map<std::string, std::string> sums = read_sums();
    const auto model = sums.find(kModelName);
    const auto journal = sums.find(kRecordingsName);
    if (model == sums.end() || journal == sums.end()) return;
    if (model->second != sha256(read_file(model_path_))) return;
    if (!goes_on_behind(journal->second, read_file(recordings_file(dir_)))) return;
    throw an_error(
        "{}: not finished: the journal goes on behind model.json; --resume goes on from there",
        recordings_file(dir_));
  }

  /// By name. Of a line that is none, nothing.
  std::map<std::string, std::string> read_sums() const {
    std::map<std::string, std::string> sums;
    const std::string path = certificate_file(dir_, kSumsName);
    std::istringstream lines(fs::exists(path) ? read_file(path) : "");
    for (std::string line; std::getline(lines, line);) {
      const std::size_t space = line.find("  ");
      if (space != std::string::npos) sums[line.substr(space + 2)] = line.substr(0, space);
    }
    return sums;
  }

  /// That a file was changed by mistake, or is not what was written.
  void check_sums() {
    const std::string sums_path = certificate_file(dir_, kSumsName);
    if (!fs::exists(sums_path)) return fault(sums_path, "is missing");
    const std::map<std::string, std::string> sums = read_sums();
    std::istringstream lines(read_file(sums_path));
    for (std::string line; std::getline(lines, line);) {
      if (line.find("  ") != std::string::npos) continue;
      fault(sums_path, in_quotes(line) + " is no line of sha256sum");
    }
    std::vector<std::string> names = {kModelName, kRecordingsName};
    for (const auto& entry : fs::directory_iterator(certificate_folder(dir_))) {
      const std::string name = entry.path().filename().string();
      if (name != kSumsName && entry.is_regular_file()) names.push_back(name);
    }
    std::ranges::sort(names);
    for (const std::string& name : names) {
      const std::string path = fs::path(certificate_file(dir_, name)).lexically_normal().string();
      const auto sum = sums.find(name);
      if (sum == sums.end()) {
        fault(path, fmt::format("is not in {}", kSumsName));
      } else if (sum->second != sha256(read_file(path))) {
        fault(path, "was changed since the certificate was written");
      }
    }
  }

  void check_device() {
    if (!(model_.device == journal_.device)) {
      fault(model_path_, "device: is not that of the recordings");
    }
  }

  void check_model(const EvidenceLeft& left) {
    Finding finding;
    finding.verdict = model_.verdict;
    finding.device = journal_.device;
    finding.assumed = model_.assumed;
    finding.channels = model_.channels;
    finding.voted = model_.voted;
    finding.count = left.space.count();
    finding.surviving = left.space.surviving();
    finding.open = left.space.open();
    result_.left = finding.count.remaining;
    const bool refuted = model_.verdict == Verdict::refuted;
    if (!left.space.empty() && !refuted) finding.mechanism = left.space.simplest();
    // Nothing explains them: more was asked then, some of it anew.
    finding.probes = refuted ? model_.json.value("probes", 0) : left.probes;
    std::ranges::copy(differing_fields(model_, finding, model_path_),
                      std::back_inserter(result_.faults));
    if (left.space.empty() && !refuted) {
      fault(model_path_, fmt::format("status: {}, but nothing explains the recordings",
                                     name_of(model_.verdict)));
    } else if (model_.verdict == Verdict::identified && left.doubted_too_soon) {
      fault(model_path_,
            fmt::format("status: identified, but {}, which says otherwise, was not asked in {} "
                        "other ways",
                        *left.doubted_too_soon, kRephrased));
    } else if (refuted && !left.space.empty() && explains(left.space.simplest(), journal_)) {
      fault(model_path_, fmt::format("status: refuted, but {} explains the recordings",
                                     describe(left.space.simplest())));
    }
  }

  /// All recordings that count, also those by which nothing was pruned.
  void check_predictions(const EvidenceLeft& left) {
    const RecordingSet& set = model_.voted ? left.counted : journal_;
    result_.recordings = static_cast<int>(set.recordings.size());
    for (const Recording& recording : set.recordings) {
      result_.facts += static_cast<int>(recording.facts.size());
    }
    if (left.space.empty() || model_.verdict == Verdict::refuted) return;
    int predicted = 0;
    Simulator simulator(set.device, left.space.simplest());
    for (const Recording& recording : set.recordings) {
      task_.doing({fmt::format("predicting recording {}", in_quotes(recording.name())), predicted++,
                   set.recordings.size()});
      const auto wrong = mismatches(recording, simulator.replay(recording));
      if (wrong.empty()) {
        ++result_.recordings_predicted;
      } else {
        fault(wrong[0].where, mismatch_words(wrong[0], wrong.size()));
      }
    }
  }

  static std::string mismatch_words(const Mismatch& mismatch, std::size_t facts) {
    const std::string step =
        mismatch.fact.step < 0 ? "" : fmt::format("step {}, ", mismatch.fact.step);
    std::string text = fmt::format(
        "recording {} contradicts the model at {}{}: seen: {}; predicted: {}",
        in_quotes(mismatch.recording), step, mismatch.kernel, mismatch.seen, mismatch.predicted);
    if (facts > 1) text += fmt::format(" (and {} more)", counted(double(facts - 1), "fact"));
    return text;
  }

  /// That what is left is as few behaviours as is claimed, worked out anew.
  std::optional<Proof> proof_of(const EvidenceLeft& left) {
    if (left.space.empty()) return std::nullopt;
    const bool identified = model_.verdict == Verdict::identified;
    const auto members = left.space.members(kMostCompared);
    if (!members) {
      if (identified) fault(model_path_, "status: identified, but too many hypotheses are left");
      return std::nullopt;
    }
    if (!claims_anything_ && (members->size() == 1 || !identified)) return std::nullopt;
    task_.doing("proving what is alike of {} hypotheses", members->size());
    const SmtLimits limits{.task = task_};
    const InitialObservation* opening = last_opening();
    ToldApart told_apart;
    if (tells_apart_) told_apart = tells_apart_(journal_.device, model_.channels, opening);
    const Classes classes = classify(journal_.device, *members, model_.channels, limits,
                                     kMostClasses, opening, told_apart);
    task_.still();
    if (classes.gave_up) {
      result_.gave_up.push_back(model_path_ + ": " + classes.reason);
    } else if (identified && classes.classes.size() > 1) {
      fault(model_path_,
            "status: identified, but not proved to be one behaviour: " + classes.reason);
    }
    if (classes.proof) result_.claims.push_back(classes.proof->claim);
    return classes.proof;
  }

  const InitialObservation* last_opening() const {
    const InitialObservation* last = nullptr;
    for (const Recording& recording : journal_.recordings) {
      if (recording.fresh) last = recording.opening.get();
    }
    return last;
  }

  void check_files(const CertificateFiles& files) {
    for (const auto& [name, text] : files) {
      const std::string path = certificate_file(dir_, name);
      if (!fs::exists(path)) {
        fault(path, "is missing, and the claims rest on it");
      } else if (read_file(path) != text) {
        fault(path, "is not what follows from the model and the recordings");
      }
    }
    for (const auto& entry : fs::directory_iterator(certificate_folder(dir_))) {
      const std::string name = entry.path().filename().string();
      if (name != kSumsName && !files.contains(name)) {
        fault(certificate_file(dir_, name), "is nothing that the claims rest on");
      }
    }
  }

  bool explains(const Hypothesis& hypothesis, const RecordingSet& set) const {
    Simulator simulator(set.device, hypothesis);
    return std::ranges::all_of(set.recordings, [&](const Recording& recording) {
      return mismatches(recording, simulator.replay(recording)).empty();
    });
  }

  /// Has some of those predict who are said to be excluded.
  void check_excluded(const Exclusions& exclusions, const EvidenceLeft& left) {
    Rng rng(kSeed);
    for (const ExcludedValue& each : exclusions.values) {
      using enum ExcludedValue::By;
      if (each.by == last_resort) ++result_.last_resorts;
      if (each.by == diagrams) ++result_.by_diagrams;
      if (each.by == named_orders) ++result_.by_both;
      if (each.by == constraints) ++result_.by_constraints;
      if (each.by == diagrams || each.by == last_resort) continue;
      const std::string value = value_words(each.axis, each.value);
      task_.doing({"predicting hypotheses with " + value, &each - exclusions.values.data(),
                   exclusions.values.size()});
      for (int i = 0; i < kDrawnOfEach; ++i) {
        const Hypothesis drawn = drawn_with(each, rng);
        ++result_.drawn;
        if (!explains(drawn, left.counted)) continue;
        fault(recordings_file(dir_),
              fmt::format("{} is said to be excluded, but {} explains everything", value,
                          describe(drawn)));
        break;
      }
    }
  }

  Hypothesis drawn_with(const ExcludedValue& excluded, Rng& rng) const {
    Hypothesis hypothesis;
    for (int axis = 0; axis < kAxes; ++axis) {
      std::vector<int> values;
      for (int v = 0; v < axis_size(axis); ++v) {
        if (model_.assumed.allows(axis, v) && !(last_resorts(axis) >> v & 1)) values.push_back(v);
      }
      int value = excluded.value;
      if (axis != excluded.axis && !values.empty()) {
        value = values[uniform(rng, 0, static_cast<int>(values.size()) - 1)];
      } else if (axis != excluded.axis) {
        value = std::countr_zero(model_.assumed.allowed[axis]);
      }
      hypothesis.values[axis] = static_cast<std::uint8_t>(value);
    }
    return hypothesis;
  }

  void ask_all(const std::vector<Lemma>& lemmas) {
    result_.lemmas += static_cast<int>(lemmas.size());
    for (const Lemma& lemma : lemmas) {
      const std::string file = lemma_file(lemma);
      const auto before = &lemma - lemmas.data();
      task_.doing({fmt::format("lemma {} of {}, {}", before + 1, lemmas.size(), file), before,
                   lemmas.size()});
      const SmtLimits limits{.task = task_};
      const TemporaryFolder folder("lemma", "set TMPDIR to a folder with room");
      const std::string question = folder.path() + "/lemma.smt2";
      std::future<SmtAnswer> second;
      if (!second_.empty()) {
        // Without the answer that is expected: a solver that has another must get to say so.
        write_file(question, lemma.smt2);
        second =
            std::async(std::launch::async, [&] { return ask_program(second_, question, limits); });
      }
      SmtAnswer first = ask_z3(lemma.smt2, limits);
      SmtAnswer assumed{SmtAnswer::Kind::sat, {}, 0};
      if (!lemma.assumed.empty()) assumed = ask_z3(lemma.assumed, limits);
      std::optional<SmtAnswer> other;
      if (second.valid()) other = second.get();
      task_.still();  // an answer that was cut short is none
      judge({"Z3", file, std::move(first)});
      judge_assumed(file, assumed);
      if (other) judge({result_.solvers[1], file, std::move(*other)});
    }
  }

  void judge(Verification::Answer answer) {
    const std::string path = certificate_file(dir_, answer.file);
    if (answer.answer.kind == SmtAnswer::Kind::sat) {
      fault(path, answer.solver + " answers sat where unsat is claimed");
    } else if (answer.answer.kind == SmtAnswer::Kind::unknown) {
      result_.gave_up.push_back(
          fmt::format("{}: {} gave up: {}", path, answer.solver, answer.answer.reason));
    }
    result_.answers.push_back(std::move(answer));
  }

  void judge_assumed(const std::string& file, const SmtAnswer& answer) {
    const std::string path = certificate_file(dir_, file);
    if (answer.kind == SmtAnswer::Kind::unsat) {
      fault(path, "says nothing: what it assumes contradicts itself");
    } else if (answer.kind == SmtAnswer::Kind::unknown) {
      result_.gave_up.push_back(
          fmt::format("{}: Z3 gave up on what it assumes: {}", path, answer.reason));
    }
  }

  const std::string& dir_;
  const std::vector<std::string>& second_;
  const Task& task_;
  const TellsApart& tells_apart_;
  const std::string model_path_;
  bool claims_anything_ = false;
  ClaimedModel model_;
  RecordingSet journal_;
  Verification result_;
};

}  // namespace

Verification verify_certificate(const std::string& dir, const std::vector<std::string>& second,
                                const Task& task, const TellsApart& tells_apart) {
  return Verifier(dir, second, task, tells_apart).verify();
}

}  // namespace cuvier
