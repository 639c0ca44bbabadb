#pragma once

/// How cuvier-gpu ends. Each way in which there is no GPU to ask has a code of its own, so that
/// a script, or somebody with only a log, knows what to mend.
namespace cuvier::gpu {

inline constexpr int exit_done = 0;
inline constexpr int exit_failed_test = 1;
inline constexpr int exit_usage = 2;
inline constexpr int exit_lost = 3;            ///< the device was lost, or something unforeseen
inline constexpr int exit_no_device = 4;       ///< no GPU, or no driver at all
inline constexpr int exit_driver_too_old = 5;  ///< or of another version than its own parts
inline constexpr int exit_not_ready = 6;       ///< the fabric manager has not finished
inline constexpr int exit_no_permission = 7;
inline constexpr int exit_busy = 8;  ///< another process, ours or not, has the GPU
inline constexpr int exit_hung = 9;  ///< a call did not return: the watchdog

}  // namespace cuvier::gpu
