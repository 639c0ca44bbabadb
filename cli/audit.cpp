#include "solver/audit/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/hypothesis_argument.h"
#include "cli/number_argument.h"
#include "cli/progress.h"
#include "cli/recordings_argument.h"
#include "cli/shown.h"
#include "cli/terminal.h"
#include "reports/audit/audit_json.h"
#include "reports/audit/audit_page.h"
#include "reports/audit/evidence_graph.h"
#include "reports/document/report_file.h"
#include "reports/document/words.h"
#include "reports/document/write_file.h"
#include "solver/ending/gave_up.h"

namespace cuvier {
namespace {

struct Arguments {
  std::vector<std::string> files;
  std::vector<std::string> assumptions;
  std::string model;
  std::string page;
  std::string graph;
  ComparisonOptions options;
  double time_limit_s = 0;
  bool json = false;
};

int audit_recordings(const Arguments& arguments) {
  const std::vector<RecordingSet> sets = read_sets(arguments.files);
  const Device& device = sets.front().device;
  Assumptions assumptions = Assumptions::all(device);
  for (const std::string& text : arguments.assumptions) assumptions.restrict_by(text);
  Hypothesis model = read_hypothesis(arguments.model, device);
  for (const std::string& path : {arguments.page, arguments.graph}) {
    if (!path.empty()) expect_writable(path);
  }
  Terminal terminal;
  const auto doing = limited_progress(terminal, arguments.time_limit_s);
  try {
    ComparisonOptions options = arguments.options;
    if (const double limit = arguments.time_limit_s; limit > 0) {
      options.seconds = std::min(options.seconds, limit);
      options.limits.seconds = std::min(options.limits.seconds, limit);
    }
    const Audit result = audit(sets, model, assumptions, options, doing);
    const Page page = audit_page(result);
    terminal.print(arguments.json
                       ? report_file("audit", audit_json(result), page).dump(2) + '\n'
                       : shown(page) + fmt::format("\ntook {}\n", duration_words(result.seconds)));
    if (!arguments.page.empty()) write_page(arguments.page, page);
    if (!arguments.graph.empty()) write_file(arguments.graph, evidence_graph(result));
    if (result.refuted || !result.wrong.empty()) return exit_refuted;
    return result.cut_short.empty() ? exit_done : exit_ambiguous;
  } catch (const GaveUp& gave_up) {
    const std::string verdict = fmt::format("undecided: {}", gave_up.what());
    const Page page = undecided_audit_page(device, model, verdict);
    terminal.print(
        (arguments.json ? report_file("audit", {{"verdict", verdict}}, page).dump(2) : verdict) +
        '\n');
    return exit_code(Verdict::undecided);
  }
}

}  // namespace

Run declare_audit(CLI::App& app) {
  app.footer(fmt::format(
      "Says of every assumption of a model what the recordings make of it:\n"
      "  supported            every other value of its axis is refuted, and by what\n"
      "  supported, given the rest\n"
      "                       the same as long as no other axis is changed with it\n"
      "  untested             another value explains everything as well; --page has the probe\n"
      "                       that would tell them apart\n"
      "  contradicted         the model's own value is refuted, and which holds instead\n"
      "  ruled out by --assume, not by a fact\n"
      "                       what you take for granted excludes the model's value\n"
      "  taken for granted    --assume leaves no other value (only --page and --json list these)\n"
      "  makes no difference  it changes nothing, or no probe shows it, which is proved\n"
      "  undecided            of some other value it is not known whether it changes anything\n"
      "and how small a probe shows what changing it would do. Where no hypothesis explains all\n"
      "recordings, shows the fewest that none explains together, the hypothesis that explains\n"
      "most, and what that gets wrong.\n"
      "\n"
      "--model is {}\n"
      "\n"
      "Examples:\n"
      "  cuvier audit corpus/table2.jsonl\n"
      "  cuvier audit --model algorithm-1-as-printed corpus/table2.jsonl --page audit.md\n"
      "  cuvier audit --model findings/mine/model.json findings/mine/journal.jsonl \\\n"
      "    --graph evidence.dot\n"
      "\n"
      "Exit codes:\n"
      "   0  the model explains everything\n"
      "  10  it does, but Ctrl-C or --time-limit ended the audit before its end\n"
      "  11  refuted: the model does not\n"
      "  12  undecided: a solver gave up\n"
      "   2  bad usage or input, or output that cannot be written",
      hypothesis_meaning));
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("FILE.jsonl", arguments->files, "Recordings of one device")
      ->required()
      ->type_name("");
  app.add_option("--model", arguments->model, "The model whose assumptions are audited")
      ->type_name("HYPOTHESIS")
      ->default_str("algorithm-1");
  app.add_option("--assume", arguments->assumptions,
                 "Take it for granted that an axis has one of these values; may be repeated")
      ->type_name("AXIS=VALUE[,VALUE...]")
      ->allow_extra_args(false);
  app.add_option("--page", arguments->page,
                 "Write the whole audit to this file, for browsers if it ends in .html, else in "
                 "Markdown")
      ->type_name("PAGE");
  app.add_option("--graph", arguments->graph,
                 "Write which recordings and facts speak against which values, for Graphviz")
      ->type_name("GRAPH.dot");
  app.add_option("--seed", arguments->options.seed, "Of every random choice")
      ->type_name("S")
      ->capture_default_str()
      ->check(seed_number());
  app.add_option("--time-limit", arguments->time_limit_s,
                 "End after about so many seconds, with what is known by then")
      ->type_name("S")
      ->check(seconds_number());
  app.add_flag("--json", arguments->json, "Print it for programs, and for `cuvier report`");
  arguments->model = "algorithm-1";
  return [arguments] { return audit_recordings(*arguments); };
}

}  // namespace cuvier
