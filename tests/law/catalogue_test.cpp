// The published catalogues: every neighbour is in them, and what they show is so.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "hypotheses/neighbours.h"
#include "probes/json_fields.h"
#include "solver/minimise/minimise.h"
#include "tests/law/planted.h"

namespace cuvier {
namespace {

class PublishedCatalogue : public ::testing::TestWithParam<const char*> {};

TEST_P(PublishedCatalogue, HasEveryNeighbourWithAProbeThatShowsIt) {
  const Device device = find_device(GetParam());
  const std::string folder =
      std::string(CUVIER_SOURCE_DIR "/docs/generated/catalogue/") + GetParam();
  const auto table = parse_json(read_file(folder + "/table.json"), "table.json");
  std::map<std::string, std::string> results;
  for (const auto& row : table["rows"]) results[row["change"]] = row["result"];

  Rng rng(table["seed"].get<std::uint64_t>());
  int different = 0;
  for (const Hypothesis& changed : single_axis_changes(device, {}, rng)) {
    std::string change = differences({}, changed);
    ASSERT_TRUE(results.contains(change)) << change;
    if (results[change] != "different") {
      EXPECT_EQ(results[change], "equivalent") << change;
      continue;
    }
    ++different;
    std::ranges::replace(change, '=', '-');
    const std::string path = folder + "/" + change + ".json";
    const Probe probe = probe_from_json(parse_json(read_file(path), path), path);
    validate(probe, device, path);
    Simulator under_a(device, {});
    Simulator under_b(device, changed);
    EXPECT_FALSE(placements(under_a, probe) == placements(under_b, probe)) << path;
  }
  EXPECT_GT(different, 50);
}

/// A sample of what `docs/remake catalogue/rtx3090` writes.
TEST(RemadeCatalogue, IsThePublishedOne) {
  const Device device = find_device("rtx3090");
  for (const std::string change : {"tie_break=linear", "selection=first_fit", "config_scope=sm"}) {
    std::string name = change;
    std::ranges::replace(name, '=', '-');
    const std::string path =
        CUVIER_SOURCE_DIR "/docs/generated/catalogue/rtx3090/" + name + ".json";
    const Probe published = probe_from_json(parse_json(read_file(path), path), path);
    const Hypothesis changed = hypothesis_from_text(change);
    auto remade = compare(device, {}, changed, {}).distinction;
    ASSERT_TRUE(remade);
    make_smaller(*remade, device, {}, changed, ComparisonOptions{}.seed, {});
    EXPECT_TRUE(same_question(remade->probe, published))
        << path << ": docs/remake catalogue/rtx3090 makes it anew";
  }
}

INSTANTIATE_TEST_SUITE_P(Of, PublishedCatalogue, ::testing::Values("rtx3090", "h200"));

}  // namespace
}  // namespace cuvier
