#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "probes/oracle.h"
#include "probes/oracles/child_process.h"

namespace cuvier {

struct ExternalOptions {
  std::chrono::milliseconds hello_timeout{120'000};  ///< a GPU's driver may have to start first
  std::chrono::milliseconds run_timeout{60'000};     ///< for one run of a probe
  std::chrono::milliseconds repeat_timeout{5'000};   ///< for each further one, which begins warm
  std::chrono::milliseconds exit_grace{2'000};       ///< between `bye` and SIGKILL
  std::size_t longest_line = std::size_t{64} << 20;
  /// Whether we are to end: asked ten times a second while it is waited for, which ends it.
  std::function<bool()> interrupted = [] { return false; };
};

/// Somebody's program, run by /bin/sh, that speaks the oracle protocol on its standard
/// input and output. Whatever it does wrong is an Error(Kind::oracle) and the end of that
/// process; the next run starts another, in a new session.
class ExternalOracle : public Oracle {
 public:
  /// Starts the command and learns its device.
  explicit ExternalOracle(std::string command, ExternalOptions options = {});
  ~ExternalOracle() override;
  ExternalOracle(const ExternalOracle&) = delete;
  ExternalOracle& operator=(const ExternalOracle&) = delete;

  const Device& device() const override { return device_; }
  std::string description() const override;
  Unit unit() const override { return unit_; }
  std::vector<std::string> channels() const override { return channels_; }
  std::vector<Answer> run(const Probe& probe, int repeat) override;
  /// By another process, unless it holds several.
  bool begin_session() override;
  /// Several at once where the process offers that.
  void hold_sessions(int count, const Session& session) override;
  int session() const override { return session_; }
  /// The next run begins a session by another hello to the same process, whose opening, if it gives
  /// one, says where hidden state is then.
  void end_session() { must_greet_ = true; }
  bool session_is_over() const override { return must_greet_; }
  std::shared_ptr<const InitialObservation> opening() const override { return opening_; }

 private:
  /// Another session of the process.
  ExternalOracle(const ExternalOracle& first, int number);

  void start();
  void stop();
  void restart();
  void greet();
  void hello();
  nlohmann::ordered_json exchange(const nlohmann::ordered_json& message,
                                  std::chrono::milliseconds timeout);
  std::vector<Answer> read_runs(const nlohmann::ordered_json& reply, const Probe& probe,
                                int repeat) const;
  bool ends_session(const std::vector<Answer>& answers, const Probe& probe) const;
  [[noreturn]] void fail(const std::string& what) const;

  std::string command_;
  std::string where_;  ///< starts every message
  ExternalOptions options_;
  std::shared_ptr<ChildProcess> child_;  ///< empty after a failure
  int number_ = 0;                       ///< of the sessions that it holds at once, which
  int at_once_ = 1;                      ///< are so many
  Device device_;
  std::string identity_;  ///< the oracle's own name and version
  Unit unit_;
  std::vector<std::string> channels_;
  bool is_device_ = false;                             ///< whose sessions begin in any state
  bool is_known_ = true;                               ///< in which this one began
  std::shared_ptr<const InitialObservation> opening_;  ///< the latest that was seen
  int session_ = 0;
  int next_id_ = 1;
  bool ran_ = false;         ///< something, in this process
  bool must_greet_ = false;  ///< before it is asked again: nobody knows its hidden state
};

}  // namespace cuvier
