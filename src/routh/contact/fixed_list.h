// A list of bounded length, within its owner: nothing allocates, and what is not used costs nothing. To fill the room
// with zeros first would cost more than most pairs of shapes do.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace routh::internal {

template <class T, int N>
class FixedList {
  static_assert(std::is_trivially_destructible_v<T> && std::is_trivially_copyable_v<T>);

 public:
  static constexpr int capacity = N;

  FixedList() {}
  FixedList(const FixedList& other) { *this = other; }
  FixedList& operator=(const FixedList& other) {
    clear();
    for (const T& each : other) add(each);
    return *this;
  }

  // Nothing when it is full.
  void add(const T& item) {
    if (count_ < N) std::construct_at(&items_[static_cast<std::size_t>(count_++)], item);
  }
  void clear() { count_ = 0; }

  int size() const { return count_; }
  bool full() const { return count_ == N; }
  T& operator[](int i) { return items_[static_cast<std::size_t>(i)]; }
  const T& operator[](int i) const { return items_[static_cast<std::size_t>(i)]; }
  T* begin() { return items_.data(); }
  T* end() { return items_.data() + count_; }
  const T* begin() const { return items_.data(); }
  const T* end() const { return items_.data() + count_; }
  std::span<const T> span() const { return {items_.data(), static_cast<std::size_t>(count_)}; }

 private:
  int count_ = 0;
  union {
    std::array<T, static_cast<std::size_t>(N)> items_;
  };
};

}  // namespace routh::internal
