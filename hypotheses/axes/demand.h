#pragma once

#include <algorithm>
#include <array>

#include "hypotheses/axis.h"

namespace cuvier {

/// What a block asks of an SM, and how many there are; a solver may leave it open.
template <class D>
struct Demand {
  typename D::Int warps;      ///< per block
  typename D::Int registers;  ///< per thread
  typename D::Int shared;     ///< dynamic bytes per block
  int max_warps = 0;
  typename D::Int grid{1};   ///< blocks
  typename D::Int local{0};  ///< bytes per thread
};

/// The same for formulas: a rule about blocks may read all of it.
namespace asked {
inline constexpr FormulaName warps{"w", "warps of a block", 1, kMostOfAnSm};
inline constexpr FormulaName registers{"registers", "of a thread", 0, kMostRegisters};
inline constexpr FormulaName bytes{"bytes", "of shared memory that a block asks for", 0,
                                   kMostShared};
inline constexpr std::array all{warps, registers, bytes};
/// Whether one of these has its name.
constexpr bool has(const FormulaName& name) {
  return std::ranges::count(all, name.name, &FormulaName::name) > 0;
}
/// Of its kernel: no rule of an SM's resources reads these.
inline constexpr FormulaName blocks{"blocks", "of its grid", 1, kMostBlocks};
inline constexpr FormulaName priority{"priority", "of the kernel; the lower goes first",
                                      -kMostBlocks, kMostBlocks};
inline constexpr FormulaName grid{"grid", "blocks of the kernel's grid", 1, kMostBlocks};
inline constexpr FormulaName joined{
    "joined", "kernels of the probe that joined the queue before this one", 0, kMostBlocks};
inline constexpr FormulaName local{"local", "bytes of local memory of a thread", 0, kMostLocal};
inline constexpr FormulaName cluster{
    "cluster", "blocks of each of the kernel's clusters; 0: it has none", 0, kMostOfAGroup};
}  // namespace asked

/// What is around an SM. Blocks: another number with each block, wherever it goes.
namespace nearby {
inline constexpr FormulaName sms{"sms", "SMs of the device", 1, kMostSms};
inline constexpr FormulaName gpc{"gpc", "the SM's GPC; GPCs count by their lowest SM", 0,
                                 kMostSms - 1, Needs::gpc_map};
inline constexpr FormulaName place_in_gpc{"place_in_gpc", "SMs of the GPC before this one", 0,
                                          kMostSms - 1, Needs::gpc_map};
inline constexpr FormulaName sms_of_gpc{"sms_of_gpc", "SMs of the GPC", 1, kMostSms,
                                        Needs::gpc_map};
inline constexpr FormulaName gpc_blocks{
    "gpc_blocks", "resident on the SM's GPC", 0, kMostOfAGroup, fleeting, {}, Needs::gpc_map};
inline constexpr FormulaName tpc_blocks{"tpc_blocks", "resident on the SM's TPC", 0, kMostOfAGroup,
                                        fleeting};
inline constexpr FormulaName device_blocks{"device_blocks", "resident on the device", 0,
                                           kMostBlocks, fleeting};
}  // namespace nearby

}  // namespace cuvier
