#include "probes/gpu/kernel_activity.h"

#include "probes/gpu/failure.h"

#ifdef CUVIER_HAVE_CUPTI

#include <cuda_runtime_api.h>
#include <cupti.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>

namespace cuvier::gpu {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;
constexpr std::size_t buffer_alignment = 8;

struct Record {
  std::uint32_t correlation;  ///< ascends with the launches
  int config;
};

/// CUPTI calls back without a word of ours, from threads of its own.
struct Collected {
  std::mutex mutex;
  std::vector<Record> records;
  decltype(&cuptiActivityGetNextRecord) next_record = nullptr;
  decltype(&cuptiActivityFlushAll) flush = nullptr;
} collected;

void CUPTIAPI buffer_requested(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(buffer_alignment, buffer_bytes));
  *size = *buffer == nullptr ? 0 : buffer_bytes;
  *records = 0;  // as many as fit
}

void CUPTIAPI buffer_completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                               std::size_t valid) {
  const std::lock_guard lock(collected.mutex);
  CUpti_Activity* record = nullptr;
  while (collected.next_record(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) continue;
    const auto* kernel = reinterpret_cast<const CUpti_ActivityKernel10*>(record);
    collected.records.push_back(
        {kernel->correlationId, static_cast<int>(kernel->sharedMemoryExecuted)});
  }
  std::free(buffer);
}

template <class Function>
bool resolve(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

void record_configs() {
  // The name with its major version: the records' layout is that of our headers.
  const std::string name = "libcupti.so." + std::to_string(CUDART_VERSION / 1000);
  void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw Failure(FailureCode::unsupported, std::string("no CUPTI: ") + dlerror());
  }
  decltype(&cuptiActivityRegisterCallbacks) register_callbacks = nullptr;
  decltype(&cuptiActivityEnable) enable = nullptr;
  const bool found = resolve(library, "cuptiActivityRegisterCallbacks", register_callbacks) &&
                     resolve(library, "cuptiActivityEnable", enable) &&
                     resolve(library, "cuptiActivityGetNextRecord", collected.next_record) &&
                     resolve(library, "cuptiActivityFlushAll", collected.flush);
  if (!found || register_callbacks(buffer_requested, buffer_completed) != CUPTI_SUCCESS ||
      enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != CUPTI_SUCCESS) {
    throw Failure(FailureCode::unsupported, "CUPTI refuses kernel records");
  }
  // The library stays loaded: its threads call back until the end.
}

std::vector<int> take_configs() {
  collected.flush(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  const std::lock_guard lock(collected.mutex);
  std::ranges::sort(collected.records, {}, &Record::correlation);
  std::vector<int> configs;
  for (const Record& record : collected.records) configs.push_back(record.config);
  collected.records.clear();
  return configs;
}

}  // namespace cuvier::gpu

#else

namespace cuvier::gpu {

void record_configs() { throw Failure(FailureCode::unsupported, "built without CUPTI"); }

std::vector<int> take_configs() { return {}; }

}  // namespace cuvier::gpu

#endif
