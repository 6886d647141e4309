// The names of an enum's values, written once, beside the enum:
//
//   enum class Stage { compression, restitution };
//   constexpr auto names_of(Stage) {
//     return name_table<Stage>({{Stage::compression, "compression"}, {Stage::restitution, "restitution"}});
//   }
//
// Files, tables, help, completion and error messages take them from here; tests/names compares what cannot (schemas,
// Python's stubs, the page, the documents). The values count from zero, or are bits from the lowest; one that has no
// name does not compile.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

namespace routh {

template <class E>
struct NamedValue {
  E value;
  const char* name;
  const char* explanation = "";  // one sentence for a person, where there is one
};

template <class E, std::size_t count>
consteval std::array<NamedValue<E>, count> name_table(const NamedValue<E> (&entries)[count]) {
  return std::to_array(entries);
}

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires {
  names_of(E{});
};

namespace names_detail {

// A cast of a number is all that compilers can write of a value that its enum does not declare: `(Law)5`.
template <auto value>
consteval bool is_declared() {
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.rfind(')') + 1);
  return text.find_first_not_of("0123456789") != text.find(']');
}

// The k-th value of an enum that counts from zero, or of one of bits.
template <class E>
consteval E value_at(std::size_t k, E first) {
  return static_cast<E>(first == E{} ? k : std::size_t{1} << k);
}

template <class E, std::size_t count>
consteval bool in_order(const std::array<NamedValue<E>, count>& table) {
  for (std::size_t k = 0; k < count; ++k)
    if (table[k].value != value_at(k, table[0].value)) return false;
  return true;
}

template <NamedEnum E>
consteval auto checked_table() {
  constexpr auto table = names_of(E{});
  static_assert(in_order(table), "names_of: the entries must stand in the order of the enum, none left out");
  static_assert(!is_declared<value_at(table.size(), table[0].value)>(), "names_of: a value of the enum has no name");
  return table;
}

template <NamedEnum E>
inline constexpr auto table = checked_table<E>();

}  // namespace names_detail

template <NamedEnum E>
inline constexpr std::size_t count_of = names_detail::table<E>.size();

// In the order of the enum.
template <NamedEnum E>
inline constexpr std::array<E, count_of<E>> all_values = [] {
  std::array<E, count_of<E>> values{};
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = names_detail::table<E>[k].value;
  return values;
}();
template <NamedEnum E>
inline constexpr std::array<std::string_view, count_of<E>> all_names = [] {
  std::array<std::string_view, count_of<E>> names;
  for (std::size_t k = 0; k < names.size(); ++k) names[k] = names_detail::table<E>[k].name;
  return names;
}();

// The place of a value in these lists.
template <NamedEnum E>
constexpr std::size_t index_of(E value) {
  const auto number = static_cast<std::size_t>(value);
  return all_values<E>[0] == E{} ? number : static_cast<std::size_t>(std::countr_zero(number));
}

// "?" of a number that is no value.
template <NamedEnum E>
constexpr const char* name(E value) {
  const std::size_t k = index_of(value);
  return k < count_of<E> ? names_detail::table<E>[k].name : "?";
}
template <NamedEnum E>
constexpr const char* explain(E value) {
  const std::size_t k = index_of(value);
  return k < count_of<E> ? names_detail::table<E>[k].explanation : "?";
}

template <NamedEnum E>
constexpr std::optional<E> value_named(std::string_view text) {
  for (const NamedValue<E>& entry : names_detail::table<E>)
    if (entry.name == text) return entry.value;
  return std::nullopt;
}

}  // namespace routh
