// Many items, shared among threads: the one loop of this kind, for maps, recordings and the batches of Python. Studies,
// whose items come in an order that is kept, have TBB's pipeline.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace routh::internal {

struct SharedItems {
  std::size_t count = 0;
  std::size_t chunk = 1;    // how many are taken at a time
  std::size_t threads = 1;  // fewer work where no more can be had
};

// Calls work(worker, first, last) for every chunk first … last − 1 of the items, and go_on(worker, done) after each,
// with the number of items done by all; once that is false no further chunk is begun. Worker 0 is the calling thread.
// Each call may write only what belongs to its items or its worker. Returns whether all items were done.
//
// Chunks are taken in rising order, and one once begun is finished unless it throws. So when any item throws, the first
// one that throws has been reached, too, and it is the one that comes out: the same with any number of threads.
bool share_items(const SharedItems& items,
                 const std::function<void(std::size_t worker, std::size_t first, std::size_t last)>& work,
                 const std::function<bool(std::size_t worker, std::size_t done)>& go_on);

// call(k) for k = 0 … count − 1, until `stop`, if there is one, is set.
bool for_each_index(std::size_t count, int threads, const std::atomic<bool>* stop,
                    const std::function<void(std::size_t)>& call);

}  // namespace routh::internal
