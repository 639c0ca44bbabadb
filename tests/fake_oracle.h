#pragma once

#include <string>

#include "tests/samples.h"

/// Oracles of a few lines of shell, each with its own way to behave.
namespace cuvier::fake {

/// Quotes a text for the shell.
inline std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

inline std::string device_message(const std::string& channels = R"("sm")",
                                  const std::string& device = samples::device_text) {
  return R"({"type":"device","protocol":1,"oracle":{"name":"fake","version":"1.0"},"channels":[)" +
         channels + R"(],"device":)" + device + "}";
}

/// The same of an oracle whose session began with one block on this SM.
inline std::string opened_on(int sm) {
  return samples::with(
      device_message(), R"("oracle")",
      R"("opening":{"probe":{"name":"opening","kernels":{"k":{"blocks":1,"threads":32,)"
      R"("registers":32}},"script":[{"launch":"k"}]},"observation":{"steps":[{"started":{"k":)"
      R"({"block":[0],"sm":[)" +
          std::to_string(sm) + R"(],"warp_slot":[[5]]}}}]}},"oracle")");
}

/// Reads hello and answers with `message`.
inline std::string hello(const std::string& message = device_message()) {
  return "read -r request; printf '%s\\n' " + shell_quoted(message) + "; ";
}

/// Reads one request, if another comes, and leaves its id in $id.
inline const char* const next_request =
    R"(read -r request || exit 0; case "$request" in *bye*) exit 0;; esac; )"
    R"(id=${request#*\"id\":}; id=${id%%,*}; )";

/// One run of one_kernel() below, its block on this SM.
inline std::string run_on(int sm) {
  return R"({"steps":[{"started":{"k":{"block":[0],"sm":[)" + std::to_string(sm) + "]}}}]}";
}

/// Says that this is what the runs showed.
inline std::string observe(const std::string& runs) {
  return R"(echo '{"type":"observation","id":'$id',"runs":[)" + runs + "]}'; ";
}

inline std::string refuse(const std::string& code, const std::string& message) {
  return R"(echo '{"type":"error","id":'$id',"code":")" + code + R"(","message":")" + message +
         R"("}'; )";
}

/// An oracle that does this for each request until it is told to go.
inline std::string always(const std::string& deed) {
  return hello() + "while true; do " + next_request + deed + "done";
}

/// One block: the probe that they are asked.
inline Probe one_kernel() { return {"one", {{"k", 1, 32, 32, 0, 0, 0, std::nullopt}}, {{0, {}}}}; }

}  // namespace cuvier::fake
