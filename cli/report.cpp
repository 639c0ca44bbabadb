#include <filesystem>

#include "cli/command.h"
#include "probes/an_error.h"
#include "probes/json_fields.h"
#include "reports/certificate/certificate.h"
#include "reports/document/json_text.h"
#include "reports/document/page.h"
#include "reports/document/report_file.h"
#include "reports/document/write_file.h"
#include "reports/inference/inference_report.h"
#include "reports/placements/placements_report.h"

namespace cuvier {
namespace {

namespace fs = std::filesystem;

struct ReportArguments {
  std::string source;
  std::string format = "html";
  std::string out;
};

/// A port's folder stands for the inference in it, the last one.
std::string source_of(const std::string& source) {
  for (const char* const name : {"inference-by-map", "inference"}) {
    const fs::path inference = fs::path(source) / name;
    if (fs::is_directory(inference)) return inference.string();
  }
  return source;
}

/// A folder stands for what was recorded in it.
std::string recordings_of(const std::string& source) {
  if (!fs::is_directory(source)) return source;
  return (fs::path(source) / "journal.jsonl").string();
}

/// A result in each of its forms.
struct Report {
  nlohmann::ordered_json json;
  Page page;
  nlohmann::ordered_json for_browsers;
};

std::string written(const Report& report, const std::string& format) {
  if (format == "json") return json_text(report.json, 1) + '\n';
  return format == "html" ? report_html(report.for_browsers, report.page)
                          : page_markdown(report.page);
}

/// The report of a validation, where that is what the folder holds; "" where it is no such folder.
std::string saved_in(const std::string& source) {
  if (!fs::is_directory(source)) return source;
  const std::string saved = (fs::path(source) / "validation.json").string();
  return fs::exists(saved) ? saved : "";
}

std::string text_of(const std::string& source, const std::string& format, Terminal& terminal) {
  if (format == "trace") {
    return json_text(trace_json(read_recordings(recordings_of(source)))) + '\n';
  }
  if (source.ends_with(".jsonl")) {
    throw an_error(
        "{0}: recordings have --format trace alone; `cuvier audit {0} --json` and `cuvier infer "
        "--oracle recording:{0} --out DIR` make reports of them",
        source);
  }
  if (const std::string saved = saved_in(source); !saved.empty()) {
    const auto json = parse_json(read_file(saved), saved);
    const Page page = page_of_report(json, saved);
    return written({json, page, page_json(page)}, format);
  }
  if (!fs::exists(model_file(source))) {
    throw an_error(
        "{}: no inference ended here, and no validation; of a port there is a report "
        "once its inference has ended",
        source);
  }
  const InferenceReport inference = read_inference(source, terminal.task());
  const auto json = report_json(inference);
  return written({json, inference_page(inference), json}, format);
}

/// In the folder, or beside the file.
std::string page_path(const std::string& source) {
  return fs::is_directory(source) ? (fs::path(source) / "report.html").string()
                                  : fs::path(source).replace_extension(".html").string();
}

int report(const ReportArguments& arguments, Terminal& terminal) {
  const bool is_page = arguments.format == "html" && arguments.out.empty();
  const std::string source = source_of(arguments.source);
  const std::string out = is_page ? page_path(source) : arguments.out;
  const std::string text = text_of(source, arguments.format, terminal);
  if (out.empty()) {
    terminal.print(text);
  } else {
    write_file(out, text);
    if (is_page) terminal.print(out + '\n');
  }
  return exit_done;
}

void declare_report(Options& options, ReportArguments& arguments) {
  options.add("SOURCE", arguments.source, "What it is about, see below");
  options.choice("--format FORMAT", arguments.format, {"trace", "html", "json", "markdown"},
                 "The format, see below");
  options.output("--out OUT", arguments.out, "Write it to this file instead of standard output");
  options.progress();
}

}  // namespace

Command report_command() {
  return {"report",
          "A result as a page, or as data for other tools",
          R"(SOURCE is one of:
  DIR         the folder of an inference, of a validation, or of a port: of its inference
  FILE.json   what audit, validate, distinguish or simulate said with --json
  FILE.jsonl  recordings; of these there is a trace

FORMAT is one of:
  html      a page for browsers, in one file that needs no network: what was found and how
            that is known, probes on a map of the SMs. Without --out it is
            DIR/report.html or FILE.html
  json      all of that, for programs
  markdown  the same as tables
  trace     Chrome trace events, which ui.perfetto.dev opens: SMs as tracks under their
            GPC, blocks as slices, the host's actions above. A step takes a millisecond
            there, since recordings know an order and no times. Blocks of which it is not
            known where they went are not shown)",
          R"(  cuvier report findings/mine
  cuvier report findings/mine --format trace --out mine.trace.json
  cuvier audit corpus/table2.jsonl --json >table2.json; cuvier report table2.json)",
          {},
          with(declare_report, report)};
}

}  // namespace cuvier
