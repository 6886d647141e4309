#include "distribute.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "messages.h"

namespace routh {

namespace {

constexpr auto nap = std::chrono::microseconds(200);  // between looks at the mail
constexpr int under_way = 2;                          // assignments a rank holds, so that it never waits for the next
constexpr std::size_t most_bytes = std::size_t{1} << 30;
// Each rank computes about that many portions in all: enough to balance, few enough to spare rank 0.
constexpr std::uint64_t portions_per_rank = 200;
constexpr std::uint64_t most_blocks = 256;

// The share of rank 0 in the computing, on a thread of its own: this thread alone speaks MPI.
class OwnWorker {
 public:
  explicit OwnWorker(const Study& study) : thread_([this, &study] { work(study); }) {}
  ~OwnWorker() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }
  OwnWorker(const OwnWorker&) = delete;
  OwnWorker& operator=(const OwnWorker&) = delete;

  void give(const Assignment& assignment) {
    {
      const std::lock_guard lock(mutex_);
      asked_.push_back(assignment);
    }
    wake_.notify_all();
  }
  // Portions that are done. Throws what computing them threw.
  std::deque<Portion> take() {
    const std::lock_guard lock(mutex_);
    if (thrown_) std::rethrow_exception(thrown_);
    return std::exchange(done_, {});
  }

 private:
  void work(const Study& study) {
    try {
      StudyWorker worker(study);
      std::unique_lock lock(mutex_);
      while (true) {
        wake_.wait(lock, [&] { return over_ || !asked_.empty(); });
        if (over_) return;
        const Assignment next = asked_.front();
        asked_.pop_front();
        lock.unlock();
        Portion portion = worker.compute(next.first_block, next.blocks);
        lock.lock();
        done_.push_back(std::move(portion));
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      thrown_ = std::current_exception();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Assignment> asked_;
  std::deque<Portion> done_;
  std::exception_ptr thrown_;
  bool over_ = false;
  std::thread thread_;
};

class Leader {
 public:
  Leader(const Study& study, StudyKeeper& keeper) : study_(study), keeper_(keeper), own_(study) {
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    next_ = keeper.totals().next_block();
    const std::uint64_t left = study.blocks() - next_;
    size_ = std::clamp<std::uint64_t>(left / (portions_per_rank * static_cast<std::uint64_t>(ranks_)), 1, most_blocks);
    if (study.table) size_ = std::min(size_, std::max<std::uint64_t>(1, (16u << 20) / row_bytes()));
    window_ = 64 * static_cast<std::uint64_t>(ranks_) * size_;
    held_.resize(static_cast<std::size_t>(ranks_));
  }

  Ended run(const std::function<bool()>& stop, const std::function<void(const StudyTotals&)>& progress) {
    bool stopped = false;
    while (true) {
      stopped = stopped || stop();
      if (!stopped) hand_out();
      if (given_ == 0) break;
      if (!collect()) std::this_thread::sleep_for(nap);
      progress(keeper_.totals());
    }
    for (int rank = 1; rank < ranks_; ++rank) send_assignment({}, rank);
    return keeper_.totals().complete() ? Ended::complete : Ended::stopped;
  }

 private:
  std::uint64_t row_bytes() const {
    return study_.block_size() * (study_.parameters.size() + study_.measures.size() + 1) * sizeof(double);
  }

  // Nobody runs too far ahead of what is joined: what waits for its turn is kept in memory.
  void hand_out() {
    for (int round = 0; round < under_way; ++round)
      for (int rank = ranks_ - 1; rank >= 0; --rank) {
        if (next_ >= study_.blocks() || next_ > keeper_.totals().next_block() + window_) return;
        int& held = held_[static_cast<std::size_t>(rank)];
        if (held > round) continue;
        const Assignment assignment{next_, std::min(size_, study_.blocks() - next_)};
        next_ += assignment.blocks;
        if (rank == 0)
          own_.give(assignment);
        else
          send_assignment(assignment, rank);
        ++held;
        ++given_;
      }
  }

  // Whether anything came.
  bool collect() {
    bool came = false;
    for (Portion& portion : own_.take()) {
      take(std::move(portion), 0);
      came = true;
    }
    for (int k = 0; k < 4 * ranks_; ++k) {
      int waiting = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, tag_portion, MPI_COMM_WORLD, &waiting, &status);
      if (!waiting) break;
      take(portion_from_bytes(receive_bytes(status)), status.MPI_SOURCE);
      came = true;
    }
    return came;
  }

  void take(Portion portion, int rank) {
    --held_[static_cast<std::size_t>(rank)];
    --given_;
    keeper_.add(std::move(portion));
  }

  const Study& study_;
  StudyKeeper& keeper_;
  OwnWorker own_;
  int ranks_ = 1;
  std::uint64_t next_ = 0, size_ = 1, window_ = 0;
  std::vector<int> held_;
  int given_ = 0;
};

}  // namespace

Ended lead(const Study& study, StudyKeeper& keeper, const std::function<bool()>& stop,
           const std::function<void(const StudyTotals&)>& progress) {
  return Leader(study, keeper).run(stop, progress);
}

void follow(const Study& study) {
  StudyWorker worker(study);
  while (true) {
    Assignment assignment;
    MPI_Recv(&assignment, static_cast<int>(sizeof assignment), MPI_BYTE, 0, tag_assignment, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    if (assignment.blocks == 0) return;
    const std::string bytes = to_bytes(worker.compute(assignment.first_block, assignment.blocks));
    if (bytes.size() > most_bytes) throw RuntimeFailure("a portion is too large for a message");
    MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, 0, tag_portion, MPI_COMM_WORLD);
  }
}

}  // namespace routh
