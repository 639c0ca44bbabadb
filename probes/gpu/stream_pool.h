#pragma once

#include <cuda_runtime_api.h>

#include <optional>
#include <set>
#include <vector>

namespace cuvier::gpu {

/// The streams that probes launch on, all made at the start: to make one while blocks wait at
/// their gates may be to wait for the device. Streams share a few connections to the device, and
/// a kernel may wait for what was launched before it on another stream of its connection. So the
/// first streams of all priorities are made in turn, their connections are found out by trying,
/// and a probe's streams have one each as far as there are enough. Lives until the process ends,
/// as CudaDevice does.
class StreamPool {
 public:
  /// Of priorities from 0 to `highest`; of 0 one more than kernels can be resident.
  StreamPool(int highest, int resident_kernels);

  int count(int priority) const;

  /// For a probe that begins: all are free.
  void free_all();

  /// One that is free; nothing where none is left. While connections are to be found, one of which
  /// it is not known.
  std::optional<cudaStream_t> take(int priority);

  /// The priorities of the streams whose connection is to be found, in the order in which they are
  /// taken.
  std::vector<int> to_connect() const;

  /// Of these `shares` says which have one connection: the first, and any others.
  void connect(const std::vector<bool>& shares);

  /// How many connections were found, and of how many streams.
  int connections() const { return connections_; }
  int connected() const;

 private:
  struct Stream {
    cudaStream_t stream = nullptr;
    int priority = 0;
    bool is_first = false;          ///< of those whose connection is to be found
    std::optional<int> connection;  ///< as they are found
    bool taken = false;
  };

  static bool is_to_connect(const Stream& stream) { return stream.is_first && !stream.connection; }

  std::vector<Stream> streams_;  ///< in the order in which they were made
  std::set<int> in_use_;         ///< connections of streams that are taken
  int connections_ = 0;
};

}  // namespace cuvier::gpu
