// bench_killed_context RUNNER: how long until a GPU works again after a process that held blocks
// on it was killed. Starts the runner (a command that speaks the oracle protocol), keeps it busy,
// kills it, starts another, and prints a JSON object.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "probes/error.h"
#include "probes/json_fields.h"
#include "probes/oracles/child_process.h"

namespace {

using namespace cuvier;
using namespace std::chrono_literals;
using Clock = ChildProcess::Clock;

constexpr auto patience = 90s;
constexpr std::size_t longest_line = std::size_t{64} << 20;

/// The answer to hello, and how long it took.
struct Start {
  Json answer;
  double seconds;
};

Start hello(ChildProcess& runner) {
  const Clock::time_point begin = Clock::now();
  std::string line;
  if (runner.write_line(R"({"type":"hello","protocol":1})", begin + patience) !=
          ChildProcess::Outcome::done ||
      runner.read_line(line, longest_line, begin + patience) != ChildProcess::Outcome::done) {
    throw Error("no answer to hello: " + runner.finish(1s), Error::Kind::oracle);
  }
  const Json answer = parse_json(line, "hello");
  if (answer.value("type", "") != "device") throw Error(line, Error::Kind::oracle);
  return {answer, std::chrono::duration<double>(Clock::now() - begin).count()};
}

/// One block an SM, over and over: at any moment some are likely to be resident.
std::string busy(int sms) {
  const Json kernel = {{"blocks", sms}, {"threads", 64}, {"registers", 32}};
  const Json request = {{"type", "run"},
                        {"id", 1},
                        {"repeat", 100'000},
                        {"channels", {"sm"}},
                        {"probe",
                         {{"name", "busy"},
                          {"kernels", {{"k", kernel}}},
                          {"script", Json::array({{{"launch", "k"}}})}}}};
  return request.dump();
}

void measure(const std::string& command) {
  ChildProcess first(command);
  const Start cold = hello(first);
  first.write_line(busy(cold.answer["device"]["sms"]), Clock::now() + patience);
  std::this_thread::sleep_for(1s);
  const Clock::time_point killed = Clock::now();
  first.finish(0ms);
  const double gone = std::chrono::duration<double>(Clock::now() - killed).count();
  ChildProcess second(command);
  const Start again = hello(second);
  fmt::print("{}\n", Json({{"first_start_s", cold.seconds},
                           {"gone_after_kill_s", gone},
                           {"start_after_kill_s", again.seconds}})
                         .dump());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_killed_context RUNNER\n");
    return 2;
  }
  try {
    measure(argv[1]);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_killed_context: {}\n", error.what());
    return 3;
  }
}
