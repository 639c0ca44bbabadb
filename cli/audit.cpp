#include "solver/audit/audit.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/terminal.h"
#include "reports/audit/audit_report.h"
#include "reports/document/json_text.h"
#include "reports/document/report_file.h"
#include "reports/document/words.h"
#include "solver/cancellation/task.h"

namespace cuvier {
namespace {

struct AuditArguments {
  std::vector<std::string> files;
  std::vector<std::string> assumptions;
  std::string model = "algorithm-1";
  std::string page;
  ComparisonOptions options;
  double time_limit_s = 0;
  bool json = false;
};

/// A formula of the model is one of the values, where the axis is not restricted.
void consider_formulas_of(const Hypothesis& model, const Device& device, Assumptions& assumptions) {
  const Assumptions all = Assumptions::all(device);
  for (int axis = 0; axis < kAxes; ++axis) {
    const int value = model.values[axis];
    if (value < named_values(axis)) continue;
    const std::uint32_t its = std::uint32_t{1} << value;
    if ((assumptions.allowed[axis] | its) == (all.allowed[axis] | its)) {
      assumptions.allowed[axis] |= its;
    }
  }
}

int audit_recordings(const AuditArguments& arguments, Terminal& terminal) {
  const std::vector<RecordingSet> sets = read_sets(arguments.files);
  const Device& device = sets.front().device;
  Assumptions assumptions = read_assumptions(arguments.assumptions, device);
  const Hypothesis model = read_hypothesis(arguments.model, device);
  tell_of_another_gpu(arguments.model, device);
  consider_formulas_of(model, device, assumptions);
  const Task task = terminal.task(arguments.time_limit_s);
  try {
    ComparisonOptions options = arguments.options;
    if (const double limit = arguments.time_limit_s; limit > 0) {
      options.seconds = std::min(options.seconds, limit);
      options.limits.seconds = std::min(options.limits.seconds, limit);
    }
    const Audit result = audit(sets, model, assumptions, options, task, [&](const AxisAudit& axis) {
      terminal.aside(
          fmt::format("{}: {}", value_words(axis.axis, axis.assumed), words_of(axis.support)));
    });
    const Page page = audit_page(result);
    terminal.print(arguments.json
                       ? json_text(report_file("audit", audit_json(result), page), 2) + '\n'
                       : shown(page) + fmt::format("\ntook {}\n", duration_words(result.seconds)));
    if (!arguments.page.empty()) write_page(arguments.page, page);
    if (result.refuted || !result.wrong.empty()) return exit_refuted;
    return result.cut_short.empty() ? exit_done : exit_ambiguous;
  } catch (const GaveUp& gave_up) {
    const std::string verdict = fmt::format("undecided: {}", gave_up.what());
    const Page page = undecided_audit_page(device, model, verdict);
    terminal.print((arguments.json
                        ? json_text(report_file("audit", {{"verdict", verdict}}, page), 2)
                        : verdict) +
                   '\n');
    return exit_code(Verdict::undecided);
  }
}

void declare_audit(Options& options, AuditArguments& arguments) {
  add_recordings(options, arguments.files);
  options.add("--model HYPOTHESIS", arguments.model, "The model whose assumptions are audited");
  add_assumptions(options, arguments.assumptions,
                  "Take it for granted that an axis has one of these values; may be repeated");
  options.output("--page PAGE", arguments.page,
                 "Write the whole audit to this file, for browsers if it ends in .html, else in "
                 "Markdown");
  options.seed(arguments.options.seed);
  options.time_limit(arguments.time_limit_s);
  options.json(arguments.json, "Print it for programs, and for `cuvier report`");
  options.progress();
}

}  // namespace

Command audit_command() {
  return {"audit",
          "What recordings support of a model, and what they contradict",
          R"(Says of every assumption of a model what the recordings make of it:
  supported            every other value of its axis is refuted, and by what
  supported, given the rest
                       the same as long as no other axis is changed with it
  untested             another value explains everything as well; --page has the probe
                       that would tell them apart
  contradicted         the model's own value is refuted, and which holds instead
  ruled out by --assume, not by a fact
                       what you take for granted excludes the model's value
  taken for granted    --assume leaves no other value (only --page and --json list these)
  makes no difference  it changes nothing, or no probe shows it, which is proved
  undecided            of some other value it is not known whether it changes anything
and how small a probe shows what changing it would do. Where no hypothesis explains all
recordings, shows the fewest that none explains together, the hypothesis that explains
most, and what that gets wrong. The page comes at the end; until then a line on standard
error says of each assumption what is known of it, as soon as it is.)",
          R"(  cuvier audit corpus/table2.jsonl
  cuvier audit --model algorithm-1-as-printed corpus/table2.jsonl --page audit.md
  cuvier audit --model findings/mine/model.json findings/mine/journal.jsonl)",
          {{exit_done, "the model explains everything"},
           {exit_ambiguous, "it does, but Ctrl-C or --time-limit ended the audit before its end"},
           {exit_refuted, "refuted: the model does not"},
           {exit_undecided, "undecided: a solver gave up"}},
          with(declare_audit, audit_recordings)};
}

}  // namespace cuvier
