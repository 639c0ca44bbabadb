#include "probes/gpu/session.h"

#include <fmt/format.h>

#include <cstdio>
#include <istream>
#include <optional>
#include <ostream>
#include <set>

#include "probes/error.h"
#include "probes/exact_steps.h"
#include "probes/format.h"
#include "probes/gpu/failure.h"

namespace cuvier::gpu {
namespace {

constexpr int protocol_version = 1;
constexpr int most_repetitions = 100'000;
constexpr int attempts = 3;  // a session without an opening tells nothing

/// As many of the smallest blocks as the device holds, which puts some on every SM whatever the
/// scheduler's policy; with the frame that the device was set up for, if it was.
Probe opening_probe(const RunnerDevice& device) {
  const Device& facts = device.facts();
  Kernel kernel = device.smallest_block();
  kernel.blocks = facts.sms * facts.max_blocks_per_sm;
  return {"opening", {kernel}, {{0, {}}}};
}

/// What a session begins with (docs/design/openings.md): pointers and cursors have come
/// from wherever earlier kernels left them to where this run is seen to leave them.
struct SeenOpening {
  Probe probe;
  Observation observation;
};

/// Nothing where part of the grid does not start however often it is tried, nor so much of it as
/// starts when it is launched alone, on every SM: something else holds part of the device. Says so
/// on standard error.
std::optional<SeenOpening> observe_opening(RunnerDevice& device, const Patience& patience) {
  SeenOpening opening{opening_probe(device), {}};
  int& blocks = opening.probe.kernels[0].blocks;
  std::string why;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    try {
      opening.observation = run_probe(device, opening.probe, patience);
    } catch (const Failure& failure) {
      if (failure.code() != FailureCode::timeout) throw;
      why = failure.what();
      continue;
    }
    const Started& seen = opening.observation.steps[0].started.at(0);
    const auto sms = std::ssize(std::set(seen.sm.begin(), seen.sm.end()));
    const auto started = static_cast<int>(seen.block.size());
    if (started == blocks && sms == device.facts().sms) return opening;
    why = fmt::format("of {} blocks that should fill the idle device {} started, on {} of {} SMs",
                      blocks, started, sms, device.facts().sms);
    // What waited ran afterwards, so what started cannot do as it is; but it is what there is room
    // for.
    blocks = started;
  }
  std::fprintf(stderr, "cuvier-gpu: no opening: %s: is somebody else on the device?\n",
               why.c_str());
  return std::nullopt;
}

class Session {
 public:
  explicit Session(const OpenDevice& open) : open_(open) {}

  bool over() const { return over_; }
  int exit_code() const { return exit_code_; }

  /// The answer to one line; null where there is none (`bye`).
  Json answer(const std::string& line) {
    Json id;
    try {
      const Json request = parse_json(line, "request");
      if (request.is_object() && request.contains("id")) id = request["id"];
      Fields fields(request, Place("request"));
      const std::string type = fields.text("type");
      if (type == "hello") return hello(fields);
      if (type == "run") return run(fields, id);
      if (type != "bye") fields.place("type").fail(in_quotes(type) + " is no request");
      over_ = true;
      return nullptr;
    } catch (const Failure& failure) {
      if (failure.code() == FailureCode::device_lost) {
        over_ = true;
        exit_code_ = failure.exit_code();
      }
      return error(id, failure.code(), failure.what(), failure.ran());
    } catch (const Error& bad) {
      return error(id, FailureCode::invalid_probe, bad.what());
    } catch (const std::exception& unforeseen) {
      return error(id, FailureCode::internal, unforeseen.what());
    }
  }

 private:
  static Json error(const Json& id, FailureCode code, const std::string& message,
                    bool ran = false) {
    Json json = {{"type", "error"}};
    if (!id.is_null()) json["id"] = id;
    json["code"] = name_of(code);
    json["message"] = message;
    if (ran) json["ran"] = true;
    return json;
  }

  Json hello(Fields& fields) {
    const int protocol = fields.integer("protocol", {});
    if (protocol != protocol_version) {
      throw Failure(FailureCode::unsupported,
                    "this runner speaks protocol 1, not " + std::to_string(protocol));
    }
    if (!ready_.device) {
      ready_ = open_();
      patience_.quiet = quiet_after(ready_.trips);
    }
    // Of every hello: what has run since the last one is not known to who asks now.
    Json channels = {"sm"};
    for (const std::string& channel : ready_.device->channels()) channels.push_back(channel);
    Json answer = {{"type", "device"},
                   {"protocol", protocol_version},
                   {"oracle", {{"name", "cuvier-gpu"}, {"version", CUVIER_VERSION}}},
                   {"channels", std::move(channels)},
                   {"device", to_json(ready_.device->facts())},
                   {"opening", opening()},
                   {"settle_us", patience_.quiet.count()},
                   {"start_us", to_json(ready_.trips.start)}};
    if (!ready_.uuid.empty()) {
      answer["gpu"] = {{"uuid", ready_.uuid}, {"driver", ready_.driver}};
    }
    return answer;
  }

  /// Null: in which state the session begins nobody knows.
  Json opening() {
    const std::optional<SeenOpening> seen = observe_opening(*ready_.device, patience_);
    if (!seen) return nullptr;
    const Observation placed = seen_through({"warp_slot"}, seen->observation);
    return {{"probe", to_json(seen->probe)}, {"observation", to_json(placed, seen->probe)}};
  }

  Json run(Fields& fields, const Json& id) {
    if (!ready_.device) throw Failure(FailureCode::internal, "a run before the first hello");
    const int repeat = fields.integer("repeat", {1, most_repetitions}, 1);
    std::vector<std::string> channels;
    if (fields.has("channels")) {
      channels = ListOf{String()}.read(fields.at("channels"), fields.place("channels"));
    }
    const Probe probe = probe_from_json(fields.at("probe"), "request", "probe");
    validate(probe, ready_.device->facts(), "request");
    Json runs = Json::array();
    try {
      for (int i = 0; i < repeat; ++i) {
        const Observation seen = run_probe(*ready_.device, probe, patience_);
        runs.push_back(to_json(seen_through(channels, seen), probe));
        if (leaves_unknown(seen, probe)) break;  // a session of its own for the next
      }
    } catch (Failure& failure) {
      if (!runs.empty()) failure.say_that_it_ran();
      throw;
    }
    return {{"type", "observation"}, {"id", id}, {"runs", std::move(runs)}};
  }

  const OpenDevice& open_;
  ReadyDevice ready_;
  Patience patience_;
  bool over_ = false;
  int exit_code_ = exit_done;
};

}  // namespace

int serve(std::istream& in, std::ostream& out, const OpenDevice& open) {
  Session session(open);
  for (std::string line; !session.over() && std::getline(in, line);) {
    if (line.empty()) continue;
    const Json answer = session.answer(line);
    if (!answer.is_null()) out << answer.dump() << '\n' << std::flush;
  }
  return session.exit_code();
}

}  // namespace cuvier::gpu
