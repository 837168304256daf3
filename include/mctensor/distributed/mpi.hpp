// Processes that mpirun has started. Link mctensor::mpi, which is built if MPI is found.
#pragma once

#include "mctensor/distributed/communicator.hpp"

namespace mct::distributed {

/// The ranks of MPI_COMM_WORLD. If the program has not initialized MPI, the constructor initializes
/// it and the destructor finalizes it. Then no other MpiCommunicator can be made afterwards.
class MpiCommunicator final : public Communicator {
 public:
  MpiCommunicator();
  ~MpiCommunicator() override;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  /// The number of ranks that run on this machine. Collective: all ranks must call it.
  int size_here() const;
  [[noreturn]] void abort(int code) override;

 private:
  std::vector<std::size_t> exchange_counts(const std::vector<std::size_t>& counts) override;
  void exchange(const Sent& from, const Received& to, std::size_t bytes) override;
  void gather(const void* own, std::size_t count, const Received& to, std::size_t bytes) override;
  void send_to_all(int root, void* values, std::size_t count, std::size_t bytes) override;

  bool initialized_here_ = false;
  int rank_ = 0, size_ = 1;
};

}  // namespace mct::distributed
