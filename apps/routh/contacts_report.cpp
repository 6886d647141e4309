#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "reports.h"
#include "table.h"
#include "tolerances.h"

namespace routh {

namespace {

constexpr const char* row_names[] = {"n", "t1", "t2"};

std::string shown_number(double value, double noise) {
  return std::abs(value) <= noise ? "0" : fmt::format("{:.4g}", value);
}

double largest(const Eigen::VectorXd& values) { return values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0; }

Tone tone_of(ContactsStatus status) { return status == ContactsStatus::solved ? Tone::good : Tone::bad; }

std::string render_contacts(const Terminal& terminal, const FrictionContactProblem& problem,
                            const ContactsAnswer& answer) {
  const int d = problem.rows_per_contact();
  const ContactsSolution& solution = answer.solution;
  std::vector<Column> columns{{5}, {6, Align::left}};
  std::vector<Cell> heading{{"", Tone::strong}, {"state", Tone::strong}};
  for (const char* letter : {"p", "v⁺"})
    for (int row = 0; row < d; ++row) {
      columns.push_back({10});
      heading.push_back({fmt::format("{}_{}", letter, row_names[row]), Tone::strong});
    }
  TextTable table(std::move(columns));
  table.add_row(std::move(heading));
  table.add_rule();
  const double impulse_noise = tolerances::shown_zero_relative * largest(solution.impulse);
  // A velocity below the residual is no number.
  const double velocity_noise =
      std::max(tolerances::shown_zero_relative * largest(solution.velocity),
               solution.status == ContactsStatus::solved ? solution.residual * problem.velocity.norm() : 0);
  for (int k = 0; k < problem.contacts(); ++k) {
    std::vector<Cell> row{{std::to_string(k + 1)}, {}};
    if (!answer.states.empty()) {
      const ContactState state = answer.states[static_cast<std::size_t>(k)];
      row[1] = {name(state), state == ContactState::open ? Tone::faint : Tone::plain};
    }
    for (int i = 0; i < d; ++i) row.push_back({shown_number(solution.impulse[k * d + i], impulse_noise)});
    for (int i = 0; i < d; ++i) row.push_back({shown_number(solution.velocity[k * d + i], velocity_noise)});
    table.add_row(std::move(row));
  }
  return table.render(terminal);
}

// Numbers that are small beside `scale` are rounding.
std::string render_list(const Terminal& terminal, const std::string& label, const Eigen::VectorXd& values,
                        double scale) {
  std::string text = label;
  const double noise = tolerances::shown_zero_relative * std::max(scale, largest(values));
  for (const double value : values) text += " " + shown_number(value, noise);
  return wrapped(terminal, text);
}

std::string energy_words(const ContactsSolution& solution) {
  std::string words = fmt::format("ΔT = {:.5g} J", solution.energy_change);
  if (solution.supplied != 0) words += fmt::format(", of which moving surfaces supply {:.5g} J", solution.supplied);
  return words;
}

std::string verdict(const ContactsSolution& solution) {
  if (solution.status == ContactsStatus::infeasible) return "infeasible";
  return fmt::format("{}: residual {:.2e} of the velocity, {} {}",
                     solution.status == ContactsStatus::solved ? "solved" : "not solved", solution.residual,
                     solution.iterations, solution.iterations == 1 ? "step" : "steps");
}

std::string render_numbers(const Terminal& terminal, const ContactsFile& file, const ContactsAnswer& answer) {
  const Eigen::VectorXd& impulse = answer.solution.impulse;
  std::string text = "\n" + render_contacts(terminal, file.problem, answer);
  if (const int bilateral = file.problem.bilateral_rows(); bilateral > 0)
    text += render_list(terminal, "bilateral p:", impulse.tail(bilateral), largest(impulse));
  if (file.machine) text += render_list(terminal, "q̇⁺:", answer.machine_velocity, largest(file.machine->velocity));
  return text;
}

}  // namespace

std::string render(const Terminal& terminal, const std::string& title, const ContactsFile& file,
                   const ContactsAnswer& answer) {
  const FrictionContactProblem& problem = file.problem;
  const ContactsSolution& solution = answer.solution;
  const auto line = [&](Tone tone, const std::string& text) {
    return paint(terminal, tone, encode(terminal, text)) + "\n";
  };
  const int bilateral = problem.bilateral_rows();
  std::string text = line(Tone::strong, title);
  text += line(
      Tone::plain,
      fmt::format("{} {}, {}{}", problem.contacts(), problem.contacts() == 1 ? "contact" : "contacts",
                  name(problem.dimension),
                  bilateral == 0 ? "" : fmt::format(", {} bilateral {}", bilateral, bilateral == 1 ? "row" : "rows")));
  text += line(tone_of(solution.status), verdict(solution));
  if (solution.status != ContactsStatus::infeasible) text += render_numbers(terminal, file, answer);
  if (solution.status == ContactsStatus::solved) text += line(Tone::plain, energy_words(solution));
  if (solution.impulse_unique.value_or(false))
    text += line(Tone::plain, "These are the only impulses that give this velocity.");
  if (solution.velocity_unique.value_or(false)) text += line(Tone::plain, "No other velocity obeys the laws.");
  for (std::string sentence : contacts_sentences(file, answer)) {
    sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
    text += wrapped(terminal, sentence + ".");
  }
  return text;
}

}  // namespace routh
