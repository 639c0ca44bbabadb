#include "probes/oracles/external.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "probes/an_error.h"
#include "probes/exact_steps.h"
#include "probes/format.h"
#include "probes/initial_observation.h"
#include "probes/oracles/side_by_side.h"

namespace cuvier {
namespace {

constexpr int protocol_version = 1;
constexpr std::array<std::string_view, 3> optional_channels = {"warp_slot", "shared_config",
                                                               "start_ns"};
/// These say something of the probe; any other says that the oracle is broken.
constexpr std::array<std::string_view, 3> refusals = {"invalid_probe", "unsupported", "timeout"};

/// Sessions that a process is asked to hold at once, however many more it offers.
constexpr int kMostAtOnce = 64;

/// After it closed its output a process is about to exit: long enough to learn its code. And what
/// it has to say goodbye where we are to end at once.
constexpr std::chrono::milliseconds last_breath{200};

template <class Table>
bool contains(const Table& table, std::string_view name) {
  return std::find(table.begin(), table.end(), name) != table.end();
}

std::vector<std::string> read_channels(Fields& fields) {
  const Place place = fields.place("channels");
  std::vector<std::string> all = ListOf{String()}.read(fields.at("channels"), place);
  if (!contains(all, "sm")) place.fail("must list \"sm\", which every oracle observes");
  // A channel that we do not know is not asked for, and so does no harm.
  std::erase_if(all, [](const std::string& name) { return !contains(optional_channels, name); });
  return all;
}

void expect_channels(const Observation& observation, const std::vector<std::string>& channels,
                     const Probe& probe, const Place& place) {
  const auto expect = [&](std::string_view channel, const Started& started, bool there) {
    if (there || !contains(channels, channel)) return;
    place.fail("{} has no {}, a channel that the oracle lists",
               in_quotes(probe.kernels[started.kernel].name), channel);
  };
  for (const Step& step : observation.steps) {
    for (const Started& started : step.started) {
      expect("warp_slot", started, !started.warp_slot.empty());
      expect("start_ns", started, !started.start_ns.empty());
    }
  }
}

InitialObservation read_opening(const Json& json, const Device& device, const Place& place) {
  Fields fields(json, place);
  Probe probe = probe_from_json(fields.at("probe"), place.where(), fields.place("probe").path());
  validate(probe, device, place.where() + ": " + fields.place("probe").path());
  const Observation observation = observation_from_json(
      fields.at("observation"), probe, device, place.where(), fields.place("observation").path());
  fields.refuse_unknown();
  std::vector<Fact> facts = facts_of(observation, probe);
  return {std::move(probe), std::move(facts), place};
}

}  // namespace

ExternalOracle::ExternalOracle(std::string command, ExternalOptions options)
    : command_(std::move(command)), where_("exec:" + one_line(command_)), options_(options) {
  start();
}

ExternalOracle::ExternalOracle(const ExternalOracle& first, int number)
    : command_(first.command_),
      where_(first.where_),
      options_(first.options_),
      child_(first.child_),
      number_(number),
      device_(first.device_),
      must_greet_(true) {
  restart();
}

ExternalOracle::~ExternalOracle() { stop(); }

void ExternalOracle::stop() {
  if (!child_) return;
  if (child_.use_count() > 1) return child_.reset();
  const auto grace = options_.interrupted() ? last_breath : options_.exit_grace;
  child_->write_line(Json{{"type", "bye"}}.dump(), ChildProcess::Clock::now() + grace);
  child_->finish(grace);
  child_.reset();
}

bool ExternalOracle::begin_session() {
  if (!std::exchange(ran_, false)) return true;
  if (at_once_ == 1) stop();
  must_greet_ = true;
  restart();
  return true;
}

void ExternalOracle::hold_sessions(int count, const Session& session) {
  if (at_once_ == 1 || count == 1) return Oracle::hold_sessions(count, session);
  std::vector<std::unique_ptr<Oracle>> all;
  all.push_back(std::make_unique<ForwardedOracle>(*this));
  while (std::ssize(all) < std::min(count, at_once_)) {
    const int number = static_cast<int>(all.size());
    all.push_back(std::unique_ptr<Oracle>(new ExternalOracle(*this, number)));
  }
  SideBySide(std::move(all)).hold_sessions(count, session);
}

std::string ExternalOracle::description() const { return where_ + " (" + identity_ + ")"; }

void ExternalOracle::fail(const std::string& what) const {
  throw Error(where_ + ": " + what, Error::Kind::oracle);
}

void ExternalOracle::start() {
  child_ = std::make_shared<ChildProcess>(command_, options_.interrupted);
  ran_ = false;
  greet();
}

void ExternalOracle::greet() {
  try {
    hello();
  } catch (const OracleInterrupted&) {
    child_.reset();
    throw;
  } catch (const Error& error) {
    child_.reset();
    throw Error(error.what(), Error::Kind::oracle);
  }
}

void ExternalOracle::restart() {
  const Device before = device_;
  if (must_greet_ && child_ && !child_->has_exited()) {
    greet();
  } else {
    start();
  }
  // Which SMs belong together it may have to find out by trying, and not always find alike; what
  // it found first is what everything so far rests on.
  device_ = with_groups_of(std::move(device_), before);
  if (device_ != before) {
    const std::string now = device_.name;
    device_ = before;
    child_.reset();
    fail(
        fmt::format("its device is not the one of before the restart (then {}, now {}, or one "
                    "that differs in its limits); start a session of its own for it",
                    in_quotes(before.name), in_quotes(now)));
  }
  ++session_;
}

void ExternalOracle::hello() {
  const Json reply =
      exchange({{"type", "hello"}, {"protocol", protocol_version}}, options_.hello_timeout);
  Fields fields(reply, Place(where_));
  const std::string type = fields.text("type");
  if (type == "error") fail("cannot start: " + one_line(fields.text("message")));
  if (type != "device") fail(in_quotes(type) + " is no answer to hello; it must be \"device\"");
  const int protocol = fields.integer("protocol", {});
  if (protocol != protocol_version) {
    fail(fmt::format("speaks protocol {}, we speak {}; get a version of it that does too", protocol,
                     protocol_version));
  }
  Fields oracle(fields.at("oracle"), fields.place("oracle"));
  identity_ = one_line(oracle.text("name") + " " + oracle.text("version"));
  channels_ = read_channels(fields);
  Device device = device_from_json(fields.at("device"), where_, "device");
  at_once_ = std::min(fields.integer("sessions", {1}, 1), kMostAtOnce);
  if (fields.has("gpu")) {
    Fields gpu(fields.at("gpu"), fields.place("gpu"));
    unit_ = {one_line(gpu.text("uuid")), gpu.has("driver") ? one_line(gpu.text("driver")) : ""};
  }
  is_device_ = fields.has("opening");
  is_known_ = !is_device_ || !fields.at("opening").is_null();
  if (!is_device_) {
    opening_.reset();
  } else if (is_known_) {
    opening_ = std::make_shared<InitialObservation>(
        read_opening(fields.at("opening"), device, fields.place("opening")));
  }
  device_ = std::move(device);  // only now: a restart compares with the last that was as it should
  must_greet_ = !is_known_;     // until a session of which something counts
}

std::vector<Answer> ExternalOracle::run(const Probe& probe, int repeat) {
  if (must_greet_ || !child_ || child_->has_exited()) restart();
  ran_ = true;
  const int id = next_id_++;
  Json channels = {"sm"};
  for (const std::string& channel : channels_) channels.push_back(channel);
  try {
    const Json reply = exchange({{"type", "run"},
                                 {"id", id},
                                 {"repeat", repeat},
                                 {"channels", std::move(channels)},
                                 {"probe", to_json(probe)}},
                                options_.run_timeout + options_.repeat_timeout * (repeat - 1));
    Fields fields(reply, Place(where_));
    const std::string type = fields.text("type");
    if (type != "error" && type != "observation") {
      fail(in_quotes(type) + " is no answer to run; it must be \"observation\" or \"error\"");
    }
    const int answered = fields.integer("id", {});
    if (answered != id) fail(fmt::format("answers request {}, but {} was asked", answered, id));
    if (type == "observation") {
      std::vector<Answer> answers = read_runs(reply, probe, repeat);
      must_greet_ = !is_known_ || ends_session(answers, probe);
      return answers;
    }
    const std::string code = fields.text("code");
    const std::string message = one_line(fields.text("message"));
    if (contains(refusals, code)) {
      // What ran and was not told may have left anything behind: the next probe begins a session.
      const bool knows = fields.has("ran");
      if (knows) {
        must_greet_ = read_boolean(fields.at("ran"), fields.place("ran")) || !is_known_;
      }
      if (!knows && code == "timeout") stop();
      throw OracleRefusal(code, where_ + ": " + message);
    }
    if (code == "device_lost") child_->finish(options_.exit_grace);  // it exits by itself
    fail(one_line(code) + ": " + message);
  } catch (const OracleInterrupted&) {
    child_.reset();
    throw;
  } catch (const Error& error) {
    child_.reset();  // whatever it is doing now is not what we asked for
    throw Error(error.what(), Error::Kind::oracle);
  }
}

nlohmann::ordered_json ExternalOracle::exchange(const nlohmann::ordered_json& message,
                                                std::chrono::milliseconds timeout) {
  using Outcome = ChildProcess::Outcome;
  const auto deadline = ChildProcess::Clock::now() + timeout;
  nlohmann::ordered_json of_session = message;
  if (number_ > 0) of_session["session"] = number_;
  std::string line;
  const Outcome outcome =
      child_->exchange(number_, of_session.dump(), line, options_.longest_line, deadline);
  const std::string request = message["type"].get<std::string>();
  switch (outcome) {
    case Outcome::done:
      break;
    case Outcome::closed: {
      const char* progress =
          child_->has_partial_line() ? "in the middle of its answer to" : "without an answer to";
      fail(fmt::format("stopped {} {}: {}; its standard error may say why", progress, request,
                       child_->finish(last_breath)));
    }
    case Outcome::late:
      // With other sessions it goes on.
      fail(fmt::format("no answer to {} within {} ms{}", request, timeout.count(),
                       child_.use_count() > 1 ? "" : "; it was killed"));
    case Outcome::ended:
      throw OracleInterrupted(where_);
    case Outcome::too_long:
      child_->finish({});
      fail(fmt::format("its answer to {} exceeds {} bytes without a newline; it was killed",
                       request, options_.longest_line));
  }
  try {
    return parse_json(line, where_);
  } catch (const Error& error) {
    throw an_error("{}; its answer to {} was {}", error.what(), request, in_quotes(line));
  }
}

/// A run that leaves hidden state unknown is a device's last of its session.
bool ExternalOracle::ends_session(const std::vector<Answer>& answers, const Probe& probe) const {
  return is_device_ && !answers.empty() && leaves_unknown(*answers.back().observation, probe);
}

std::vector<Answer> ExternalOracle::read_runs(const nlohmann::ordered_json& reply,
                                              const Probe& probe, int repeat) const {
  Fields fields(reply, Place(where_));
  const Json& runs = fields.at("runs");
  const Place place = fields.place("runs");
  expect_array(runs, place);
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Place run = place.item(i);
    Observation observation = observation_from_json(runs[i], probe, device_, where_, run.path());
    expect_channels(observation, channels_, probe, run);
    std::vector<Fact> facts = facts_of(observation, probe);
    answers.push_back({std::move(facts), std::move(observation)});
    if (!is_device_) continue;
    const int exact = is_known_ ? exact_steps(*answers.back().observation, probe) : 0;
    if (exact < std::ssize(probe.script)) answers.back().exact = exact;
  }
  const auto asked = static_cast<std::size_t>(repeat);
  const bool ended = ends_session(answers, probe);
  if (answers.size() > asked || (answers.size() < asked && !ended)) {
    place.fail(
        "has {} entries for {} repetitions{}", answers.size(), repeat,
        is_device_ && answers.size() < asked ? ", and the last did not end its session" : "");
  }
  return answers;
}

}  // namespace cuvier
