#pragma once

#include <memory>
#include <vector>

namespace cuvier::gpu {

/// CUPTI's kernel records, where its library can be loaded: the shared-memory configuration
/// that each launch ran with. Must exist before the first CUDA call that it is to see.
class KernelActivity {
 public:
  /// Throws Failure(unsupported) where CUPTI is not there or refuses.
  static std::unique_ptr<KernelActivity> open();
  KernelActivity(const KernelActivity&) = delete;
  KernelActivity& operator=(const KernelActivity&) = delete;

  /// Of the kernels that completed since the last call, in launch order: bytes.
  std::vector<int> take_configs();

 private:
  KernelActivity() = default;
};

}  // namespace cuvier::gpu
