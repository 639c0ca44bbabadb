#include "probes/gpu/contention.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "probes/gpu/checks/checks.h"
#include "probes/gpu/cuda_check.h"

namespace cuvier::gpu {

CheckResult check_contention(int subpartitions) {
  ContentionReport* report = nullptr;
  ContentionReport* target = nullptr;
  cudaStream_t stream = nullptr;
  watched("allocate memory for contention's report", [&] {
    return cudaHostAlloc(reinterpret_cast<void**>(&report), sizeof *report, cudaHostAllocMapped);
  });
  *report = {};
  check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&target), report, 0), "map memory");
  watched("create a stream",
          [&] { return cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking); });
  void* arguments[] = {&target};
  watched("launch the contention kernel", [&] {
    return cudaLaunchKernel(contention_kernel(), dim3(1), dim3(contenders * 32), arguments, 0,
                            stream);
  });
  watched("run the contention kernel", [&] { return cudaStreamSynchronize(stream); });

  std::uint32_t together = std::numeric_limits<std::uint32_t>::max();  // least, of one residue
  std::uint32_t apart = 0;                                             // most, of two
  nlohmann::ordered_json pairs = nlohmann::ordered_json::array();
  for (int i = 0; i < contenders; ++i) {
    for (int j = i + 1; j < contenders; ++j) {
      const std::uint32_t cycles = report->cycles[i][j];
      const bool same =
          report->warp_slot[i] % subpartitions == report->warp_slot[j] % subpartitions;
      (same ? together : apart) = same ? std::min(together, cycles) : std::max(apart, cycles);
      pairs.push_back({report->warp_slot[i], report->warp_slot[j], cycles});
    }
  }
  // Half as much again is far from both what is expected (twice) and what noise does.
  const bool ok = report->done == 1 && apart > 0 && together > apart + apart / 2;
  return {{"ok", ok},
          {"least_cycles_of_one_residue", together},
          {"most_cycles_of_two_residues", apart},
          {"sm", report->sm},
          {"slot_slot_cycles", std::move(pairs)}};
}

}  // namespace cuvier::gpu
