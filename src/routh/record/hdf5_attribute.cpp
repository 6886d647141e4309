#include <hdf5.h>

#include <cstring>

#include "routh/record/hdf5_types.h"

namespace routh::internal::hdf {

namespace {

Handle scalar_space() { return Handle(H5Screate(H5S_SCALAR), H5Sclose); }

void put_value(Id node, const char* name, Element element, const Handle& space, const void* value) {
  const Handle type = type_of(element);
  const Handle attribute(H5Acreate2(node, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check(H5Awrite(attribute.get(), type.get(), value), "write an attribute");
}

// An attribute that is there and has `count` values (−1: any number of them in a list) of the kind.
struct Found {
  Handle attribute, type;
  std::size_t count = 0;
};

enum class Extent { scalar, list };

Found find(Id node, const char* name, Extent extent) {
  if (H5Aexists(node, name) <= 0) throw Failure(std::string("the attribute '") + name + "' is missing");
  Found found;
  found.attribute = Handle(H5Aopen(node, name, H5P_DEFAULT), H5Aclose);
  found.type = Handle(H5Aget_type(found.attribute.get()), H5Tclose);
  const Handle space(H5Aget_space(found.attribute.get()), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space.get());
  const hssize_t points = H5Sget_simple_extent_npoints(space.get());
  check(points, "read an attribute");
  if (rank != (extent == Extent::scalar ? 0 : 1))
    throw Failure(std::string("the attribute '") + name + "' has the wrong shape");
  found.count = static_cast<std::size_t>(points);
  return found;
}

template <class T>
T read_number(Id node, const char* name) {
  const Found found = find(node, name, Extent::scalar);
  const Handle type = type_of(element_of<T>());
  if (H5Tequal(found.type.get(), type.get()) <= 0)
    throw Failure(std::string("the attribute '") + name + "' has the wrong type");
  T value{};
  check(H5Aread(found.attribute.get(), type.get(), &value), "read an attribute");
  return value;
}

std::vector<std::string> read_strings(Id node, const char* name, Extent extent) {
  const Found found = find(node, name, extent);
  const std::size_t size = H5Tget_size(found.type.get());
  if (H5Tget_class(found.type.get()) != H5T_STRING || H5Tis_variable_str(found.type.get()) != 0 || size == 0)
    throw Failure(std::string("the attribute '") + name + "' is no text of fixed length");
  if (found.count > largest_text / size) throw Failure(std::string("the attribute '") + name + "' is too large");
  std::string bytes(size * found.count, '\0');
  if (!bytes.empty()) check(H5Aread(found.attribute.get(), found.type.get(), bytes.data()), "read an attribute");
  return unpacked(bytes, size);
}

}  // namespace

void Node::put(const char* name, double value) { put_value(id(), name, element_of<double>(), scalar_space(), &value); }

void Node::put(const char* name, long long value) {
  const std::int64_t wide = value;
  put_value(id(), name, element_of<std::int64_t>(), scalar_space(), &wide);
}

void Node::put(const char* name, const std::string& text) {
  const std::size_t size = common_size({text});
  put_value(id(), name, {Kind::text, size}, scalar_space(), packed({text}, size).data());
}

void Node::put(const char* name, const std::vector<std::string>& texts) {
  const std::size_t size = common_size(texts);
  const hsize_t count = texts.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  put_value(id(), name, {Kind::text, size}, space, packed(texts, size).data());
}

double Node::real(const char* name) const { return read_number<double>(id(), name); }
long long Node::integer(const char* name) const { return read_number<std::int64_t>(id(), name); }
std::string Node::text(const char* name) const { return read_strings(id(), name, Extent::scalar).at(0); }
std::vector<std::string> Node::texts(const char* name) const { return read_strings(id(), name, Extent::list); }

}  // namespace routh::internal::hdf
