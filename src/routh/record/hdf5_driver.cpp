#include "routh/record/hdf5_driver.h"

#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "routh/record/hdf5_types.h"

namespace routh::internal::hdf {

namespace {

// HDF5 takes a driver's file by the address of its first member.
struct OpenFile {
  H5FD_t base{};
  WriteTarget* target = nullptr;
  haddr_t allocated = 0, end = 0;
};

OpenFile* file_of(H5FD_t* base) { return reinterpret_cast<OpenFile*>(base); }
const OpenFile* file_of(const H5FD_t* base) { return reinterpret_cast<const OpenFile*>(base); }

H5FD_t* open_target(const char*, unsigned, hid_t access, haddr_t) {
  const void* info = H5Pget_driver_info(access);
  if (info == nullptr) return nullptr;
  auto file = std::make_unique<OpenFile>();
  file->target = *static_cast<WriteTarget* const*>(info);
  struct stat status {};
  if (fstat(file->target->descriptor, &status) != 0) {
    file->target->error = errno;
    return nullptr;
  }
  file->end = static_cast<haddr_t>(status.st_size);
  return reinterpret_cast<H5FD_t*>(file.release());
}

herr_t close_target(H5FD_t* base) {
  delete file_of(base);
  return 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t get_allocated(const H5FD_t* base, H5FD_mem_t) { return file_of(base)->allocated; }

herr_t set_allocated(H5FD_t* base, H5FD_mem_t, haddr_t address) {
  file_of(base)->allocated = address;
  return 0;
}

haddr_t get_end(const H5FD_t* base, H5FD_mem_t) { return file_of(base)->end; }

// What of the bytes could not be written lies over what is in the file.
void lay_over(const WriteTarget& target, haddr_t address, std::size_t size, char* buffer) {
  for (const auto& [at, bytes] : target.unwritten) {
    const haddr_t from = std::max<haddr_t>(at, address), to = std::min<haddr_t>(at + bytes.size(), address + size);
    if (from < to) std::memcpy(buffer + (from - address), bytes.data() + (from - at), to - from);
  }
}

herr_t read_bytes(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
  WriteTarget& target = *file_of(base)->target;
  char* to = static_cast<char*>(buffer);
  std::memset(to, 0, size);
  for (std::size_t done = 0; done < size;) {
    const ssize_t count = pread(target.descriptor, to + done, size - done, static_cast<off_t>(address + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) target.error = errno;
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  lay_over(target, address, size, to);
  return 0;
}

herr_t write_bytes(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* buffer) {
  OpenFile& file = *file_of(base);
  WriteTarget& target = *file.target;
  const char* from = static_cast<const char*>(buffer);
  file.end = std::max<haddr_t>(file.end, address + size);
  for (std::size_t done = 0; done < size && target.error == 0;) {
    const ssize_t count = pwrite(target.descriptor, from + done, size - done, static_cast<off_t>(address + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) target.error = count < 0 ? errno : EIO;
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  if (target.error != 0) target.unwritten.emplace_back(address, std::string(from, size));
  return 0;
}

herr_t truncate_to_allocated(H5FD_t* base, hid_t, hbool_t) {
  OpenFile& file = *file_of(base);
  if (file.end == file.allocated) return 0;
  if (file.target->error == 0 && ftruncate(file.target->descriptor, static_cast<off_t>(file.allocated)) != 0)
    file.target->error = errno;
  file.end = file.allocated;
  return 0;
}

H5FD_class_t driver_class() {
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 14, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(700);  // from the range for drivers of one's own
#endif
  driver.name = "routh";
  driver.maxaddr = (static_cast<haddr_t>(1) << (8 * sizeof(off_t) - 1)) - 1;
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(WriteTarget*);
  driver.open = open_target;
  driver.close = close_target;
  driver.query = query;
  driver.get_eoa = get_allocated;
  driver.set_eoa = set_allocated;
  driver.get_eof = get_end;
  driver.read = read_bytes;
  driver.write = write_bytes;
  driver.truncate = truncate_to_allocated;
  const H5FD_mem_t map[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), std::begin(driver.fl_map));
  return driver;
}

}  // namespace

void write_through(std::int64_t access_properties, WriteTarget& target) {
  const H5FD_class_t driver = driver_class();
  const Handle id(H5FDregister(&driver), H5FDunregister);
  WriteTarget* const pointer = &target;
  check(H5Pset_driver(access_properties, id.get(), &pointer), "set the driver");
}

}  // namespace routh::internal::hdf
