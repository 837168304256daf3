#include "mctensor/distributed/mpi.hpp"

#include <mpi.h>

#include <climits>
#include <cstdlib>
#include <string>

#include "mctensor/error.hpp"

namespace mct::distributed {
namespace {

int as_int(std::size_t count) {
  if (count > std::size_t(INT_MAX))
    throw DomainError("MPI: " + std::to_string(count) +
                      " values at once, at most 2^31 - 1 are possible");
  return int(count);
}

/// Counts and where they begin, as MPI wants them.
struct Layout {
  std::vector<int> counts, begins;

  explicit Layout(std::span<const std::size_t> sizes, std::span<const std::size_t> places = {}) {
    std::size_t begin = 0;
    for (std::size_t r = 0; r < sizes.size(); ++r) {
      if (!places.empty()) begin = places[r];
      counts.push_back(as_int(sizes[r]));
      begins.push_back(as_int(begin));
      begin += sizes[r];
      static_cast<void>(as_int(begin));
    }
  }
};

/// Values of so many bytes, which are passed on as they are: all processes are of one kind.
class Value {
 public:
  explicit Value(std::size_t bytes) {
    MPI_Type_contiguous(int(bytes), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
  }
  Value(const Value&) = delete;
  Value& operator=(const Value&) = delete;
  ~Value() { MPI_Type_free(&type_); }
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace

// Errors of MPI itself end all processes: that is how MPI_COMM_WORLD is set up, and nothing else is
// certain once a process is gone.
MpiCommunicator::MpiCommunicator() {
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized == 0) {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    initialized_here_ = true;
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

MpiCommunicator::~MpiCommunicator() {
  if (initialized_here_) MPI_Finalize();
}

int MpiCommunicator::size_here() const {
  MPI_Comm here = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &here);
  int size = 1;
  MPI_Comm_size(here, &size);
  MPI_Comm_free(&here);
  return size;
}

void MpiCommunicator::abort(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

std::vector<std::size_t> MpiCommunicator::exchange_counts(const std::vector<std::size_t>& counts) {
  if (counts.size() != std::size_t(size_))
    throw DomainError("MPI: " + std::to_string(counts.size()) + " parts for " +
                      std::to_string(size_) + " ranks");
  std::vector<std::size_t> received(counts.size());
  MPI_Alltoall(counts.data(), sizeof(std::size_t), MPI_BYTE, received.data(), sizeof(std::size_t),
               MPI_BYTE, MPI_COMM_WORLD);
  return received;
}

void MpiCommunicator::exchange(const Sent& from, const Received& to, std::size_t bytes) {
  const Value value(bytes);
  const Layout sent(from.counts, from.begins);
  const Layout received(to.counts, to.begins);
  MPI_Alltoallv(from.values, sent.counts.data(), sent.begins.data(), value.get(), to.values,
                received.counts.data(), received.begins.data(), value.get(), MPI_COMM_WORLD);
}

void MpiCommunicator::gather(const void* own, std::size_t count, const Received& to,
                             std::size_t bytes) {
  const Value value(bytes);
  const Layout received(to.counts);
  const auto* const place = static_cast<const char*>(to.values) +
                            std::size_t(received.begins[std::size_t(rank_)]) * bytes;
  const void* const sent = own == place ? MPI_IN_PLACE : own;
  MPI_Allgatherv(sent, as_int(count), value.get(), to.values, received.counts.data(),
                 received.begins.data(), value.get(), MPI_COMM_WORLD);
}

void MpiCommunicator::send_to_all(int root, void* values, std::size_t count, std::size_t bytes) {
  const Value value(bytes);
  MPI_Bcast(values, as_int(count), value.get(), root, MPI_COMM_WORLD);
}

}  // namespace mct::distributed
