"""Standard streams: JSON Lines, closed and full outputs, interrupts."""
import json
import os
import signal
import subprocess
import time
import unittest

from support.program import EXAMPLES, ROUTH, Case, environment, run

KANE = EXAMPLES / "kane.json"
LINE = json.dumps(json.loads(KANE.read_text()))


class JsonLines(Case):
    def test_one_answer_per_line(self):
        result = run("impact", "-", stdin=f"{LINE}\n" * 3)
        self.assertEqual(result.returncode, 0, result.stderr)
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual(len(answers), 3)
        self.assertEqual(answers[0], answers[2])

    def test_the_last_line_needs_no_newline(self):
        self.assertEqual(len(run("impact", "-", stdin=LINE).stdout.splitlines()), 1)

    def test_the_law_option_holds_for_every_line(self):
        answer = json.loads(run("impact", "-", "--law", "newton", stdin=LINE).stdout)
        self.assertEqual(answer["law"], "newton")

    def test_a_bad_line_yields_an_error_in_its_place(self):
        result = run("impact", "-", stdin=f"{LINE}\n{{broken\n{LINE}\n")
        self.assertEqual(result.returncode, 3)
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual(len(answers), 3)
        self.assertIn("error", answers[1])
        self.assertNotIn("error", answers[0])
        self.assertNotIn("error", answers[2])

    def test_nothing_in_nothing_out(self):
        result = run("impact", "-", stdin="")
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.returncode, 0)


class Ends(Case):
    def shell(self, command, **options):
        return subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False,
                              env=environment(ROUTH=ROUTH, KANE=str(KANE)), **options)

    def test_full_disk(self):
        for command in ('"$ROUTH" impact "$KANE"', '"$ROUTH" impact "$KANE" --json', '"$ROUTH" papers',
                        '"$ROUTH" --version', '"$ROUTH" --help', '"$ROUTH" completion bash',
                        'tr "\\n" " " < "$KANE" | "$ROUTH" impact -'):
            with self.subTest(command):
                result = self.shell(f"{command} > /dev/full")
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn("cannot write", result.stderr)

    def test_closed_stdout(self):
        result = self.shell('"$ROUTH" impact "$KANE" >&-')
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot write", result.stderr)

    def test_closed_stdout_does_not_end_up_in_the_picture(self):
        out = self.folder / "out.svg"
        self.shell(f'"$ROUTH" impact "$KANE" --svg "{out}" >&-')
        self.assertTrue(out.read_text().endswith("</svg>\n"))

    def test_closed_stdin(self):
        result = self.shell('"$ROUTH" impact - <&-')
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot read", result.stderr)

    def test_closed_stderr_harms_nothing(self):
        self.assertEqual(self.shell('"$ROUTH" impact "$KANE" 2>&-').returncode, 0)

    def test_a_closed_pipe_ends_quietly(self):
        result = self.shell('yes "$(tr "\\n" " " < "$KANE")" | "$ROUTH" impact - | head -n 1; echo "${PIPESTATUS[1]}"')
        self.assertEqual(result.stderr, "")
        self.assertEqual(result.stdout.splitlines()[-1], "141")

    def test_interrupt(self):
        with subprocess.Popen([ROUTH, "impact", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, env=environment()) as process:
            process.stdin.write(LINE + "\n")
            process.stdin.flush()
            first = process.stdout.readline()
            process.send_signal(signal.SIGINT)
            process.wait(timeout=20)
            self.assertEqual(process.returncode, 130)
            answers = [first, *process.stdout.read().splitlines()]
            self.assertEqual(process.stderr.read(), "")
            process.stdin.close()
        self.assertEqual(len(answers), 1)
        json.loads(answers[0])

    def test_an_ignored_interrupt_stays_ignored(self):
        with subprocess.Popen([ROUTH, "impact", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                              env=environment(),
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) as process:
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(LINE + "\n", timeout=20)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(len(out.splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
