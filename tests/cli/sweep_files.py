"""Studies from outside: the files that `routh sweep` reads, writes and keeps."""
import csv
import fcntl
import json
import struct
import subprocess
import unittest
import zipfile

from support.program import ROUTH, SCALE, Case, environment, run
from support.studies import ROUGH, sweep


class Files(Case):
    """No output replaces what is read, or another output."""
    def refused(self, study, *arguments, words):
        before = study.read_bytes()
        self.assert_fails(sweep(study, *arguments), 2, *words)
        self.assertEqual(study.read_bytes(), before)

    def test_inputs_and_outputs_are_kept_apart(self):
        study = self.write("study.yaml", ROUGH % ("random", 100, "true"))
        table = self.folder / "x.csv"
        for options in (["-o"], ["--csv"], ["--csv", table, "--html"]):
            self.refused(study, *options, study, words=("the study", "study.yaml"))
        self.refused(study, "-o", self.folder / "." / "study.yaml", words=("the study",))
        self.refused(study, "-o", table, "--csv", table, words=("same file", "--csv"))
        self.refused(study, "-o", self.folder / "x.samples.csv", "--csv", table, words=("same file", "table"))
        listed = self.write("points.csv", "friction\n0.1\n0.2\n")
        text = ROUGH % ("random", 100, "false")
        study = self.write("list.yaml", text[:text.index("vary:")] +
                           "sampling: {method: csv, file: points.csv}\nmeasure: {up: contact_velocity.n}\n")
        self.refused(study, "--csv", listed, words=("points.csv", "names"))
        self.assertTrue(listed.read_text().startswith("friction"))

    def test_special_files(self):
        study = self.write("study.yaml", ROUGH % ("random", 10**12, "false"))
        self.assert_fails(sweep(study, "-o", "/dev/full"), 1, "/dev/full", "device")
        study = self.write("study.yaml", ROUGH % ("random", 10**12, "true"))
        self.assert_fails(sweep(study, "--csv", "/dev/stdout"), 1, "device", "table")

    def test_a_result_is_exported_as_it_would_have_been_written(self):
        study = self.write("study.yaml", ROUGH % ("random", 100, "true"))
        stored, table = self.folder / "out.h5", self.folder / "out.csv"
        answer = sweep(study, "-o", stored, "--csv", table, "--json")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        for name in ("again.csv", "again.json", "again.npz"):
            result = run("export", stored, "-o", self.folder / name)
            self.assertEqual(result.returncode, 0, result.stderr)
        read = lambda name: (self.folder / name).read_text(encoding="utf-8")  # noqa: E731
        self.assertEqual(read("again.csv"), read("out.csv"))
        self.assertEqual(read("again.samples.csv"), read("out.samples.csv"))
        self.assertEqual(json.loads(read("again.json")), json.loads(answer.stdout))
        with zipfile.ZipFile(self.folder / "again.npz") as archive:
            column = archive.read("friction.npy")
        values = struct.unpack("<100d", column[-800:])
        with table.with_name("out.samples.csv").open(newline="", encoding="utf-8") as rows:
            self.assertEqual([float(row["friction"]) for row in csv.DictReader(rows)], list(values))
        self.assert_fails(run("export", self.write("x.h5", "no"), "-o", self.folder / "x.csv"), 3, "HDF5")

    def test_bins_hold_what_their_edges_say(self):
        text = ROUGH % ("grid", 1, "false")
        study = self.write("study.yaml", text[:text.index("vary:")] + "vary: {friction: {from: 0, to: 1, count: 101}}\n"
                           "sampling: {method: grid}\nmeasure: {mu: {value: sample.friction, "
                           "reduce: [{histogram: {from: 0, to: 1, bins: 100}}]}}\n")
        bins = json.loads(sweep(study, "--json").stdout)["measures"]["mu"]["bins"]
        counts = [count for name, count in bins if ".." in name]
        edges = [float(name.split("..")[0]) for name, _ in bins if ".." in name] + [1.0]
        values = [k / 100 for k in range(101)]
        expected = [sum(a <= v < b or v == b == 1 for v in values) for a, b in zip(edges, edges[1:])]
        self.assertEqual(sum(counts), 101)
        self.assertEqual(counts, expected)

    def test_the_hash_covers_meshes(self):
        self.write("scene.yaml", "routh: 1\nsurfaces: {s: {friction: 0.3, restitution: 0.5}}\nbodies:\n"
                   "  die: {mass: 1, inertia: [0.01, 0.01, 0.01], joint: {kind: free},\n"
                   "        shapes: {hull: {kind: mesh, file: die.obj, surface: s}}}\n")
        study = self.write("study.yaml", "study: 1\nscene: scene.yaml\nrun: {until: 0.01}\nsampling: {method: sobol, "
                           "samples: 2}\nvary: {surfaces.s.friction: {from: 0, to: 1}}\nmeasure: {t: time}\n")
        hashes = []
        for half in (0.1, 0.2, 0.1):
            corners = [(x, y, z) for x in (-half, half) for y in (-half, half) for z in (-half, half)]
            self.write("die.obj", "".join("v %g %g %g\n" % corner for corner in corners) +
                       "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n")
            result = sweep(study, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            hashes.append(json.loads(result.stdout)["hash"])
        self.assertEqual(hashes[0], hashes[2])
        self.assertNotEqual(hashes[0], hashes[1])

    def test_a_result_in_use_is_refused(self):
        out, csv_out = self.folder / "out.h5", self.folder / "out.csv"
        for table in ("true", "false"):
            study = self.write("study.yaml", ROUGH % ("random", 100, table))
            for options in (["-o", out], ["--csv", csv_out], ["-o", out, "--resume"], ["-o", out, "--restart"]):
                with open(f"{options[1]}.lock", "wb") as lock:
                    fcntl.flock(lock, fcntl.LOCK_EX)
                    self.assert_fails(sweep(study, *options), 1, f"{options[1].name}.lock", "in use")
                    self.assertFalse(options[1].exists())
                # A lock that was left behind by a kill hinders nobody, and goes.
                self.assertEqual(sweep(study, *options).returncode, 0)
                self.assertEqual(list(self.folder.glob("*.lock")), [])
                options[1].unlink()

    def test_two_at_once(self):
        """Of programs that begin at the same time with the same result one computes; the others leave it alone."""
        study, out = self.write("study.yaml", ROUGH % ("random", int(300000 * SCALE), "false")), self.folder / "out.h5"
        started = [subprocess.Popen([ROUTH, "sweep", str(study), "-o", str(out), "--restart", "--checkpoint", "0.001"],
                                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment()) for _ in range(4)]
        ends = [(process.communicate()[1].decode(), process.returncode) for process in started]
        self.assertIn(0, [code for _, code in ends])
        for errors, code in ends:
            self.assertTrue(code == 0 or (code == 1 and "in use" in errors), errors)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["out.h5", "study.yaml"])

    def test_files_that_files_name_are_kept(self):
        """Of every command: the robot and the meshes of a scene, what a robot includes, the meshes behind a run."""
        corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
        mesh = self.write("die.obj", "".join("v %g %g %g\n" % corner for corner in corners) +
                          "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n")
        scene = self.write("scene.yaml", "routh: 1\nsurfaces: {s: {friction: 0.3, restitution: 0.5}}\nbodies:\n"
                           "  die: {mass: 1, inertia: [0.01, 0.01, 0.01], joint: {kind: free},\n"
                           "        shapes: {hull: {kind: mesh, file: die.obj, surface: s}}}\n"
                           "world: {shapes: {floor: {kind: half_space, at: [0, 0, -1], surface: s}}}\n")
        study = self.write("study.yaml", "study: 1\nscene: scene.yaml\nrun: {until: 0.01}\nsampling: {method: sobol, "
                           "samples: 2}\nvary: {surfaces.s.friction: {from: 0, to: 1}}\nmeasure: {t: time}\n")
        included = self.write("part.xml", "<mujocoinclude><option timestep='0.1'/></mujocoinclude>\n")
        robot = self.write("robot.xml", "<mujoco><include file='part.xml'/><worldbody><body name='b' pos='0 0 1'><freejoint/>"
                           "<geom type='sphere' size='0.1'/></body></worldbody></mujoco>\n")
        with_robot = self.write("with_robot.yaml", "routh: 1\nrobot: {file: robot.xml}\n")
        done = self.folder / "run.h5"
        self.assertEqual(run("simulate", scene, "--until", 0.01, "-o", done).returncode, 0)
        kept = {path: path.read_bytes() for path in (mesh, scene, study, included, robot, with_robot, done)}
        for output, *command in ((mesh, "simulate", scene, "-o"), (mesh, "impact", scene, "--svg"),
                                 (mesh, "map", scene, "--x", "friction", "--y", "restitution", "--svg"),
                                 (mesh, "convert", scene, "-o"), (mesh, "sweep", study, "-o"), (mesh, "sweep", study, "--html"),
                                 (mesh, "export", done, "--format", "csv", "-o"), (included, "simulate", robot, "-o"),
                                 (included, "simulate", with_robot, "-o"), (robot, "simulate", with_robot, "-o"),
                                 (robot, "convert", with_robot, "-o")):
            self.assert_fails(run(*command, output), 2, output.name, "would replace", "names")
        for path, content in kept.items():
            self.assertEqual(path.read_bytes(), content, path)
        self.assertEqual(run("simulate", scene, "--until", 0.01, "-o", done).returncode, 0)  # its own result may go

    def test_characters_are_named_whole(self):
        text = ROUGH % ("random", 10, "false")
        study = self.write("study.yaml", text[:text.index("measure:")] + 'measure: {a: "1 + é"}\n')
        self.assert_fails(sweep(study), 3, "'é'")


if __name__ == "__main__":
    unittest.main()
