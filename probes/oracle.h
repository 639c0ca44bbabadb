#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "probes/error.h"
#include "probes/fact.h"

namespace cuvier {

/// What one run of a probe showed.
struct Answer {
  std::vector<Fact> facts;
  std::optional<Observation> observation;  ///< raw; absent where only facts are known
  /// Only the facts of so many first steps count: after these, what started depends on the order
  /// in which blocks left (probes/exact_steps.h).
  std::optional<int> exact = std::nullopt;

  /// As far as it counts.
  Recording recording(const Probe& probe, bool fresh,
                      std::shared_ptr<const InitialObservation> opening) const;
};

/// Which device of its kind one is, as far as somebody says so.
struct Unit {
  std::string uuid;    ///< "GPU-7a1c..."; "": nobody does
  std::string driver;  ///< its version
};

/// Answers one question: where do the blocks of this probe go? A GPU, a
/// simulator, a recording and somebody else's program are all oracles.
class Oracle {
 public:
  virtual ~Oracle() = default;

  virtual const Device& device() const = 0;

  /// What it is, for journals and reports: "sim:rtx3090", "exec:./runner (runner 1.0)".
  virtual std::string description() const = 0;

  virtual Unit unit() const { return {}; }

  /// Optional channels it can fill beside "sm": "warp_slot", "shared_config", "start_ns".
  virtual std::vector<std::string> channels() const { return {}; }

  /// Runs the probe `repeat` times in the current session: one answer each. Fewer, but never none,
  /// where a recording knows of no more, or a run was the last of its session. Throws OracleRefusal
  /// when this oracle cannot answer this probe, Error(Kind::oracle) when it failed.
  virtual std::vector<Answer> run(const Probe& probe, int repeat) = 0;

  /// Loses hidden state, so that the next run begins a session. False where it cannot.
  virtual bool begin_session() { return false; }

  /// How often hidden state was lost so far: a change means a new session began.
  virtual int session() const { return 0; }

  /// Happens where the sessions were asked for, in their order, as if one were held after another.
  using Then = std::function<void(std::function<void()>)>;
  /// What is done in one: runs probes of an oracle, which need not be this one, and hands to `Then`
  /// what follows from their answers. It may be done beside others.
  using Session = std::function<void(Oracle& oracle, int number, const Then& then)>;

  /// Holds so many sessions that do not build on each other, several at once if it can. Ends with
  /// the first that throws: of those behind it nothing follows. Then the state is anywhere.
  virtual void hold_sessions(int count, const Session& session);

  /// Whether blocks leave one by one, so that of a run only the exact steps can be predicted.
  bool frees_one_by_one() const { return opening() != nullptr; }

  /// Whether nobody knows the hidden state any more, and the next run begins a session.
  virtual bool session_is_over() const { return false; }

  /// What the session in force began with; none where it began at the start (or it is not known).
  /// Of a session whose beginning nobody saw, and of which nothing counts (Answer::exact is 0):
  /// what the latest began with of which somebody did.
  virtual std::shared_ptr<const InitialObservation> opening() const { return nullptr; }

  /// False where only certain probes can be answered: then `catalogue` lists them.
  virtual bool answers_anything() const { return true; }
  virtual std::vector<Probe> catalogue() const { return {}; }
};

/// We were asked to end (Ctrl-C) while an oracle was waited for.
class OracleInterrupted : public Error {
 public:
  explicit OracleInterrupted(const std::string& where)
      : Error(where + ": interrupted", Error::Kind::oracle) {}
};

/// The oracle works but will not answer this probe (`invalid_probe`, `unsupported`,
/// `timeout`, not recorded): a fact about the probe, not a failure of the session.
class OracleRefusal : public std::runtime_error {
 public:
  OracleRefusal(std::string code, const std::string& message)
      : std::runtime_error(message), code_(std::move(code)) {}
  const std::string& code() const { return code_; }

 private:
  std::string code_;
};

}  // namespace cuvier
