#include "solver/smt/smt_query.h"

#include <fmt/format.h>
#include <z3++.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "probes/ending_words.h"
#include "probes/json_fields.h"
#include "solver/smt/limited_process.h"

namespace cuvier {
namespace {

using Kind = SmtAnswer::Kind;

SmtAnswer gave_up(std::string reason) { return {Kind::unknown, std::move(reason), 0}; }

std::string memory_limit_words(const SmtLimits& limits) {
  return fmt::format("it reached its memory limit of {} MiB", limits.memory_mib);
}

std::optional<Kind> kind_of(std::string_view word) {
  if (word == "sat") return Kind::sat;
  if (word == "unsat") return Kind::unsat;
  if (word == "unknown") return Kind::unknown;
  return std::nullopt;
}

bool tells_of_memory(const std::string& text) {
  for (const char* words : {"out of memory", "out-of-memory", "memout", "bad_alloc"}) {
    if (text.find(words) != std::string::npos) return true;
  }
  return false;
}

/// In the child, which has no other Z3.
SmtAnswer solve(const std::string& smt2, const SmtLimits& limits) {
  try {
    // Both end with the process, which is sooner than by themselves.
    z3::context& context = *new z3::context;
    z3::solver& solver = *new z3::solver(context);
    solver.from_string(smt2.c_str());
    switch (solver.check()) {
      case z3::unsat:
        return {Kind::unsat, {}, 0};
      case z3::sat:
        return {Kind::sat, {}, 0};
      case z3::unknown:
        break;
    }
    return gave_up(solver.reason_unknown());
  } catch (const std::bad_alloc&) {
    return gave_up(memory_limit_words(limits));
  } catch (const z3::exception& error) {
    return gave_up(error.msg());
  }
}

std::string to_message(const SmtAnswer& answer) {
  const Json json = {static_cast<int>(answer.kind), answer.reason};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// None if the child did not get to the end of it.
std::optional<SmtAnswer> from_message(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return std::nullopt;
  return SmtAnswer{static_cast<Kind>(json[0].get<int>()), json[1].get<std::string>(), 0};
}

/// Of an answer that does not say itself why it is none.
std::string death_words(const LimitedRun& run, const SmtLimits& limits) {
  return fmt::format("{}, perhaps at its memory limit of {} MiB", ending_words(run.status),
                     limits.memory_mib);
}

SmtAnswer answer_of_z3(const LimitedRun& run, const SmtLimits& limits) {
  const auto answer = from_message(run.output);
  if (!answer) return gave_up(death_words(run, limits));
  if (answer->kind == Kind::unknown && tells_of_memory(answer->reason)) {
    return gave_up(memory_limit_words(limits));
  }
  return *answer;
}

SmtAnswer answer_of_program(const LimitedRun& run, const SmtLimits& limits) {
  std::string printed = run.output.substr(0, run.output.find_last_not_of('\n') + 1);
  std::istringstream lines(run.output);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("(error")) {  // what follows is about another query
      printed = line;
      break;
    }
    const auto kind = kind_of(line);
    if (kind == Kind::unknown) return gave_up("it answered unknown");
    if (kind) return {*kind, {}, 0};
  }
  if (tells_of_memory(run.output)) return gave_up(memory_limit_words(limits));
  if (run.output.empty()) return gave_up(death_words(run, limits));
  return gave_up(fmt::format("it printed {}", in_quotes(printed)));
}

template <class Body, class Read>
SmtAnswer ask(const SmtLimits& limits, Body body, Read answer_of) {
  const auto start = std::chrono::steady_clock::now();
  if (limits.task.is_to_end()) return gave_up("it was not asked any more");
  const LimitedRun run = run_limited(body, limits.seconds, limits.task);
  SmtAnswer answer = run.was_late
                         ? gave_up(fmt::format("it reached its time limit of {} s", limits.seconds))
                     : run.was_ended ? gave_up("it was ended early")
                                     : answer_of(run, limits);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  answer.seconds = elapsed.count();
  answer.reason = one_line(answer.reason);
  return answer;
}

}  // namespace

std::string z3_version() {
  unsigned major = 0, minor = 0, build = 0, revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return fmt::format("{}.{}.{}", major, minor, build);
}

SmtAnswer ask_z3(const std::string& smt2, const SmtLimits& limits) {
  const auto body = [&](int output) {
    limit_further_memory(limits.memory_mib);
    write_all(output, to_message(solve(smt2, limits)));
  };
  return ask(limits, body, answer_of_z3);
}

SmtAnswer ask_program(const std::vector<std::string>& command, const std::string& smt2_path,
                      const SmtLimits& limits) {
  std::vector<std::string> words = command;
  words.push_back(smt2_path);
  const auto body = [&](int output) {
    become_program(words, output, limits.memory_mib);
    write_all(output, fmt::format("{}: cannot be run: {}\n", words[0], std::strerror(errno)));
  };
  return ask(limits, body, answer_of_program);
}

}  // namespace cuvier
