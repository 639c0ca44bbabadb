#pragma once

#include <string>
#include <vector>

#include "verify/fields.h"
#include "verify/recording.h"

namespace cuvier::verify {

constexpr int most_in_files = 1000000000;

/// Of warps with these slots.
std::vector<int> subpartitions_of(std::vector<int> slots);

// All throw Unreadable.
Device device_from(Field fields);
/// `fields`: of an object with kernels and script beside others.
Probe probe_from(Field& fields, const Device& device);
int kernel_named(const Probe& probe, const Field& name);
Journal read_journal(const std::string& path);

}  // namespace cuvier::verify
