#include "bindings.h"

namespace routh::python {

namespace {

void raise(const char* type, const py::tuple& arguments) {
  const py::object error = py::module_::import("routh._errors").attr(type);
  PyErr_SetObject(error.ptr(), error(*arguments).ptr());
}

void raise_input(const InputError& error) {
  const Location& where = error.where();
  const std::string plain = error.remedy().empty() ? error.message() : error.message() + "; " + error.remedy();
  // The file as Python's own functions name it, so that it can be opened; the texts to be read.
  const py::object file = py::module_::import("os").attr("fsdecode")(py::bytes(where.file));
  raise("InputError", py::make_tuple(readable(where.file.empty() ? plain : error.what()), readable(error.message()),
                                     readable(error.remedy()), file, where.line, where.column));
}

}  // namespace

void bind_errors() {
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const InputError& error) {
      raise_input(error);
    } catch (const RuntimeFailure& failure) {
      raise("FileError", py::make_tuple(readable(failure.what())));
    }
  });
}

void raise_current() {
  try {
    throw;
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const InputError& error) {
    raise_input(error);
  } catch (const RuntimeFailure& failure) {
    raise("FileError", py::make_tuple(readable(failure.what())));
  } catch (const py::builtin_exception& error) {
    error.set_error();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "an unknown error");
  }
}

}  // namespace routh::python
