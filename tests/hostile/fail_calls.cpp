// Preloaded: one call fails. ROUTH_FAIL=KIND:N lets the N-th call of that kind (malloc, write, open, rename, fsync),
// counted from 1 and from main on, fail with ENOMEM, ENOSPC, EMFILE, EACCES or EIO. With ROUTH_FAIL_COUNT=FILE the
// numbers of calls are written there at the end.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace {

enum Kind { memory, writing, opening, renaming, syncing, kinds };
constexpr const char* names[kinds] = {"malloc", "write", "open", "rename", "fsync"};
constexpr int codes[kinds] = {ENOMEM, ENOSPC, EMFILE, EACCES, EIO};

std::atomic<bool> begun{false};
std::atomic<long> calls[kinds];
int wanted = kinds;
long number = 0;

bool fails(Kind kind) {
  if (!begun) return false;
  if (++calls[kind] != number || kind != wanted) return false;
  errno = codes[kind];
  return true;
}

template <class Function>
Function* next(Function*& known, const char* name) {
  if (known == nullptr) {
    void* found = dlsym(RTLD_NEXT, name);
    std::memcpy(&known, &found, sizeof found);
  }
  return known;
}

int open_any(const char* path, int flags, va_list more) {
  const bool makes = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  const unsigned mode = makes ? va_arg(more, unsigned) : 0;
  return fails(opening) ? -1 : static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

using Main = int(int, char**, char**);
Main* real_main = nullptr;

int counted_main(int count, char** words, char** variables) {
  const char* what = std::getenv("ROUTH_FAIL");
  for (int k = 0; what != nullptr && k < kinds; ++k) {
    const size_t length = std::strlen(names[k]);
    if (std::strncmp(what, names[k], length) != 0 || what[length] != ':') continue;
    wanted = k;
    number = std::strtol(what + length + 1, nullptr, 10);
  }
  begun = true;
  return real_main(count, words, variables);
}

void tell_counts() {
  begun = false;
  const char* path = std::getenv("ROUTH_FAIL_COUNT");
  std::FILE* file = path != nullptr ? std::fopen(path, "w") : nullptr;
  if (file == nullptr) return;
  for (int k = 0; k < kinds; ++k) std::fprintf(file, "%s %ld\n", names[k], calls[k].load());
  std::fclose(file);
}

}  // namespace

extern "C" {

void* malloc(size_t size) noexcept { return fails(memory) ? nullptr : __libc_malloc(size); }
void* calloc(size_t count, size_t size) noexcept { return fails(memory) ? nullptr : __libc_calloc(count, size); }
void* realloc(void* old, size_t size) noexcept { return fails(memory) ? nullptr : __libc_realloc(old, size); }
void* aligned_alloc(size_t alignment, size_t size) noexcept {
  return fails(memory) ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** to, size_t alignment, size_t size) noexcept {
  if (fails(memory)) return ENOMEM;
  *to = __libc_memalign(alignment, size);
  return *to == nullptr ? ENOMEM : 0;
}

ssize_t write(int file, const void* from, size_t size) {
  return fails(writing) ? -1 : syscall(SYS_write, file, from, size);
}
ssize_t pwrite(int file, const void* from, size_t size, off_t at) {
  return fails(writing) ? -1 : syscall(SYS_pwrite64, file, from, size, at);
}
ssize_t pwrite64(int file, const void* from, size_t size, off64_t at) { return pwrite(file, from, size, at); }
size_t fwrite(const void* from, size_t size, size_t count, std::FILE* to) {
  static decltype(&fwrite) known = nullptr;
  return to == stdout && fails(writing) ? 0 : next(known, "fwrite")(from, size, count, to);
}

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const int file = open_any(path, flags, more);
  va_end(more);
  return file;
}
int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const int file = open_any(path, flags, more);
  va_end(more);
  return file;
}
int mkostemp(char* pattern, int flags) {
  static decltype(&mkostemp) known = nullptr;
  return fails(opening) ? -1 : next(known, "mkostemp")(pattern, flags);
}
int mkostemp64(char* pattern, int flags) { return mkostemp(pattern, flags); }
std::FILE* fopen(const char* path, const char* mode) {
  static decltype(&fopen) known = nullptr;
  return fails(opening) ? nullptr : next(known, "fopen")(path, mode);
}
int rename(const char* from, const char* to) noexcept {
  static int (*known)(const char*, const char*) = nullptr;
  return fails(renaming) ? -1 : next(known, "rename")(from, to);
}
int fsync(int file) { return fails(syncing) ? -1 : static_cast<int>(syscall(SYS_fsync, file)); }
int fdatasync(int file) { return fails(syncing) ? -1 : static_cast<int>(syscall(SYS_fdatasync, file)); }

int __libc_start_main(Main* main, int count, char** words, void (*init)(), void (*fini)(), void (*rtld_fini)(),
                      void* stack_end) {
  static int (*known)(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*) = nullptr;
  real_main = main;
  std::atexit(tell_counts);
  return next(known, "__libc_start_main")(counted_main, count, words, init, fini, rtld_fini, stack_end);
}
}
