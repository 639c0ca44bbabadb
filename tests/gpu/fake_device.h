#pragma once

#include "tests/gpu/fake_gpu.h"
#include "tests/gpu/manners.h"

namespace cuvier::gpu {

/// The one fake GPU, as the environment has it (see fake_cuda.cpp).
FakeGpu& fake();

/// And how it behaves.
Manners& manners();

/// Compute capability: 90 for sm_90.
int capability();

inline constexpr int first_with_clusters = 90;

/// GPCs and TPCs, which a runner has to find out: TPCs are dealt out to GPCs in turn.
inline constexpr int gpcs = 8;
constexpr int gpc_of(int sm) { return sm / 2 % gpcs; }

}  // namespace cuvier::gpu
