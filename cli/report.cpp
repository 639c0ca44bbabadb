#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/progress.h"
#include "cli/standard_output.h"
#include "probes/error.h"
#include "reports/decision_tree.h"
#include "reports/report_html.h"
#include "reports/report_json.h"
#include "reports/report_markdown.h"
#include "reports/trace_json.h"
#include "reports/write_file.h"

namespace cuvier {
namespace {

struct Arguments {
  std::string source;
  std::string format = "html";
  std::string out;
};

/// A folder stands for what was recorded in it.
std::string recordings_of(const std::string& source) {
  if (!std::filesystem::is_directory(source)) return source;
  return (std::filesystem::path(source) / "journal.jsonl").string();
}

std::string trace_of(const std::string& source) {
  return trace_json(read_recordings(recordings_of(source))).dump() + '\n';
}

std::string dot_text(const InferenceReport& report) {
  const auto& model = report.model.json;
  return decision_tree(report.decisions, model.at("hypotheses").at("initial"), model.at("status"),
                       model.at("reason"));
}

struct Format {
  std::string_view name;
  std::string (*text)(const InferenceReport&);
};
constexpr std::array<Format, 4> of_inferences = {{
    {"html", [](const InferenceReport& report) { return report_html(report_json(report)); }},
    {"json", [](const InferenceReport& report) { return report_json(report).dump(1) + '\n'; }},
    {"markdown", report_markdown},
    {"dot", dot_text},
}};

std::string text_of(const Arguments& arguments, Terminal& terminal) {
  if (arguments.format == "trace") return trace_of(arguments.source);
  if (!std::filesystem::is_directory(arguments.source)) {
    throw Error(
        fmt::format("{0}: is not the folder of an inference; of recordings, `cuvier infer "
                    "--oracle recording:{0} --out DIR` makes one",
                    arguments.source));
  }
  const InferenceReport report = read_inference(arguments.source, limited_progress(terminal, 0));
  for (const Format& format : of_inferences) {
    if (format.name == arguments.format) return format.text(report);
  }
  return {};
}

int report(const Arguments& arguments) {
  const bool is_page = arguments.format == "html" && arguments.out.empty();
  const std::string out =
      is_page ? (std::filesystem::path(arguments.source) / "report.html").string() : arguments.out;
  if (!out.empty() && !is_page) expect_writable(out);
  Terminal terminal;
  const std::string text = text_of(arguments, terminal);
  if (out.empty()) {
    print(text);
  } else {
    write_file(out, text);
    if (is_page) terminal.print(out + '\n');
  }
  return exit_done;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names = {"trace"};
  for (const Format& format : of_inferences) names.emplace_back(format.name);
  return names;
}

}  // namespace

Run declare_report(CLI::App& app) {
  app.footer(
      "FORMAT is one of:\n"
      "  html      a page for browsers, in one file that needs no network: what the GPU does and\n"
      "            how that is known, what became of each value, every probe on a map of the SMs.\n"
      "            Without --out it is DIR/report.html\n"
      "  json      all of that, for programs\n"
      "  markdown  the verdict, the values and the probes as tables\n"
      "  dot       the decisions as a tree, for Graphviz\n"
      "  trace     Chrome trace events, which ui.perfetto.dev opens: SMs as tracks under their\n"
      "            GPC, blocks as slices, the host's actions above. A step takes a millisecond\n"
      "            there, since recordings know an order and no times. Blocks of which it is not\n"
      "            known where they went are not shown. Of a validation and of files of "
      "recordings\n"
      "            as well\n"
      "\n"
      "Examples:\n"
      "  cuvier report findings/mine\n"
      "  cuvier report findings/mine --format trace --out mine.trace.json\n"
      "\n"
      "Exit codes: 0 done, 2 bad usage or input, or output that cannot be written");
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("DIR", arguments->source, "The folder of an inference")->required()->type_name("");
  app.add_option("--format", arguments->format, "How, see below")
      ->capture_default_str()
      ->check(CLI::IsMember(format_names()))
      ->type_name("FORMAT");
  app.add_option("--out", arguments->out, "Write it to this file instead of standard output")
      ->type_name("OUT");
  return [arguments] { return report(*arguments); };
}

}  // namespace cuvier
