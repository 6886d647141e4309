"""Help, version, completion, and what is said about a mistyped command line."""
import shutil
import subprocess
import unittest

from support.program import SOURCE, Case, run

COMMANDS = ["impact", "contacts", "restitution", "referee", "diagnose", "hold", "project", "map", "simulate", "report",
            "export", "compare", "check", "info", "show", "convert",
            "examples", "papers", "completion", "help"]


class Help(Case):
    def test_version(self):
        result = run("--version")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"^routh \d+\.\d+\.\d+\n$")
        self.assertEqual(result.stderr, "")

    def test_help_names_commands_examples_and_exit_codes(self):
        result = run("--help")
        self.assertEqual(result.returncode, 0)
        for word in [*COMMANDS, "Examples:", "Exit codes:"]:
            self.assertIn(word, result.stdout)
        self.assert_narrow_help(result.stdout)

    def test_help_of_each_command_names_exit_codes(self):
        for command in COMMANDS:
            for flag in ("--help", "-h"):
                result = run(command, flag)
                self.assertEqual(result.returncode, 0, command)
                self.assertIn("Exit codes:", result.stdout)
                self.assert_narrow_help(result.stdout)

    def assert_narrow_help(self, text):
        for line in text.splitlines():
            self.assertLessEqual(len(line), 80, line)


class Mistakes(Case):
    def test_no_command_shows_them_all_by_question(self):
        result = run()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, run("help").stdout)
        for command in [*COMMANDS, "sweep", "fit"]:
            self.assertEqual(len([line for line in result.stdout.splitlines() if line.startswith(f"  {command} ")]), 1, command)
        self.assertNotIn("Other commands", result.stdout)
        self.assertLessEqual(max(map(len, result.stdout.splitlines())), 80)

    def test_help_of_one_command(self):
        self.assertEqual(run("help", "impact").stdout, run("impact", "--help").stdout)
        self.assert_fails(run("help", "impakt"), 2, "did you mean 'impact'?")

    def test_the_readme_and_the_documents_say_the_exit_codes_of_the_help(self):
        codes = " ".join(run("--help").stdout.partition("Exit codes:")[2].split())
        self.assertIn(codes, " ".join((SOURCE / "README.md").read_text().split()))
        table = (SOURCE / "docs" / "commands.md").read_text().partition("## Exit codes")[2]
        for code in ("0", "1", "2", "3", "4", "5", "130"):
            self.assertRegex(codes, rf"\b{code} ")
            self.assertIn(f"| {code} |", table)

    def test_unknown_command_is_corrected(self):
        self.assert_fails(run("impcat", "x.json"), 2, "unknown command 'impcat'", "did you mean 'impact'?")

    def test_a_word_that_is_like_nothing_gets_no_suggestion(self):
        result = run("zzzzzzzzzz")
        self.assert_fails(result, 2, "unknown command")
        self.assertNotIn("did you mean", result.stderr)

    def test_unknown_option_is_corrected(self):
        self.assert_fails(run("impact", "x.json", "--jsn"), 2, "--jsn", "did you mean '--json'?")

    def test_unknown_law_is_corrected(self):
        self.assert_fails(run("impact", "x.json", "--law", "newtn"), 2, "did you mean 'newton'?")

    def test_unknown_paper_is_corrected(self):
        self.assert_fails(run("papers", "elkaranshawi-2025"), 2, "did you mean 'elkaranshawy-2025'?")

    def test_missing_file_argument(self):
        self.assert_fails(run("impact"), 2, "FILE")

    def test_option_without_its_value(self):
        self.assert_fails(run("impact", "x.json", "--svg"), 2, "--svg")

    def test_too_many_arguments(self):
        self.assert_fails(run("impact", "x.json", "y.json"), 2, "y.json")

    def test_unknown_shell(self):
        self.assert_fails(run("completion", "tcsh"), 2, "bash")

    def test_escape_codes_in_arguments_do_not_reach_the_terminal(self):
        result = run("\x1b[31mred")
        self.assertEqual(result.returncode, 2)
        self.assertNotIn("\x1b", result.stderr)


class Completion(Case):
    def script(self, shell):
        result = run("completion", shell)
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stderr, "")
        for word in [*COMMANDS, "svg", "strict"]:
            self.assertIn(word, result.stdout)
        return result.stdout

    def test_bash_script_parses_and_completes(self):
        script = self.write("routh.bash", self.script("bash"))
        subprocess.run(["bash", "-n", script], check=True)

        def complete(*words):
            code = (f'. "{script}"; COMP_WORDS=({" ".join(repr(w) for w in words)}); '
                    f"COMP_CWORD={len(words) - 1}; _routh; echo ${{COMPREPLY[@]}}")
            return subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True).stdout.split()

        self.assertEqual(complete("routh", "im"), ["impact"])
        self.assertEqual(complete("routh", "impact", "--str"), ["--strict"])
        self.assertEqual(complete("routh", "impact", "--law", "n"), ["newton"])
        self.assertEqual(complete("routh", "completion", "z"), ["zsh"])
        self.assertEqual(complete("routh", "simulate", "--integrator", "r"), ["radau"])
        self.assertEqual(complete("routh", "simulate", "--resu"), ["--resume"])
        self.assertEqual(complete("routh", "export", "--format", "n"), ["npz"])

    def test_other_scripts(self):
        for shell in ("zsh", "fish"):
            script = self.write(f"routh.{shell}", self.script(shell))
            if shutil.which(shell):
                subprocess.run([shell, "-n", script], check=True)


if __name__ == "__main__":
    unittest.main()
