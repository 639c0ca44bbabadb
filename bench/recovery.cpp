// Planted mechanisms at full size: Algorithm 1, every single-axis change of it, and random
// points of the space on devices of several sizes. What is not recovered is listed last.

#include "bench/options.h"
#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
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
  const std::vector<Device> sizes{small_device(2),  small_device(8),          small_device(14),
                                  small_device(40), find_device("rtx2080ti"), find_device("h200")};
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
                         {"--fresh", "200", "random probes on which each survivor is compared"},
                         {"--seed", "1", "of points and inferences"},
                         {"--only", "-1", "the number of one point to run"},
                         {"--part", "0", "of --parts: for several processes"},
                         {"--parts", "1", "every how many points are taken"}});
  Rng rng(options.number("--seed"));
  const std::vector<Point> points = points_of(options, rng);
  fmt::print("{} points, seed {}\n", points.size(), options.text("--seed"));
  std::vector<std::string> failed;
  int tried = 0;
  int most_probes = 0;
  double seconds = 0;
  for (int i = 0; i < static_cast<int>(points.size()); ++i) {
    const int only = options.number("--only");
    if (only >= 0 ? i != only : i % options.number("--parts") != options.number("--part")) continue;
    const auto& [device, planted] = points[i];
    const Recovery recovery =
        recover(device, planted, options.number("--seed") * 1000 + i, options.number("--fresh"));
    const std::string line =
        fmt::format("{} {}, {}: {}", i, device.name, describe(planted), describe(recovery));
    fmt::print("{} {}\n", recovery.good() ? "good" : "BAD ", line);
    std::fflush(stdout);
    ++tried;
    most_probes = std::max(most_probes, recovery.finding.probes);
    seconds += recovery.finding.seconds;
    if (!recovery.good()) failed.push_back(line);
  }
  fmt::print("\n{} of {} recovered; at most {} probes; {:.1f} s on average\n",
             tried - static_cast<int>(failed.size()), tried, most_probes,
             seconds / std::max(1, tried));
  for (const std::string& line : failed) fmt::print("not recovered: {}\n", line);
  return failed.empty() ? 0 : 1;
}
