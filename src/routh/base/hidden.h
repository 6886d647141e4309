// A member whose type the header only declares: public classes hold internal ones by value without showing them.
//
//   namespace internal { class Factor; }             header
//   Hidden<internal::Factor> factor_;
//   Solver::Solver(int n) : factor_(make_hidden<internal::Factor>(n)) {}      source, where Factor is complete
//
// Copies copy the object, const reaches through. A moved-from one may only be assigned to or destroyed.
#pragma once

#include <memory>
#include <utility>

namespace routh {

template <class T>
class Hidden {
 public:
  using Copy = T* (*)(const T&);
  using Destroy = void (*)(T*);
  Hidden(T* object, Copy copy, Destroy destroy) : object_(object, destroy), copy_(copy) {}

  Hidden(const Hidden& other)
      : object_(other.object_ ? other.copy_(*other.object_) : nullptr, other.object_.get_deleter()),
        copy_(other.copy_) {}
  Hidden(Hidden&&) noexcept = default;
  Hidden& operator=(const Hidden& other) { return *this = Hidden(other); }
  Hidden& operator=(Hidden&&) noexcept = default;
  ~Hidden() = default;

  T& operator*() { return *object_; }
  const T& operator*() const { return *object_; }
  T* operator->() { return object_.get(); }
  const T* operator->() const { return object_.get(); }

 private:
  std::unique_ptr<T, Destroy> object_;
  Copy copy_;
};

template <class T, class... Arguments>
Hidden<T> make_hidden(Arguments&&... arguments) {
  return Hidden<T>(
      new T(std::forward<Arguments>(arguments)...), [](const T& object) { return new T(object); },
      [](T* object) { delete object; });
}

}  // namespace routh
