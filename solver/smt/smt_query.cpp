#include "solver/smt/smt_query.h"

#include <fmt/format.h>
#include <z3++.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>
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

/// Made ready before a process begins, and used in none but those: to make it ready takes longer
/// than most queries do. So each query is asked a Z3 in the same state.
Z3_context ready_z3() {
  static z3::context* const context = [] {
    auto* made = new z3::context;
    Z3_eval_smtlib2_string(*made, "(declare-const x Int)(reset)");
    return made;
  }();
  return *context;
}

/// In the child: what Z3 prints.
std::string printed_by_z3(Z3_context z3, const std::string& smt2) {
  try {
    std::string printed = Z3_eval_smtlib2_string(z3, smt2.c_str());
    if (printed.starts_with("unknown")) {
      printed += Z3_eval_smtlib2_string(z3, "(get-info :reason-unknown)");
    }
    if (!printed.empty()) return printed;
    return Z3_get_error_msg(z3, Z3_get_error_code(z3));
  } catch (const std::bad_alloc&) {
    return "out of memory";
  }
}

/// Of an answer that does not say itself why it is none.
std::string death_words(const LimitedRun& run, const SmtLimits& limits) {
  return fmt::format("{}, perhaps at its memory limit of {} MiB", ending_words(run.status),
                     limits.memory_mib);
}

SmtAnswer answer_of(const LimitedRun& run, const SmtLimits& limits) {
  std::string printed = run.output.substr(0, run.output.find_last_not_of('\n') + 1);
  std::istringstream lines(run.output);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("(error")) {  // what follows is about another query
      printed = line;
      break;
    }
    const auto kind = kind_of(line);
    if (kind == Kind::unknown) {
      if (tells_of_memory(run.output)) break;
      std::string why;
      std::getline(lines, why);
      return gave_up(fmt::format("it answered unknown{}{}", why.empty() ? "" : ": ", why));
    }
    if (kind) return {*kind, {}, 0};
  }
  if (tells_of_memory(run.output)) return gave_up(memory_limit_words(limits));
  if (run.output.empty()) return gave_up(death_words(run, limits));
  return gave_up(fmt::format("it printed {}", in_quotes(printed)));
}

template <class Body>
SmtAnswer ask(const SmtLimits& limits, Body body) {
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
  const Z3_context z3 = ready_z3();
  const auto body = [&](int output) {
    limit_further_memory(limits.memory_mib);
    write_all(output, printed_by_z3(z3, smt2));
  };
  return ask(limits, body);
}

SmtAnswer ask_program(const std::vector<std::string>& command, const std::string& smt2_path,
                      const SmtLimits& limits) {
  std::vector<std::string> words = command;
  words.push_back(smt2_path);
  const auto body = [&](int output) {
    become_program(words, output, limits.memory_mib);
    write_all(output, fmt::format("{}: cannot be run: {}\n", words[0], std::strerror(errno)));
  };
  return ask(limits, body);
}

}  // namespace cuvier
