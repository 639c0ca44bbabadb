#include "cli/slurm.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

#include "cli/process.h"
#include "probes/error.h"
#include "probes/mapped.h"

namespace cuvier {
namespace {

/// What a command prints: rows of fields with | between them.
std::vector<std::vector<std::string>> rows_of(const std::vector<std::string>& command) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(output_of(command));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    auto& row = rows.emplace_back();
    for (std::string field; std::getline(fields, field, '|');) row.push_back(field);
  }
  return rows;
}

/// "gpu:2", "gpu:a100:4(S:0-1),gpu:v100:2": how many these are.
int gpus_in(const std::string& gres) {
  static const std::regex some("gpu(:[^:,()]+)?:([0-9]+)");
  int gpus = 0;
  for (std::sregex_iterator at(gres.begin(), gres.end(), some), end; at != end; ++at) {
    gpus += std::stoi((*at)[2]);
  }
  return gpus;
}

}  // namespace

std::vector<FleetNode> slurm_nodes(const std::string& partition, const std::string& list) {
  if (!is_installed("sinfo")) {
    throw Error(
        "sinfo, of Slurm, is not on the PATH; submit where Slurm is, or use this machine's GPUs "
        "with --local N");
  }
  std::vector<std::string> sinfo = {"sinfo", "-h", "-N", "-o", "%N|%G"};
  if (!partition.empty()) sinfo.push_back("--partition=" + partition);
  if (!list.empty()) sinfo.push_back("--nodes=" + list);
  std::map<std::string, int> gpus;  // a node is listed for each of its partitions
  for (const auto& row : rows_of(sinfo)) {
    const int count = row.size() > 1 ? gpus_in(row[1]) : 0;
    if (count > 0) gpus[row[0]] = count;
  }
  return mapped(gpus, [](const auto& node) { return FleetNode{node.first, node.second}; });
}

std::vector<SlurmTask> slurm_tasks(const std::vector<std::string>& jobs) {
  std::vector<SlurmTask> tasks;
  if (jobs.empty() || !is_installed("squeue")) return tasks;
  for (const auto& row : rows_of(
           {"squeue", "-h", "-r", fmt::format("--name={}", fleet_job_name), "-o", "%F|%T|%r"})) {
    const bool is_ours = row.size() == 3 && std::ranges::find(jobs, row[0]) != jobs.end();
    if (is_ours) tasks.push_back({row[0], row[1], row[2]});
  }
  return tasks;
}

std::string slurm_submit(const std::vector<std::string>& options, const std::string& script) {
  std::vector<std::string> sbatch = {"sbatch", "--parsable",
                                     fmt::format("--job-name={}", fleet_job_name)};
  std::ranges::copy(options, std::back_inserter(sbatch));
  sbatch.push_back(script);
  const std::string said = output_of(sbatch);  // "17", or "17;cluster"
  return said.substr(0, said.find_first_of(";\n"));
}

}  // namespace cuvier
