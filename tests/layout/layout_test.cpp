#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/layout/source.h"

namespace {

using ::testing::IsEmpty;

/// The arrows: whose headers each folder may see. Those within solver/ are in its CMakeLists.txt.
const std::map<std::string, Names> arrows = {
    {"verify", {"verify"}},
    {"probes", {"probes"}},
    {"hypotheses", {"probes", "hypotheses"}},
    {"corpus", {"probes", "corpus"}},
    {"solver", {"probes", "hypotheses", "corpus", "solver"}},
    {"uses", {"probes", "hypotheses", "corpus", "solver", "uses"}},
    {"reports", {"probes", "hypotheses", "corpus", "solver", "uses", "reports"}},
    {"cli", {"verify", "probes", "hypotheses", "corpus", "solver", "uses", "reports", "cli"}},
    {"python", {"probes", "hypotheses", "corpus", "solver", "uses", "reports", "python"}},
    {"bench", {"probes", "hypotheses", "corpus", "solver", "uses", "reports", "tests", "bench"}},
    {"tests",
     {"verify", "probes", "hypotheses", "corpus", "solver", "uses", "reports", "cli", "tests"}},
};

/// Those within reports/: whose headers each component may see beside its own.
const std::map<std::string, Names> folders_of_reports = {
    {"document", {}},
    {"finding", {"document"}},
    {"placements", {"document"}},
    {"model", {"document", "finding"}},
    {"certificate", {"document", "finding"}},
    {"inference", {"document", "finding", "certificate"}},
    {"invention", {"document", "finding", "inference"}},
    {"comparison", {"document", "finding", "placements"}},
    {"audit", {"document", "finding", "comparison"}},
    {"port", {"document", "finding", "comparison"}},
    {"fleet", {"document", "comparison"}},
    {"uses", {"document", "finding", "model", "placements"}},
};

/// Libraries that are the business of some folders alone.
struct Confined {
  std::string header;                ///< how the name in <...> begins
  std::vector<std::string> folders;  ///< how the path of a file that may include it begins
};
const std::vector<Confined> confined = {
    {"z3", {"solver/smt/"}},    {"cuda", {"probes/gpu/"}}, {"cupti", {"probes/gpu/"}},
    {"nvrtc", {"probes/gpu/"}}, {"nvml", {"probes/gpu/"}}, {"CLI/", {"cli/", "bench/"}},
    {"pybind11", {"python/"}},
};

constexpr int max_lines = 400;

/// Sources that have no header of their own.
struct Headerless {
  std::string path;      ///< how it begins
  std::string declared;  ///< the header with what they define; empty: they are programs
};
const std::vector<Headerless> headerless = {
    {"bench/", ""},
    {"cli/main.cpp", ""},
    {"cli/", "cli/command.h"},
    {"corpus/imports/", "corpus/imports/imports.h"},
    {"hypotheses/named.cpp", "hypotheses/assumptions.h"},
    {"probes/families/", "probes/families/families.h"},
    {"probes/gpu/main.cpp", ""},
    {"probes/gpu/self_test.cpp", "probes/gpu/modes.h"},
    {"probes/gpu/topology.cpp", "probes/gpu/modes.h"},
    {"probes/mutate.cpp", "probes/family.h"},
    {"probes/recording.cpp", "probes/fact.h"},
    {"python/", "python/module.h"},
    {"reports/audit/", "reports/audit/audit_report.h"},
    {"reports/comparison/", "reports/comparison/comparison_report.h"},
    {"reports/document/page_", "reports/document/page.h"},
    {"reports/finding/other_maps_report.cpp", "reports/finding/finding_page.h"},
    {"reports/inference/inference_page.cpp", "reports/inference/inference_report.h"},
    {"reports/model/", "reports/model/model_report.h"},
    {"reports/placements/", "reports/placements/placements_report.h"},
    {"reports/port/", "reports/port/port_report.h"},
    {"reports/invention/challenge.cpp", "reports/invention/invention_questions.h"},
    {"reports/invention/corrected_inference.cpp", "reports/invention/invention_questions.h"},
    {"reports/uses/", "reports/uses/uses_report.h"},
    {"solver/diagnosis/map_candidates.cpp", "solver/diagnosis/other_maps.h"},
    {"solver/invention/keys_by_case.cpp", "solver/invention/key_table.h"},
    {"solver/invention/keys_in_most.cpp", "solver/invention/key_table.h"},
    {"solver/invention/marked_placements.cpp", "solver/invention/placements.h"},
    {"solver/invention/one_condition.cpp", "solver/invention/placements.h"},
    {"solver/invention/orders_of_kernels.cpp", "solver/invention/placements.h"},
    {"solver/invention/placement_keys.cpp", "solver/invention/key_table.h"},
    {"solver/invention/preferred_sms.cpp", "solver/invention/placements.h"},
    {"solver/invention/condition_forms.cpp", "solver/invention/formula_search.h"},
    {"solver/invention/two_way_forms.cpp", "solver/invention/formula_search.h"},
    {"solver/proof/batches_proof.cpp", "solver/proof/choice_proof.h"},
    {"solver/proof/key_changes.cpp", "solver/proof/choice_proof.h"},
    {"solver/proof/", "solver/proof/sm_proofs.h"},
    {"uses/cubin.cpp", "uses/compiler_report.h"},
    {"verify/batches.cpp", "verify/scheduler.h"},
    {"verify/choice.cpp", "verify/scheduler.h"},
    {"verify/clusters.cpp", "verify/scheduler.h"},
    {"verify/journal.cpp", "verify/recording.h"},
    {"verify/main.cpp", ""},
    {"verify/numbering.cpp", "verify/scheduler.h"},
    {"verify/passes.cpp", "verify/scheduler.h"},
    {"verify/probe.cpp", "verify/recording.h"},
    {"verify/shared_memory.cpp", "verify/sm_rules.h"},
    {"verify/votes.cpp", "verify/recording.h"},
    {"verify/warps.cpp", "verify/sm_rules.h"},
};

/// Path -> why it may be longer.
const std::map<std::string, std::string> long_sources = {};

/// What is wrong with this file including this header, if anything is.
std::optional<std::string> fault_of(const std::string& path, const Include& include) {
  if (include.quoted) {
    const std::string target = first_folder(include.header);
    if (!arrows.contains(target)) return "is not written from the root";
    if (!arrows.at(first_folder(path)).contains(target)) return "is against the arrows";
    return std::nullopt;
  }
  for (const auto& [header, folders] : confined) {
    if (include.header.starts_with(header) &&
        std::ranges::none_of(folders, [&](const auto& it) { return path.starts_with(it); })) {
      return "belongs in " + folders.front() + ", not here";
    }
  }
  if (include.header.starts_with("boost/graph") && !path.ends_with(".cpp")) {
    return "belongs in a .cpp file";
  }
  return std::nullopt;
}

TEST(Layout, SeesTheSources) {
  EXPECT_TRUE(std::ranges::any_of(sources(), [](const Source& source) {
    return source.path == "probes/probe.h" && !source.includes.empty();
  }));
}

TEST(Layout, KnowsAFaultWhenItSeesOne) {
  const auto quoted = [](const std::string& header) { return Include{header, true}; };
  const auto angled = [](const std::string& header) { return Include{header, false}; };
  EXPECT_TRUE(fault_of("probes/probe.cpp", quoted("solver/x.h")));
  EXPECT_TRUE(fault_of("hypotheses/axes/x.cpp", quoted("corpus/x.h")));
  EXPECT_TRUE(fault_of("solver/x.cpp", quoted("reports/x.h")));
  EXPECT_TRUE(fault_of("solver/x.cpp", quoted("x.h")));
  EXPECT_TRUE(fault_of("hypotheses/x.cpp", angled("z3++.h")));
  EXPECT_TRUE(fault_of("solver/proof/x.cpp", angled("z3++.h")));
  EXPECT_TRUE(fault_of("probes/x.cpp", angled("cuda_runtime.h")));
  EXPECT_TRUE(fault_of("reports/x.cpp", angled("CLI/CLI.hpp")));
  EXPECT_TRUE(fault_of("solver/x.h", angled("boost/graph/adjacency_list.hpp")));

  EXPECT_FALSE(fault_of("reports/x.cpp", quoted("solver/x.h")));
  EXPECT_FALSE(fault_of("solver/smt/x.cpp", angled("z3++.h")));
  EXPECT_FALSE(fault_of("probes/gpu/x.cu", angled("cuda_runtime.h")));
  EXPECT_FALSE(fault_of("bench/x.h", angled("CLI/CLI.hpp")));
  EXPECT_FALSE(fault_of("solver/x.cpp", angled("boost/graph/adjacency_list.hpp")));

  EXPECT_FALSE(parse_include("// see probes/probe.h"));
  EXPECT_EQ(parse_include("#  include \"probes/probe.h\"  // why")->header, "probes/probe.h");
}

TEST(Layout, IncludesFollowTheArrows) {
  std::vector<std::string> faults;
  for (const Source& source : sources()) {
    for (const Include& include : source.includes) {
      if (const auto fault = fault_of(source.path, include)) {
        faults.push_back(source.path + ": " + include.header + " " + *fault);
      }
    }
  }
  EXPECT_THAT(faults, IsEmpty());
}

TEST(Layout, RoomsOfReportsFollowTheirArrows) {
  const auto component_of = [](const std::string& path) {
    return path.starts_with("reports/") ? first_folder(path.substr(8)) : "";
  };
  std::vector<std::string> faults;
  for (const Source& source : sources()) {
    const std::string component = component_of(source.path);
    if (component.empty()) continue;
    if (!folders_of_reports.contains(component)) {
      faults.push_back(source.path + ": is in no component");
      continue;
    }
    for (const Include& include : source.includes) {
      const std::string seen = component_of(include.header);
      if (seen.empty() || seen == component || folders_of_reports.at(component).contains(seen))
        continue;
      faults.push_back(source.path + ": " + include.header + " is against the arrows");
    }
  }
  EXPECT_THAT(faults, IsEmpty());
}

TEST(Layout, JsonFromOutsideHasOneReader) {
  const std::vector<std::string> may_parse = {
      "probes/json_fields.cpp",
      "solver/smt/smt_query.cpp",  // what our own child process writes
      "verify/fields.cpp",         // the checker shares no line with what it checks
  };
  std::vector<std::string> faults;
  for (const Source& source : sources()) {
    const bool parses = source.contains("Json::parse(") || source.contains("json::parse(");
    const bool is_ours = !source.path.starts_with("tests/") &&
                         std::ranges::find(may_parse, source.path) == may_parse.end();
    if (parses && is_ours) faults.push_back(source.path);
  }
  EXPECT_THAT(faults, IsEmpty());
}

/// Around hypotheses/axis_reader.h, a component could read an axis of another's part.
TEST(Layout, ComponentsReadAxesThroughTheirReader) {
  std::vector<std::string> faults;
  for (const Source& source : sources()) {
    if (source.path.starts_with("hypotheses/") && source.path != "hypotheses/axis_reader.h" &&
        source.contains("reading_.template ")) {
      faults.push_back(source.path);
    }
  }
  EXPECT_THAT(faults, IsEmpty());
}

TEST(Layout, SourcesAreShort) {
  std::vector<std::string> faults;
  for (const Source& source : sources()) {
    if (std::ssize(source.lines) > max_lines && !long_sources.contains(source.path)) {
      faults.push_back(source.path + ": " + std::to_string(source.lines.size()) + " lines");
    }
  }
  for (const auto& [path, reason] : long_sources) {
    const auto found = std::ranges::find(sources(), path, &Source::path);
    if (found == sources().end() || std::ssize(found->lines) <= max_lines) {
      faults.push_back(path + ": needs no exception");
    }
  }
  EXPECT_THAT(faults, IsEmpty());
}

TEST(Layout, SourcesHaveTheirHeaders) {
  Names paths;
  for (const Source& source : sources()) paths.insert(source.path);
  std::vector<std::string> faults;
  for (const Source& source : sources()) {
    if (!source.path.ends_with(".cpp") || first_folder(source.path) == "tests") continue;
    std::string header = source.path.substr(0, source.path.rfind('.')) + ".h";
    if (!paths.contains(header)) {
      const auto exception = std::ranges::find_if(
          headerless, [&](const Headerless& h) { return source.path.starts_with(h.path); });
      if (exception == headerless.end()) {
        faults.push_back(source.path + ": no header of its own");
        continue;
      }
      if (exception->declared.empty()) continue;
      header = exception->declared;
    }
    const bool included =
        std::ranges::find(source.includes, header, &Include::header) != source.includes.end();
    if (!included) faults.push_back(source.path + ": does not include " + header);
  }
  EXPECT_THAT(faults, IsEmpty());
}

/// The libraries that a source sees, also by way of our headers.
Names libraries_seen_by(const std::string& path) {
  static const std::map<std::string, const Source*> by_path = [] {
    std::map<std::string, const Source*> all;
    for (const Source& source : sources()) all.emplace(source.path, &source);
    return all;
  }();
  Names libraries;
  Names seen;
  std::vector<std::string> open = {path};
  while (!open.empty()) {
    const auto source = by_path.find(open.back());
    open.pop_back();
    if (source == by_path.end() || !seen.insert(source->first).second) continue;
    for (const Include& include : source->second->includes) {
      if (include.quoted) {
        open.push_back(include.header);
      } else {
        libraries.insert(include.header);
      }
    }
  }
  return libraries;
}

/// Of what is precompiled (cmake/CuvierTargets.cmake): without that, it would not compile.
TEST(Layout, SourcesIncludeWhatTheyUse) {
  const std::map<std::string, std::string> header_of = {
      {"fmt::", "fmt/"},
      {"nlohmann::", "nlohmann/json"},
      {"std::filesystem", "filesystem"},
      {"std::function<", "functional"},
      {"std::map<", "map"},
      {"std::optional<", "optional"},
      {"std::set<", "set"},
      {"std::unique_ptr<", "memory"},
  };
  for (const Source& source : sources()) {
    if (source.path.starts_with("tests/layout/")) continue;  // which names them
    const Names seen = libraries_seen_by(source.path);
    for (const auto& [used, header] : header_of) {
      if (!source.contains(used)) continue;
      const auto is_it = [&](const std::string& each) { return each.starts_with(header); };
      EXPECT_TRUE(std::ranges::any_of(seen, is_it))
          << source.path << " uses " << used << " and does not include <" << header << ">";
    }
  }
}

TEST(Layout, HeadersAreGuardedAndOpenNoNamespaceForOthers) {
  std::vector<std::string> faults;
  for (const Source& source : sources()) {
    if (!source.is_header()) continue;
    if (!source.contains("#pragma once")) faults.push_back(source.path + ": no #pragma once");
    if (source.contains("using namespace")) faults.push_back(source.path + ": using namespace");
  }
  EXPECT_THAT(faults, IsEmpty());
}

TEST(Layout, LibrariesLiveInOurNamespace) {
  std::vector<std::string> faults;
  for (const Source& source : sources()) {
    const std::string folder = first_folder(source.path);
    const bool in_library = folder != "cli" && folder != "tests" && folder != "bench" &&
                            !source.path.starts_with("probes/gpu/") &&
                            source.path != "verify/main.cpp";
    if (in_library && !source.contains("namespace cuvier")) {
      faults.push_back(source.path + ": no namespace cuvier");
    }
  }
  EXPECT_THAT(faults, IsEmpty());
}

}  // namespace
