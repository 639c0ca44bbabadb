// Multi2Sim's timing model of an AMD GPU (Southern Islands) with kernels whose blocks stay until
// they are told to leave. It takes the place of Multi2Sim's main program and of its OpenCL driver,
// and changes nothing of what decides where blocks go: SI::Timing::Run() maps work-groups to
// compute units, and ComputeUnit::UnmapWorkGroup() takes them off again.
//
// Wavefronts fetch nothing, since a fetch buffer of size 0 is always full: so no instruction is
// ever asked for, and a block stays until it is taken off.
//
// Reads and writes the lines of accel-sim/front.cpp.
#include <arch/southern-islands/emulator/Emulator.h>
#include <arch/southern-islands/emulator/NDRange.h>
#include <arch/southern-islands/emulator/WorkGroup.h>
#include <arch/southern-islands/timing/Gpu.h>
#include <arch/southern-islands/timing/Timing.h>

#include <iostream>
#include <map>
#include <set>
#include <sstream>

namespace {

struct Resident {
  SI::WorkGroup* group;
  SI::ComputeUnit* unit;
};

struct Kernel {
  SI::NDRange* range;
  std::map<int, Resident> resident;  // by block
};

std::map<int, Kernel> kernels;  // that have not ended, by their numbers

SI::NDRange* launched(unsigned blocks, unsigned threads, unsigned registers, int shared) {
  SI::NDRange* range = SI::Emulator::getInstance()->addNDRange();
  unsigned all = blocks * threads;
  range->SetupSize(&all, &threads, 1);
  range->setNumVgprUsed(registers);
  range->setLocalMemTop(shared);
  for (unsigned block = 0; block < blocks; ++block) range->AddWorkgroupIdToWaitingList(block);
  return range;
}

/// The compute unit whose wavefront pool a work-group was given.
SI::ComputeUnit* unit_of(const SI::WorkGroup* group) {
  return group->wavefront_pool->getComputeUnit();
}

void say_what_started(int number, Kernel& kernel) {
  for (auto group = kernel.range->getWorkGroupsBegin(); group != kernel.range->getWorkGroupsEnd();
       ++group) {
    const int block = (*group)->getId();
    if (kernel.resident.count(block)) continue;
    SI::ComputeUnit* unit = unit_of(group->get());
    kernel.resident[block] = {group->get(), unit};
    std::cout << "start " << number << ' ' << block << ' ' << unit->getIndex() << '\n';
  }
}

/// A cycle maps all that has room; another sees which kernels are over.
void settle() {
  for (int cycle = 0; cycle < 2; ++cycle) {
    SI::Timing::getInstance()->Run();
    for (auto& kernel : kernels) say_what_started(kernel.first, kernel.second);
  }
  for (auto kernel = kernels.begin(); kernel != kernels.end();) {
    SI::NDRange* range = kernel->second.range;
    if (!range->isWaitingWorkGroupsEmpty() || !range->isRunningWorkGroupsEmpty()) {
      ++kernel;
      continue;
    }
    SI::Emulator::getInstance()->RemoveNDRange(range);
    std::cout << "done " << kernel->first << '\n';
    kernel = kernels.erase(kernel);
  }
  std::cout << "settled" << std::endl;
}

}  // namespace

int main() {
  SI::ComputeUnit::fetch_buffer_size = 0;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string what;
    int number = 0;
    words >> what >> number;
    if (what == "launch") {
      unsigned blocks = 0, threads = 0, registers = 0;
      int shared = 0;
      words >> blocks >> threads >> registers >> shared;
      kernels[number] = {launched(blocks, threads, registers, shared), {}};
    } else if (what == "release") {
      Kernel& kernel = kernels.at(number);
      for (int block = 0; words >> block; kernel.resident.erase(block)) {
        const Resident& resident = kernel.resident.at(block);
        resident.unit->UnmapWorkGroup(resident.group);
      }
    } else if (what == "forget") {
      SI::NDRange* range = kernels.at(number).range;
      while (!range->isWaitingWorkGroupsEmpty()) range->GetWaitingWorkGroup();
      range->setLastWorkgroupSent(true);
    } else if (what == "settle") {
      settle();
    }
  }
}
