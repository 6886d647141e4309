#include <fmt/format.h>
#include <hdf5.h>

#include <array>
#include <limits>

#include "routh/record/hdf5_types.h"

namespace routh::internal::hdf {

namespace {

struct Extent {
  int rank = 0;
  std::array<hsize_t, 2> dims{};
};

Extent extent_of(Id dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  Extent extent;
  extent.rank = H5Sget_simple_extent_ndims(space.get());
  if (extent.rank == 1 || extent.rank == 2) H5Sget_simple_extent_dims(space.get(), extent.dims.data(), nullptr);
  return extent;
}

// Its values must lie in this file, as `creation_of_datasets` puts them there: HDF5 would read other files by the paths
// that this one names, and load filters that it asks for.
void check_inside(const Handle& dataset, const char* name) {
  const Handle list(H5Dget_create_plist(dataset.get()), H5Pclose);
  const H5D_layout_t layout = H5Pget_layout(list.get());
  if (H5Pget_external_count(list.get()) != 0 || layout == H5D_VIRTUAL || layout == H5D_LAYOUT_ERROR)
    throw Failure(fmt::format("the values of '{}' are in another file", name));
  for (int k = 0, count = H5Pget_nfilters(list.get()); k < count; ++k) {
    unsigned flags = 0, settings = 0;
    std::size_t values = 0;
    if (H5Pget_filter2(list.get(), static_cast<unsigned>(k), &flags, &values, nullptr, 0, nullptr, &settings) !=
        H5Z_FILTER_FLETCHER32)
      throw Failure(fmt::format("'{}' is compressed, or filtered otherwise, by another program", name));
  }
}

Handle open_dataset(Id node, const char* name) {
  check_own(node, name);
  Handle dataset(H5Dopen2(node, name, H5P_DEFAULT), H5Dclose);
  check_inside(dataset, name);
  return dataset;
}

Handle creation_of_datasets() {
  Handle list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(list.get(), 0), "set properties");
  check(H5Pset_attr_phase_change(list.get(), 64, 48), "set properties");
  return list;
}

// Rows whose bytes are in the file: one that claims more would make a reader allocate without limit.
void check_stored(Id dataset, const char* name, hsize_t values, std::size_t size) {
  const hsize_t stored = H5Dget_storage_size(dataset);
  if (values > std::numeric_limits<hsize_t>::max() / size || values * size > stored)
    throw Failure(fmt::format("'{}' is not complete", name));
}

}  // namespace

void Node::create_text(const char* name, const std::string& text) {
  const std::size_t size = common_size({text});
  const Handle type = type_of({Kind::text, size}), space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle creation = creation_of_datasets();
  const Handle dataset(H5Dcreate2(id(), name, type.get(), space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
                       H5Dclose);
  check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, packed({text}, size).data()), "write");
}

std::string Node::read_text(const char* name) const {
  const Handle dataset = open_dataset(id(), name);
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  const std::size_t size = H5Tget_size(type.get());
  if (extent_of(dataset.get()).rank != 0 || H5Tget_class(type.get()) != H5T_STRING ||
      H5Tis_variable_str(type.get()) != 0 || size == 0 || size > largest_text)
    throw Failure(fmt::format("'{}' is no text of fixed length", name));
  std::string bytes(size, '\0');
  check(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), "read");
  return unpacked(bytes, size).at(0);
}

Node Node::create_column(const char* name, Element element, long long width, long long rows_in_chunk) {
  const int rank = width == flat ? 1 : 2;
  const hsize_t columns = width == flat ? 1 : static_cast<hsize_t>(width);
  // A chunk has at least one column and must not exceed a fixed extent: rows without numbers get an open one.
  const hsize_t dims[2] = {0, columns}, limits[2] = {H5S_UNLIMITED, columns == 0 ? H5S_UNLIMITED : columns};
  const hsize_t chunk[2] = {static_cast<hsize_t>(rows_in_chunk), columns == 0 ? 1 : columns};
  const Handle type = type_of(element), space(H5Screate_simple(rank, dims, limits), H5Sclose);
  const Handle creation = creation_of_datasets();
  check(H5Pset_chunk(creation.get(), rank, chunk), "set properties");
  check(H5Pset_fletcher32(creation.get()), "set properties");
  return Node(
      Handle(H5Dcreate2(id(), name, type.get(), space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Dclose));
}

void Node::append(const void* rows, long long count, Element element) {
  if (count == 0) return;
  Extent extent = extent_of(id());
  const hsize_t start[2] = {extent.dims[0], 0};
  const hsize_t added[2] = {static_cast<hsize_t>(count), extent.dims[1]};
  extent.dims[0] += added[0];
  check(H5Dset_extent(id(), extent.dims.data()), "extend a dataset");
  if (extent.rank == 2 && extent.dims[1] == 0) return;
  const Handle file_space(H5Dget_space(id()), H5Sclose);
  check(H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, start, nullptr, added, nullptr), "select rows");
  const Handle memory_space(H5Screate_simple(extent.rank, added, nullptr), H5Sclose), type = type_of(element);
  check(H5Dwrite(id(), type.get(), memory_space.get(), file_space.get(), H5P_DEFAULT, rows), "write");
}

void Node::read_column(const char* name, Element element, long long width, Resize resize, void* to) const {
  const Handle dataset = open_dataset(id(), name);
  const Handle stored(H5Dget_type(dataset.get()), H5Tclose), type = type_of(element);
  if (H5Tequal(stored.get(), type.get()) <= 0) throw Failure(fmt::format("'{}' has the wrong type", name));
  const Extent extent = extent_of(dataset.get());
  const bool fits =
      width == flat ? extent.rank == 1 : extent.rank == 2 && extent.dims[1] == static_cast<hsize_t>(width);
  if (!fits) throw Failure(fmt::format("'{}' has the wrong shape", name));
  const hsize_t columns = width == flat ? 1 : extent.dims[1];
  if (columns == 0 || extent.dims[0] == 0) return;
  const std::size_t size = H5Tget_size(type.get());
  if (extent.dims[0] > std::numeric_limits<hsize_t>::max() / columns)
    throw Failure(fmt::format("'{}' has the wrong shape", name));
  check_stored(dataset.get(), name, extent.dims[0] * columns, size);
  void* memory = resize(to, static_cast<std::size_t>(extent.dims[0] * columns));
  check(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, memory), "read");
}

std::vector<std::string> Node::read_texts(const char* name) const {
  const Handle dataset = open_dataset(id(), name);
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  const Extent extent = extent_of(dataset.get());
  const std::size_t size = H5Tget_size(type.get());
  if (extent.rank != 1 || H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0 || size == 0)
    throw Failure(fmt::format("'{}' is no list of texts of fixed length", name));
  if (extent.dims[0] == 0) return {};
  check_stored(dataset.get(), name, extent.dims[0], size);
  std::string bytes(size * extent.dims[0], '\0');
  check(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), "read");
  return unpacked(bytes, size);
}

std::vector<std::string> Node::texts_of(const char* dataset, const char* attribute) const {
  return Node(open_dataset(id(), dataset)).texts(attribute);
}

long long Node::rows(const char* dataset) const {
  const Extent extent = extent_of(open_dataset(id(), dataset).get());
  if (extent.rank != 1 && extent.rank != 2) throw Failure(fmt::format("'{}' has the wrong shape", dataset));
  return static_cast<long long>(extent.dims[0]);
}

}  // namespace routh::internal::hdf
