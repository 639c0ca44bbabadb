"""The Python module as its users have it: MODULE_FOLDER CUVIER."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, sys.argv[1])
import cuvier  # noqa: E402

PROGRAM = sys.argv[2]
PROBE = {"name": "first",
         "kernels": {"k1": {"blocks": 82, "threads": 64, "registers": 32, "shared": 49152},
                     "k2": {"blocks": 9, "threads": 1024, "registers": 64}},
         "script": [{"launch": "k1"}, {"launch": "k2"}, {"release": [{"kernel": "k1", "blocks": [0, 3]}]}]}
KERNELS = {"kernels": {"workers": {"blocks": 128, "threads": 256, "registers": 64, "shared": 218112},
                       "schedulers": {"blocks": 80, "threads": 32, "registers": 32, "shared": 16384}}}


def small():
    """A GPU of which much is learnt soon."""
    return cuvier.Device({
        **cuvier.Device("t4").facts, "name": "four", "sms": 4, "max_blocks_per_sm": 6, "max_warps_per_sm": 12,
        "max_threads_per_block": 256, "registers_per_sm": 16384, "shared_configs": [0, 8192, 16384],
        "max_shared_per_block": 15360})


def all_but(axis):
    """Assumptions that leave one axis open."""
    mechanism = cuvier.Model("algorithm-1", small()).mechanism
    return [f"{name}={value}" for name, value in mechanism.items() if name != axis]


class Wrapped(cuvier.Oracle):
    """Round robin, asked through Python."""

    def __init__(self):
        super().__init__(small())
        self.simulator = cuvier.Simulator(cuvier.Model("selection=round_robin", self.device))
        self.asked = 0

    def run(self, probe):
        self.asked += 1
        return self.simulator.run(probe)

    def begin_session(self):
        return self.simulator.begin_session()


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, document):
        path = self.folder / name
        path.write_text(json.dumps(document))
        return str(path)

    def program(self, *arguments):
        ended = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)
        return ended.stdout, ended.stderr


class Models(InAFolder):
    def test_devices_are_names_files_and_documents(self):
        self.assertIn("rtx3090", cuvier.devices())
        device = cuvier.Device("RTX3090")
        self.assertEqual(device.sms, 82)
        self.assertEqual(cuvier.Device(device.facts), device)
        self.assertEqual(cuvier.Device(self.write("mine.json", device.facts)), device)
        self.assertNotEqual(cuvier.Device("a100"), device)

    def test_models_are_names_values_and_files(self):
        self.assertEqual(cuvier.Model("rtx3090-as-recorded", "rtx3090").name, "rtx3090-as-recorded")
        changed = cuvier.Model("selection=round_robin", "rtx3090")
        self.assertEqual(changed.name, "round-robin")
        self.assertEqual(changed.mechanism["selection"], "round_robin")
        self.assertEqual(cuvier.Model("bfa,queue=skip_ahead", "t4").mechanism["queue"], "skip_ahead")
        path = self.folder / "model.json"
        path.write_text(self.program("export", "bfa", "--device", "h200", "--format", "json")[0])
        read = cuvier.Model(str(path))
        self.assertEqual(read.device, cuvier.Device("h200"))
        self.assertEqual(read.name, "bfa")

    def test_it_predicts_as_the_program_does(self):
        path = self.write("probe.json", PROBE)
        said = self.program("predict", "--device", "rtx3090", path, "--model", "bfa", "--json")[0]
        model = cuvier.Model("bfa", "rtx3090")
        self.assertEqual(model.predict(PROBE), json.loads(said))
        self.assertEqual(model.predict(path), json.loads(said))
        left = model.predict(PROBE, reserved_sms=[0, 1])
        self.assertNotIn(0, left["steps"][0]["started"]["k1"]["sm"])
        with self.assertRaisesRegex(cuvier.Error, "reserved_sms: .* has SM 0 to 81"):
            model.predict(PROBE, reserved_sms=[82])

    def test_numbers_may_be_of_numpy(self):
        class Number:
            def tolist(self):
                return 82
        kernels = {**PROBE["kernels"], "k1": {**PROBE["kernels"]["k1"], "blocks": Number()}}
        model = cuvier.Model("bfa", "rtx3090")
        self.assertEqual(model.predict({**PROBE, "kernels": kernels}), model.predict(PROBE))

    def test_kernels_fit_as_the_program_says(self):
        path = self.write("kernels.json", KERNELS)
        for model in [], ["bfa"]:
            options = [word for name in model for word in ("--model", name)]
            said = json.loads(self.program("fits", path, "--device", "b200", "--json", *options)[0])
            models = [cuvier.Model(name, "b200") for name in model] or None
            answer = cuvier.fits(KERNELS, "b200", models)
            self.assertEqual(answer["verdict"], "unsafe")
            self.assertGreater(len(answer["changes"]), 1)
            self.assertEqual(answer, said)
        reported = {"blocks": 1, "threads": 64, "entry": "gemm"}
        with self.assertRaisesRegex(cuvier.Error, r'^kernels: kernels\.a\.entry: .*give "registers"'):
            cuvier.fits({"kernels": {"a": reported}}, "b200")

    def test_kernels_fit_under_a_model(self):
        with self.assertRaisesRegex(cuvier.Error, "^models: there is none"):
            cuvier.fits(KERNELS, "b200", [])


class Errors(InAFolder):
    def test_are_the_line_of_the_program(self):
        path = self.write("probe.json", {**PROBE, "script": [{"launch": "k3"}]})
        said = self.program("predict", "--device", "rtx3090", path)[1]
        with self.assertRaises(cuvier.Error) as raised:
            cuvier.Model("bfa", "rtx3090").predict(path)
        self.assertEqual(f"cuvier: {raised.exception}\n", said)

    def test_name_the_place_in_a_document(self):
        with self.assertRaisesRegex(cuvier.Error, r"^probe: kernels\.k1\.threads: .*1024"):
            kernels = {"k1": {"blocks": 1, "threads": 2048, "registers": 32}}
            cuvier.Model("bfa", "t4").predict({**PROBE, "kernels": kernels, "script": [{"launch": "k1"}]})
        with self.assertRaisesRegex(cuvier.Error, "did you mean rtx3090"):
            cuvier.Device("rtx3091")
        with self.assertRaisesRegex(cuvier.Error, "say of which"):
            cuvier.Model("bfa")
        self.assertTrue(issubclass(cuvier.Error, ValueError))


class Inferences(InAFolder):
    def infer(self, oracle, **options):
        return cuvier.infer(oracle, str(self.folder / "found"), assume=all_but("selection"), **options)

    def test_an_oracle_of_ones_own_is_found_out(self):
        oracle, lines = Wrapped(), []
        finding = self.infer(oracle, told=lines.append)
        self.assertEqual(finding.verdict, "identified")
        self.assertEqual(finding.model.name, "round-robin")
        self.assertIn(" bits ", lines[0])
        self.assertGreaterEqual(oracle.asked, finding.probes)
        self.assertEqual(finding.facts["oracle"], "python:Wrapped")
        self.assertIn("identified", str(finding))
        self.assertIn("confirmed", self.program("verify", str(self.folder / "found"))[0])

    def test_a_rule_that_no_hypothesis_has_is_invented(self):
        class Planted(Wrapped):
            def __init__(self):
                super().__init__()
                self.simulator = cuvier.Simulator(cuvier.Model("selection=warps + blocks", self.device))
        lines = []
        finding = cuvier.invent(Planted(), str(self.folder / "found"), assume=["algorithm-1"], told=lines.append)
        self.assertEqual(finding.verdict, "identified")
        self.assertEqual(finding.model.mechanism["selection"], "warps + blocks")
        self.assertTrue(any("0 of 1000 contradict" in line for line in lines), lines)
        self.assertIn("confirmed", self.program("verify", str(self.folder / "found"))[0])

    def test_several_oracles_are_asked_at_once(self):
        class Waits(Wrapped):
            def run(self, probe):
                time.sleep(0.01)  # others go on
                return super().run(probe)
        journals, several = [], [Waits() for _ in range(3)]
        for oracle in [Wrapped(), several]:
            self.infer(oracle, max_probes=60)
            journals.append((self.folder / "found" / "journal.jsonl").read_text().split("\n", 1)[1])
            (self.folder / "found").rename(self.folder / f"found-{len(journals)}")
        self.assertEqual(journals[0], journals[1])
        self.assertGreater(sum(oracle.asked > 0 for oracle in several), 1)
        one = Wrapped()
        for oracles, words in [([one, None], "None is no oracle"), ([], "the list is empty"),
                               ([one, one], "one is in the list twice")]:
            with self.assertRaisesRegex(cuvier.Error, words):
                self.infer(oracles)

    def test_asks_as_many_probes_as_the_program(self):
        [most] = re.findall(r"--max-probes N=(\d+)", self.program("infer", "--help")[0])
        for function in [cuvier.infer, cuvier.invent]:
            self.assertRegex(function.__doc__, rf"max_probes: \S+ = {most}\b")

    def test_goes_on_only_where_it_is_to(self):
        first = self.infer(Wrapped(), max_probes=1)
        self.assertEqual(first.verdict, "ambiguous")
        with self.assertRaisesRegex(cuvier.Error, "resume=True goes on from there"):
            self.infer(Wrapped())
        with self.assertRaisesRegex(cuvier.Error, "repeat are at least 1"):
            self.infer(Wrapped(), repeat=0)
        oracle = Wrapped()
        self.assertEqual(self.infer(oracle, resume=True, max_probes=3).probes, 3)
        self.assertEqual(oracle.asked, 2)

    def test_what_an_oracle_raises_is_raised(self):
        class Fails(Wrapped):
            def run(self, probe):
                raise KeyError("mine")
        with self.assertRaisesRegex(KeyError, "mine"):
            self.infer(Fails())

    def test_answers_that_are_none_are_told(self):
        class Babbles(Wrapped):
            def run(self, probe):
                return {"steps": [{"started": {"nobody": {"block": [0], "sm": [0]}}}
                                  for _ in probe["script"]]}
        with self.assertRaisesRegex(cuvier.OracleError, r"^python:.*Babbles: steps\[0\]\.started"):
            self.infer(Babbles())
        with self.assertRaisesRegex(TypeError, r"has no run\(self, probe\)"):
            self.infer(cuvier.Oracle(small()))
        for answer in [float("nan"), "nonsense"]:
            class Mumbles(Wrapped):
                def run(self, probe):
                    return answer
            with self.assertRaises(cuvier.OracleError):
                cuvier.infer(Mumbles(), str(self.folder / f"of {answer}"))

    def test_where_a_probe_is_refused_another_is_asked(self):
        class Refuses(Wrapped):
            refused = None

            def run(self, probe):
                if self.refused in (None, probe):
                    self.refused = probe
                    raise cuvier.Refusal("not this one")
                return super().run(probe)
        lines = []
        finding = self.infer(Refuses(), max_probes=3, told=lines.append)
        self.assertEqual(finding.probes, 3)
        self.assertTrue(any("python:Refuses: not this one" in line for line in lines), lines)

    def test_ctrl_c_ends_it_with_all_answers_kept(self):
        journal = self.folder / "found" / "journal.jsonl"

        def interrupt():
            # Runs only where the inference leaves Python to other threads.
            while not journal.exists() or journal.read_text().count('"recording"') < 2:
                pass
            os.kill(os.getpid(), signal.SIGINT)
        other = threading.Thread(target=interrupt)
        other.start()
        simulator = cuvier.Simulator(cuvier.Model("algorithm-1", "rtx3090"))
        with self.assertRaises(KeyboardInterrupt):
            cuvier.infer(simulator, str(self.folder / "found"))
        other.join()
        kept = journal.read_text().count('"recording"')
        self.assertGreaterEqual(kept, 2)
        finding = cuvier.infer(simulator, str(self.folder / "found"), resume=True, max_probes=kept + 1)
        self.assertEqual(finding.probes, kept + 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
