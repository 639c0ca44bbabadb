// Planted mechanisms at full size: Algorithm 1, every single-axis change of it, and random
// points of the space on devices of several sizes. What is not recovered is listed last.

#include <algorithm>
#include <map>

#include "bench/options.h"
#include "hypotheses/devices.h"
#include "probes/number_in.h"
#include "tests/law/planted.h"

namespace {

using namespace cuvier;

struct Point {
  Device device;
  Hypothesis planted;
};

std::vector<Point> points_of(const Options& options, Rng& rng) {
  std::vector<Point> points;
  for (const std::string& name : options.list("--devices")) {
    const Device device = find_device(name);
    points.push_back({device, {}});
    for (Hypothesis& changed : single_axis_changes(device, {}, rng)) {
      points.push_back({device, std::move(changed)});
    }
  }
  std::vector<Device> sizes;
  for (const std::string& name : options.list("--on")) {
    const auto sms = number_in<int>(name);
    sizes.push_back(sms && *sms > 0 ? small_device(*sms) : find_device(name));
  }
  for (int i = 0; i < options.number("--random"); ++i) {
    const Device& device = sizes[i % sizes.size()];
    points.push_back({device, random_hypothesis(device, rng)});
  }
  return points;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv, "Recovery of planted mechanisms",
                        {{"--devices", "rtx3090,h200", "for the single-axis changes"},
                         {"--random", "120", "random points"},
                         {"--on", "2,8,14,40,rtx2080ti,h200", "their devices, in turn"},
                         {"--fresh", "200", "random probes on which each survivor is compared"},
                         {"--seed", "1", "of points and inferences"},
                         {"--only", "", "the numbers of the points to run; all by default"},
                         Options::shard()});
  Rng rng(options.number("--seed"));
  const std::vector<Point> points = points_of(options, rng);
  fmt::print("{} points, seed {}\n", points.size(), options.text("--seed"));
  std::vector<std::string> failed;
  std::map<Verdict, int> verdicts;
  std::vector<double> seconds;
  double longest_step = 0;
  int most_probes = 0;
  for (const int i : options.begin_pieces(static_cast<int>(points.size()))) {
    const auto& [device, planted] = points[i];
    const Recovery recovery =
        recover(device, planted, options.number("--seed") * 1000 + i, options.number("--fresh"));
    const std::string line =
        fmt::format("{} {}, {}: {}", i, device.name, describe(planted), describe(recovery));
    const Spent& spent = recovery.finding.spent;
    fmt::print(
        "{} {}, {:.1f} s of CPU, {:.1f} s in the longest step, {:.1f} s of CPU in the dearest "
        "(choosing {:.1f} s, pruning {:.1f} s, proving {:.1f} s){}\n",
        recovery.good() ? "good" : "BAD ", line, recovery.cpu_seconds, recovery.longest_step,
        recovery.dearest_step, spent.choosing, spent.pruning, spent.proving,
        recovery.finding.verdict == Verdict::identified ? "" : "; " + recovery.finding.reason);
    std::fflush(stdout);
    ++verdicts[recovery.finding.verdict];
    most_probes = std::max(most_probes, recovery.finding.probes);
    seconds.push_back(recovery.cpu_seconds);
    longest_step = std::max(longest_step, recovery.longest_step);
    if (!recovery.good()) failed.push_back(line);
  }
  if (seconds.empty()) return 2;
  std::ranges::sort(seconds);
  fmt::print(
      "\n{} of {} recovered; at most {} probes; {:.1f} s of CPU in the median, {:.1f} s at most; "
      "{:.1f} s in the longest step\n",
      seconds.size() - failed.size(), seconds.size(), most_probes, seconds[seconds.size() / 2],
      seconds.back(), longest_step);
  for (const auto& [verdict, points] : verdicts) fmt::print("{}: {}\n", name_of(verdict), points);
  for (const std::string& line : failed) fmt::print("not recovered: {}\n", line);
  return failed.empty() ? 0 : 1;
}
