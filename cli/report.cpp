#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/standard_output.h"
#include "reports/trace_json.h"
#include "reports/write_file.h"

namespace cuvier {
namespace {

struct Arguments {
  std::string source;
  std::string format;
  std::string out;
};

/// A folder stands for what was recorded in it.
std::string recordings_of(const std::string& source) {
  if (!std::filesystem::is_directory(source)) return source;
  return (std::filesystem::path(source) / "journal.jsonl").string();
}

int report(const Arguments& arguments) {
  if (!arguments.out.empty()) expect_writable(arguments.out);
  const std::string text =
      trace_json(read_recordings(recordings_of(arguments.source))).dump() + '\n';
  arguments.out.empty() ? print(text) : write_file(arguments.out, text);
  return exit_done;
}

}  // namespace

Run declare_report(CLI::App& app) {
  app.footer(
      "FORMAT is one of:\n"
      "  trace  Chrome trace events, which ui.perfetto.dev opens: SMs as tracks under their GPC,\n"
      "         blocks as slices, the host's actions above. A step takes a millisecond there, "
      "since\n"
      "         recordings know an order and no times. Blocks of which it is not known where they\n"
      "         went are not shown.\n"
      "\n"
      "Example:\n"
      "  cuvier report findings/mine --format trace --out mine.trace.json\n"
      "\n"
      "Exit codes: 0 done, 2 bad usage or input, or output that cannot be written");
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("DIR", arguments->source,
                 "The folder of an inference or a validation, or a file of recordings")
      ->required()
      ->type_name("");
  app.add_option("--format", arguments->format, "How, see below")
      ->required()
      ->check(CLI::IsMember({"trace"}))
      ->type_name("FORMAT");
  app.add_option("--out", arguments->out, "Write it to this file instead of standard output")
      ->type_name("OUT");
  return [arguments] { return report(*arguments); };
}

}  // namespace cuvier
