#include "routh/record/hdf5_file.h"

#include <hdf5.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "routh/record/hdf5_driver.h"
#include "routh/record/hdf5_types.h"
#include "routh/record/tolerances.h"

namespace routh::internal::hdf {

static_assert(std::is_same_v<hid_t, Id> || sizeof(hid_t) == sizeof(Id));
static_assert(std::is_same_v<herr_t, int>);
static_assert(std::endian::native == std::endian::little, "bytes are copied to and from the file unchanged");

namespace {

std::recursive_mutex& library_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

// HDF5's own sentence for a failed system call holds the system's words: error message = 'No space left on device'.
std::string shortened(const std::string& reason) {
  const std::string mark = "error message = '";
  const std::size_t from = reason.find(mark);
  if (from == std::string::npos) return reason;
  const std::size_t begin = from + mark.size(), end = reason.find('\'', begin);
  return end == std::string::npos ? reason : reason.substr(begin, end - begin);
}

struct Reason {
  std::string innermost;
  bool memory = false;
};

herr_t keep_reason(unsigned depth, const H5E_error2_t* error, void* to) {
  Reason& reason = *static_cast<Reason*>(to);
  if (depth == 0 && error->desc != nullptr) reason.innermost = error->desc;
  reason.memory = reason.memory || error->min_num == H5E_NOSPACE || error->min_num == H5E_CANTALLOC;
  return 0;
}

Handle properties(hid_t kind) { return Handle(H5Pcreate(kind), H5Pclose); }

// Links and attributes inside the object's header, which has a check sum, and no times.
void make_plain(const Handle& list) {
  check(H5Pset_obj_track_times(list.get(), 0), "set properties");
  check(H5Pset_attr_phase_change(list.get(), 64, 48), "set properties");
  check(H5Pset_link_phase_change(list.get(), 64, 48), "set properties");
}

Handle access_properties() {
  Handle list = properties(H5P_FILE_ACCESS);
  check(H5Pset_libver_bounds(list.get(), H5F_LIBVER_V110, H5F_LIBVER_V110), "set properties");
  check(H5Pset_fclose_degree(list.get(), H5F_CLOSE_STRONG), "set properties");
#if H5_VERSION_GE(1, 10, 7)
  // Nobody else knows the temporary name, and readers read finished files: no locks, which some file systems lack.
  check(H5Pset_file_locking(list.get(), 0, 1), "set properties");
#endif
  return list;
}

}  // namespace

Session::Session() : lock_(library_mutex()) {
  static bool known = false;  // the first call makes HDF5 take what it needs for itself
  if (!known) ensure_memory();
  known = true;
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Session::~Session() {
  H5Eclear2(H5E_DEFAULT);
  H5Eset_auto2(H5E_DEFAULT, print_, data_);
}

void ensure_memory() {
  const std::unique_ptr<char, decltype(&std::free)> block(static_cast<char*>(std::malloc(tolerances::hdf5_memory)),
                                                          std::free);
  if (!block) throw OutOfMemory("out of memory");
  *const_cast<volatile char*>(block.get()) = 0;  // or the compiler leaves both calls out
}

Handle::Handle(Id id, Close close) : id_(id), close_(close) { check(id, "open"); }

Handle::Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}

Handle& Handle::operator=(Handle&& other) noexcept {
  reset();
  id_ = std::exchange(other.id_, -1);
  close_ = other.close_;
  return *this;
}

bool Handle::reset() {
  const Id id = std::exchange(id_, -1);
  return id < 0 || close_(id) >= 0;
}

void check(long long code, const char* doing) {
  if (code >= 0) return;
  Reason reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_reason, &reason);
  H5Eclear2(H5E_DEFAULT);
  if (reason.memory) throw OutOfMemory("out of memory");
  throw Failure(reason.innermost.empty() ? std::string("HDF5 cannot ") + doing : shortened(reason.innermost));
}

Handle type_of(Element element) {
  const auto copy = [](hid_t type) { return Handle(H5Tcopy(type), H5Tclose); };
  switch (element.kind) {
    case Kind::float64:
      return copy(H5T_IEEE_F64LE);
    case Kind::int32:
      return copy(H5T_STD_I32LE);
    case Kind::int64:
      return copy(H5T_STD_I64LE);
    case Kind::uint32:
      return copy(H5T_STD_U32LE);
    case Kind::uint8:
      return copy(H5T_STD_U8LE);
    case Kind::text:
      break;
  }
  Handle type = copy(H5T_C_S1);
  check(H5Tset_size(type.get(), element.size), "set the length of a text");
  check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "set the padding of a text");
  check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "set the encoding of a text");
  return type;
}

std::size_t common_size(const std::vector<std::string>& texts) {
  std::size_t size = 1;  // HDF5 knows no text of length zero
  for (const std::string& text : texts) size = std::max(size, text.size());
  return size;
}

std::string packed(const std::vector<std::string>& texts, std::size_t size) {
  std::string bytes;
  bytes.reserve(texts.size() * size);
  for (const std::string& text : texts) bytes += text + std::string(size - text.size(), '\0');
  return bytes;
}

std::vector<std::string> unpacked(const std::string& bytes, std::size_t size) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
    std::string text = bytes.substr(at, size);
    text.resize(text.find_last_not_of('\0') + 1);
    texts.push_back(std::move(text));
  }
  return texts;
}

Node create_file(const std::string& path, WriteTarget& target) {
  const Handle creation = properties(H5P_FILE_CREATE), access = access_properties();
  make_plain(creation);
  write_through(access.get(), target);
  return Node(Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose));
}

void check_written(const WriteTarget& target) {
  if (target.error != 0) throw Failure(std::strerror(target.error));
}

void flush_file(const Node& root) { check(H5Fflush(root.id(), H5F_SCOPE_LOCAL), "write"); }

Node open_file(const std::string& path, WriteTarget& target) {
  const Handle access = access_properties();
  write_through(access.get(), target);
  return Node(Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose));
}

Node Node::create_group(const char* name) {
  const Handle creation = properties(H5P_GROUP_CREATE);
  make_plain(creation);
  return Node(Handle(H5Gcreate2(id(), name, H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Gclose));
}

void check_own(Id node, const char* name) {
  const htri_t there = H5Lexists(node, name, H5P_DEFAULT);
  check(there, "look a name up");
  if (there == 0) throw Failure(std::string("'") + name + "' is missing");
  H5L_info_t info{};
  check(H5Lget_info(node, name, &info, H5P_DEFAULT), "look a name up");
  if (info.type != H5L_TYPE_HARD) throw Failure(std::string("'") + name + "' leads to another place or file");
}

bool Node::has(const char* name) const {
  const htri_t there = H5Lexists(id(), name, H5P_DEFAULT);
  check(there, "look a name up");
  return there > 0;
}

Node Node::group(const char* name) const {
  check_own(id(), name);
  return Node(Handle(H5Gopen2(id(), name, H5P_DEFAULT), H5Gclose));
}

}  // namespace routh::internal::hdf
