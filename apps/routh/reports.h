// Answers for a reader, as text for a terminal of at most 80 columns.
#pragma once

#include <string>
#include <vector>

#include "commands.h"
#include "papers/paper.h"
#include "routh/problem/contacts_answer.h"
#include "routh/problem/several_contacts.h"
#include "routh/solvability/diagnosis.h"
#include "routh/study/fit.h"
#include "terminal.h"

namespace routh {

// A diagnosis: words first, numbers after.
struct DiagnosisReport {
  std::string title;
  const ContactDiagnosis* diagnosis = nullptr;
  std::vector<std::string> sentences;
};
std::string render(const Terminal& terminal, const DiagnosisReport& report);

// Several contacts in one impact: who strikes, rests or is released, impulses, energy.
struct TogetherReport {
  std::string title;
  std::vector<std::string> contacts;    // names
  std::vector<std::string> velocities;  // names of the degrees of freedom
  const SimultaneousAnswers* answers = nullptr;
  Detail detail = Detail::all;
};
std::string render(const Terminal& terminal, const TogetherReport& report);

// Any number of contacts with friction.
std::string render(const Terminal& terminal, const std::string& title, const ContactsFile& file,
                   const ContactsAnswer& answer);

// A compared paper, and a fit, as tables.
std::string render(const Terminal& terminal, const ComparedPaper& paper);
std::string fit_table(const Terminal& terminal, const FitReport& report, double confidence);

}  // namespace routh
