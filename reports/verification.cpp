#include "reports/verification.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>

#include "probes/error.h"
#include "probes/json_fields.h"
#include "reports/model_json.h"
#include "reports/words.h"
#include "reports/write_file.h"
#include "solver/ending/cut_short.h"
#include "solver/finding/mismatches.h"

namespace cuvier {
namespace {

namespace fs = std::filesystem;

/// A file that is gone with this.
class TemporaryFile {
 public:
  TemporaryFile() {
    std::string folder = (fs::temp_directory_path() / "cuvier-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) {
      throw Error(folder + ": cannot be created; set TMPDIR to a folder with room");
    }
    folder_ = folder;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::string path() const { return (folder_ / "lemma.smt2").string(); }

 private:
  fs::path folder_;
};

class Verifier {
 public:
  Verifier(const std::string& dir, const std::vector<std::string>& second,
           const std::function<void(const std::string&)>& doing)
      : dir_(dir), second_(second), doing_(doing) {}

  Verification verify() {
    result_.certificate = read_certificate(dir_);
    result_.solvers = {"Z3"};
    if (!second_.empty()) result_.solvers.push_back(fs::path(second_[0]).filename().string());
    try {
      check_strangers();
      for (const Certificate::LemmaFile& lemma : result_.certificate.lemmas) {
        noting_errors([&] { check_lemma(lemma); });
      }
      check_evidence();
    } catch (const CutShort& cut_short) {
      result_.cut_short = cut_short.why;
    }
    return std::move(result_);
  }

 private:
  template <class Check>
  void noting_errors(Check check) {
    try {
      check();
    } catch (const Error& error) {
      result_.faults.push_back(error.what());
    }
  }

  void fault(const std::string& path, const std::string& what) {
    result_.faults.push_back(path + ": " + what);
  }

  void check_strangers() {
    const auto& lemmas = result_.certificate.lemmas;
    for (const auto& entry : fs::directory_iterator(certificate_file(dir_, ""))) {
      const std::string name = entry.path().filename().string();
      if (name != "index.json" &&
          std::ranges::find(lemmas, name, &Certificate::LemmaFile::file) == lemmas.end()) {
        fault(certificate_file(dir_, name), "is not in the index");
      }
    }
  }

  void check_unchanged(const std::string& path, const std::string& text,
                       const std::string& expected) {
    if (fingerprint(text) != expected) {
      fault(path, "was changed since the certificate was written");
    }
  }

  void check_lemma(const Certificate::LemmaFile& lemma) {
    const auto& lemmas = result_.certificate.lemmas;
    const std::string asking =
        fmt::format("lemma {} of {}, {}", &lemma - lemmas.data() + 1, lemmas.size(), lemma.file);
    doing_(asking);
    SmtLimits limits;
    limits.may_go_on = asked_whether_to_go_on(doing_, asking);
    const std::string path = certificate_file(dir_, lemma.file);
    const std::string text = read_file(path);
    check_unchanged(path, text, lemma.fingerprint);
    const std::string opening = lemma_opening(lemma.statement);
    if (!text.starts_with(opening)) fault(path, "does not begin with the index's statement of it");
    if (!text.ends_with("\n(check-sat)\n") || text.find("(check-sat") != text.rfind("(check-sat")) {
      fault(path, "does not end with its only (check-sat): solvers would be asked something else");
    }
    const auto ask = [&](const std::string& solver, SmtAnswer answer) {
      doing_(asking);  // an answer that was cut short is none
      judge(lemma, {solver, lemma.file, std::move(answer)});
    };
    ask("Z3", ask_z3(text, limits));
    if (second_.empty()) return;
    // Without the answer that is expected: a solver that has another must get to say so.
    const TemporaryFile question;
    write_file(question.path(), text.starts_with(opening) ? text.substr(opening.size()) : text);
    ask(result_.solvers[1], ask_program(second_, question.path(), limits));
  }

  void judge(const Certificate::LemmaFile& lemma, Verification::Answer answer) {
    const std::string path = certificate_file(dir_, lemma.file);
    if (answer.answer.kind == SmtAnswer::Kind::sat) {
      fault(path, answer.solver + " answers sat where unsat is claimed");
    } else if (answer.answer.kind == SmtAnswer::Kind::unknown) {
      result_.gave_up.push_back(
          fmt::format("{}: {} gave up: {}", path, answer.solver, answer.answer.reason));
    }
    result_.answers.push_back(std::move(answer));
  }

  void check_evidence() {
    const std::string model = model_file(dir_);
    const std::string journal = recordings_file(dir_);
    noting_errors(
        [&] { check_unchanged(model, read_file(model), result_.certificate.model_fingerprint); });
    noting_errors([&] {
      check_unchanged(journal, read_file(journal), result_.certificate.recordings_fingerprint);
    });
    noting_errors([&] { check_recordings(read_recordings(journal), read_model(model)); });
  }

  void check_recordings(const RecordingSet& set, const Hypothesis& hypothesis) {
    result_.recordings = static_cast<int>(set.recordings.size());
    for (const Recording& recording : set.recordings) {
      result_.facts += static_cast<int>(recording.facts.size());
    }
    predict_each(
        set, hypothesis,
        [&](const Recording& recording) {
          doing_(fmt::format("predicting recording {}", in_quotes(recording.name())));
        },
        [&](const Recording&, const std::vector<Mismatch>& wrong) {
          if (wrong.empty()) {
            ++result_.recordings_predicted;
          } else {
            fault(wrong[0].where, mismatch_words(wrong[0], wrong.size()));
          }
        });
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

  const std::string& dir_;
  const std::vector<std::string>& second_;
  const std::function<void(const std::string&)>& doing_;
  Verification result_;
};

}  // namespace

Verification verify_certificate(const std::string& dir, const std::vector<std::string>& second,
                                const std::function<void(const std::string&)>& doing) {
  return Verifier(dir, second, doing).verify();
}

}  // namespace cuvier
