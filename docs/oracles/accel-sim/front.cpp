// Accel-Sim with kernels whose blocks stay until they are told to leave. It takes the place of
// Accel-Sim's main program and changes nothing of what decides where blocks go: kernels are
// launched, cycles are run, and each core tells what it was given.
//
// A block that has started is done with its instructions at once, but waits for the acknowledgement
// of a store, and an SM gives nothing back before that. So it costs no time to simulate, and all
// blocks of a release leave in one cycle.
//
// Reads lines: "launch KERNEL BLOCKS THREADS REGISTERS SHARED", "release KERNEL BLOCK...", "forget
// KERNEL" (its blocks that wait) and "settle". The last is answered by "start KERNEL BLOCK SM" for
// each block that started, "done KERNEL" for each kernel that ended, and "settled". Arguments:
// Accel-Sim's own (-config FILE ..., -gpgpu_... VALUE).
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>

#include "accel-sim.h"

namespace {

/// What happened since the last "settled".
struct Log {
  FILE* out;
  std::map<unsigned, kernel_info_t*> kernels;
  std::map<unsigned, unsigned> kernel_of_uid;
  std::map<std::pair<unsigned, unsigned>, std::vector<shd_warp_t*>>
      warps;  // of each resident block of a kernel
  bool started = false;
} told;

class Core : public trace_shader_core_ctx {
 public:
  using trace_shader_core_ctx::trace_shader_core_ctx;

  void init_warps(unsigned slot, unsigned first_thread, unsigned end_thread, unsigned block,
                  int threads, kernel_info_t& kernel) override {
    if (end_thread > m_config->n_thread_per_shader)
      std::abort();  // it gave warps that the SM has not
    shader_core_ctx::init_warps(slot, first_thread, end_thread, block, threads, kernel);
    const unsigned id = told.kernel_of_uid.at(kernel.get_uid());
    std::vector<shd_warp_t*>& warps = told.warps[{id, block}];
    for (unsigned thread = first_thread; thread < end_thread; ++thread) {
      const unsigned slot_of_warp = thread / m_config->warp_size;
      auto* warp = static_cast<trace_shd_warp_t*>(m_warp[slot_of_warp]);
      if (warps.empty() || warps.back() != warp) {
        warp->clear();
        warp->set_kernel(static_cast<trace_kernel_info_t*>(&kernel));
        warp->inc_store_req();
        warps.push_back(warp);
        m_barriers.warp_exit(slot_of_warp);
      }
      warp->set_completed(thread % m_config->warp_size);
    }
    std::fprintf(told.out, "start %u %u %u\n", id, block, m_sid);
    told.started = true;
  }
};

class Cluster : public simt_core_cluster {
 public:
  Cluster(gpgpu_sim* gpu, unsigned id, const shader_core_config* config,
          const memory_config* memory, shader_core_stats* stats, memory_stats_t* memory_stats)
      : simt_core_cluster(gpu, id, config, memory, stats, memory_stats) {
    create_shader_core_ctx();
  }

  void create_shader_core_ctx() override {
    m_core = new shader_core_ctx*[m_config->n_simt_cores_per_cluster];
    for (unsigned i = 0; i < m_config->n_simt_cores_per_cluster; ++i) {
      m_core[i] = new Core(m_gpu, this, m_config->cid_to_sid(i, m_cluster_id), m_cluster_id,
                           m_config, m_mem_config, m_stats);
      m_core_sim_order.push_back(i);
    }
  }
};

class Gpu : public gpgpu_sim {
 public:
  Gpu(const gpgpu_sim_config& config, gpgpu_context* context) : gpgpu_sim(config, context) {
    createSIMTCluster();
  }

  void createSIMTCluster() override {
    m_cluster = new simt_core_cluster*[m_shader_config->n_simt_clusters];
    for (unsigned i = 0; i < m_shader_config->n_simt_clusters; ++i) {
      m_cluster[i] =
          new Cluster(this, i, m_shader_config, m_memory_config, m_shader_stats, m_memory_stats);
    }
  }
};

/// A GPU of this configuration, as Accel-Sim sets one up.
std::unique_ptr<Gpu> made(gpgpu_context& context, trace_config& traces, int argc,
                          const char** argv) {
  option_parser_t options = option_parser_create();
  context.ptx_reg_options(options);
  context.func_sim->ptx_opcocde_latency_options(options);
  icnt_reg_options(options);
  auto* config = new gpgpu_sim_config(&context);
  context.the_gpgpusim->g_the_gpu_config = config;
  config->reg_options(options);
  traces.reg_options(options);
  option_parser_cmdline(options, argc, argv);
  config->init();
  auto gpu = std::make_unique<Gpu>(*config, &context);
  context.the_gpgpusim->g_the_gpu = gpu.get();
  gpu->init();
  traces.parse_config();
  return gpu;
}

}  // namespace

int main(int argc, const char** argv) {
  told.out = fdopen(dup(STDOUT_FILENO), "w");
  dup2(STDERR_FILENO, STDOUT_FILENO);  // what the simulator itself has to say
  gpgpu_context context;
  trace_config traces;
  const std::unique_ptr<Gpu> gpu = made(context, traces, argc, argv);
  trace_parser no_traces;
  kernel_trace_t header("/dev/null #.traceg");  // the simulator reads it by a shell: no instruction
                                                // is ever asked of it
  header.binary_verion = 70;                    // one that it knows
  header.cuda_stream_id = 0;

  // The interconnect takes turns over a few cycles, and a cluster is given one block a cycle: this
  // many without any, and no more come.
  constexpr int quiet = 8;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string what;
    unsigned kernel = 0;
    words >> what >> kernel;
    if (what == "launch") {
      unsigned blocks = 0, threads = 0;
      gpgpu_ptx_sim_info needs;
      words >> blocks >> threads >> needs.regs >> needs.smem;
      auto* function = new trace_function_info(needs, &context);
      function->set_name("probe");
      auto* info = new trace_kernel_info_t(dim3(blocks), dim3(threads), function, &no_traces,
                                           &traces, &header);
      told.kernels[kernel] = info;
      told.kernel_of_uid[info->get_uid()] = kernel;
      gpu->launch(info);
    } else if (what == "release") {
      for (unsigned block = 0; words >> block;) {
        const auto found = told.warps.find({kernel, block});
        for (shd_warp_t* warp : found->second) warp->dec_store_req();
        told.warps.erase(found);
      }
    } else if (what == "forget") {
      gpu->set_kernel_done(told.kernels.at(kernel));
    } else if (what == "settle") {
      for (int still = 0; still < quiet; still = told.started ? 0 : still + 1) {
        told.started = false;
        gpu->cycle();
        while (const unsigned uid = gpu->finished_kernel())
          std::fprintf(told.out, "done %u\n", told.kernel_of_uid.at(uid));
      }
      std::fprintf(told.out, "settled\n");
      std::fflush(told.out);
    }
  }
}
