#include "cli/inference_arguments.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/inputs.h"
#include "probes/error.h"

namespace cuvier {

CLI::Option* InferenceArguments::declare(Options& declared) {
  CLI::Option* const asked = add_oracle(declared, oracle);
  declared.add("--out DIR", out, "The folder for what is found")->required();
  add_assumptions(declared, assumptions);
  declared.number("--max-probes N", options.max_probes, 1, 1'000'000, "Ask at most so many probes");
  declared.seed(options.seed);
  declared.flag("--resume", resume, "Go on from the answers in DIR");
  declared.progress();
  return asked;
}

InferenceRun InferenceArguments::run(const Device& device) const {
  if (resume && !std::filesystem::exists(out)) {
    throw Error(
        fmt::format("{}: is not there: name the folder of an inference that is to go on, or "
                    "leave out --resume to begin one",
                    out));
  }
  return {out, read_assumptions(assumptions, device), options, resume};
}

}  // namespace cuvier
