/* Preloaded: one call fails. ROUTH_FAIL=KIND:N lets the N-th call of that kind (malloc, write, open,
   rename, fsync), counted from 1 and from main on, fail with ENOMEM, ENOSPC, EMFILE, EACCES or EIO; KIND:N+ all from the
   N-th on. With ROUTH_FAIL_COUNT=FILE the numbers of calls are written there at the end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum Kind { MALLOC, WRITE, OPEN, RENAME, FSYNC, KINDS };
static const char* const names[KINDS] = {"malloc", "write", "open", "rename", "fsync"};
static const int codes[KINDS] = {ENOMEM, ENOSPC, EMFILE, EACCES, EIO};

static atomic_int begun;
static atomic_long calls[KINDS];
static int wanted = KINDS;
static long number;
static int onwards;

static int fails(enum Kind kind) {
  if (!atomic_load(&begun)) return 0;
  const long call = atomic_fetch_add(&calls[kind], 1) + 1;
  if ((int)kind != wanted || !(call == number || (onwards && call > number))) return 0;
  errno = codes[kind];
  return 1;
}

#define NEXT(type, name, ...)                                       \
  static type (*next)(__VA_ARGS__);                                 \
  if (next == NULL) *(void**)(&next) = dlsym(RTLD_NEXT, #name)

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);
void* malloc(size_t size) { return fails(MALLOC) ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return fails(MALLOC) ? NULL : __libc_calloc(count, size); }
void* realloc(void* old, size_t size) { return fails(MALLOC) ? NULL : __libc_realloc(old, size); }
void* aligned_alloc(size_t alignment, size_t size) { return fails(MALLOC) ? NULL : __libc_memalign(alignment, size); }
void* memalign(size_t alignment, size_t size) { return fails(MALLOC) ? NULL : __libc_memalign(alignment, size); }
int posix_memalign(void** to, size_t alignment, size_t size) {
  if (fails(MALLOC)) return ENOMEM;
  *to = __libc_memalign(alignment, size);
  return *to == NULL ? ENOMEM : 0;
}

ssize_t write(int file, const void* from, size_t size) {
  if (fails(WRITE)) return -1;
  return syscall(SYS_write, file, from, size);
}
ssize_t pwrite(int file, const void* from, size_t size, off_t at) {
  if (fails(WRITE)) return -1;
  return syscall(SYS_pwrite64, file, from, size, at);
}
ssize_t pwrite64(int file, const void* from, size_t size, off64_t at) { return pwrite(file, from, size, at); }
size_t fwrite(const void* from, size_t size, size_t count, FILE* to) {
  NEXT(size_t, fwrite, const void*, size_t, size_t, FILE*);
  return to == stdout && fails(WRITE) ? 0 : next(from, size, count, to);
}
static int open_any(int folder, const char* path, int flags, va_list more) {
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  return (int)syscall(SYS_openat, folder, path, flags, mode);
}
#define OPENS(name)                           \
  int name(const char* path, int flags, ...) { \
    va_list more;                             \
    va_start(more, flags);                    \
    const int file = fails(OPEN) ? -1 : open_any(AT_FDCWD, path, flags, more); \
    va_end(more);                             \
    return file;                              \
  }
OPENS(open)
OPENS(open64)
int mkostemp(char* pattern, int flags) {
  NEXT(int, mkostemp, char*, int);
  return fails(OPEN) ? -1 : next(pattern, flags);
}
int mkostemp64(char* pattern, int flags) { return mkostemp(pattern, flags); }
FILE* fopen(const char* path, const char* mode) {
  NEXT(FILE*, fopen, const char*, const char*);
  return fails(OPEN) ? NULL : next(path, mode);
}
int rename(const char* from, const char* to) {
  NEXT(int, rename, const char*, const char*);
  return fails(RENAME) ? -1 : next(from, to);
}
int fsync(int file) { return fails(FSYNC) ? -1 : (int)syscall(SYS_fsync, file); }
int fdatasync(int file) { return fails(FSYNC) ? -1 : (int)syscall(SYS_fdatasync, file); }

static int (*real_main)(int, char**, char**);
static int counted_main(int count, char** words, char** variables) {
  const char* what = getenv("ROUTH_FAIL");
  for (int k = 0; what != NULL && k < KINDS; ++k) {
    const size_t length = strlen(names[k]);
    if (strncmp(what, names[k], length) != 0 || what[length] != ':') continue;
    char* end = NULL;
    wanted = k;
    number = strtol(what + length + 1, &end, 10);
    onwards = *end == '+';
  }
  atomic_store(&begun, 1);
  return real_main(count, words, variables);
}

static void tell_counts(void) {
  const char* path = getenv("ROUTH_FAIL_COUNT");
  atomic_store(&begun, 0);
  FILE* file = path != NULL ? fopen(path, "w") : NULL;
  for (int k = 0; file != NULL && k < KINDS; ++k) fprintf(file, "%s %ld\n", names[k], atomic_load(&calls[k]));
  if (file != NULL) fclose(file);
}

int __libc_start_main(int (*main)(int, char**, char**), int count, char** words, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void* stack_end) {
  NEXT(int, __libc_start_main, int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void),
       void*);
  real_main = main;
  atexit(tell_counts);
  return next(counted_main, count, words, init, fini, rtld_fini, stack_end);
}
