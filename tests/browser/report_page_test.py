"""report_page_test.py CUVIER: the page of `cuvier report` in a real browser. Exits with 77, which
ctest takes for skipped, where there is none."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from webdriver import Browser

CUVIER = sys.argv.pop()

# Texts whose contrast is below WCAG's AA: 4.5, or 3 where letters are large.
LOW_CONTRAST = """
  const pixel = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const seen = new Map();
  const luminance = (colour) => {
    if (!seen.has(colour)) {
      pixel.fillStyle = colour;
      pixel.fillRect(0, 0, 1, 1);
      const [r, g, b] = [...pixel.getImageData(0, 0, 1, 1).data].map((c) =>
        c <= 10 ? c / 3294 : ((c / 255 + 0.055) / 1.055) ** 2.4);
      seen.set(colour, 0.2126 * r + 0.7152 * g + 0.0722 * b);
    }
    return seen.get(colour);
  };
  const paper = (e) => {
    const colour = getComputedStyle(e).backgroundColor;
    return colour === 'rgba(0, 0, 0, 0)' && e.parentElement ? paper(e.parentElement) : colour;
  };
  const low = new Set();
  for (const e of document.body.querySelectorAll('*')) {
    if (!e.checkVisibility() || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
    const style = getComputedStyle(e);
    const pair = [luminance(style.color), luminance(paper(e))].sort((a, b) => b - a);
    const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (ratio < (parseFloat(style.fontSize) >= 24 ? 3 : 4.5)) low.add(`${e.outerHTML.slice(0, 80)} ${ratio}`);
  }
  return [...low].slice(0, 9);"""


def run(folder, *arguments, codes=(0,)):
    done = subprocess.run([CUVIER, *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode in codes, done.stderr
    return done.stdout


class InBrowser(unittest.TestCase):
    """One folder and one browser for all tests of a class."""

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.__exit__)

    def setUp(self):
        self.browser.size(1200, 900)
        self.browser.prefer("light")

    def open(self, page):
        self.browser.open(page)
        self.browser.until("return document.documentElement.dataset.ready")

    def tearDown(self):
        self.assertEqual(self.browser.console(), [])

    def texts(self, selector):
        return self.browser.script(
            "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)",
            selector)

    def resident(self):
        return self.browser.script("""
            return [...document.querySelectorAll('.sm')].map((sm) => [Number(sm.dataset.sm),
              [...sm.querySelectorAll('.block')].map((b) => `${b.dataset.kernel}.${b.dataset.block}`)])""")

    def check_looks(self, page):
        """On a phone nothing is cut off, in light and dark all text can be read; a map comes first."""
        self.browser.size(400, 800)
        for scheme in ("light", "dark"):
            self.browser.prefer(scheme)
            self.open(page)
            self.assertLessEqual(
                self.browser.script("return document.documentElement.scrollWidth"), 400)
            self.browser.script("document.querySelectorAll('details').forEach((d) => d.open = true)")
            self.assertEqual(self.browser.script(LOW_CONTRAST), [], scheme)
        if self.texts(".gpcs"):
            self.assertEqual(len(self.texts("#verdict + section .gpcs")), 1)


class SavedReports(InBrowser):
    """Of what other commands said with --json."""

    def page(self, *command, codes=(0,)):
        saved = run(self.folder, *command, "--json", codes=codes)
        (self.folder / "saved.json").write_text(saved)
        run(self.folder, "report", "saved.json")
        self.open(self.folder / "saved.html")
        return json.loads(saved)

    def shown_as_said(self, page):
        plain = "".join(span if isinstance(span, str) else next(iter(span.values()))
                        for span in page["verdict"])
        self.assertEqual(self.texts(".verdict strong"), plain.split("\n")[:1])
        tables = [item["table"] for section in page["sections"] for item in section["items"]
                  if "table" in item]
        self.assertEqual(len(self.texts("table.document")), len(tables))
        self.assertEqual(len(self.texts("table.document tbody tr")),
                         sum(len(table["rows"]) for table in tables))
        self.check_looks(self.folder / "saved.html")

    def test_of_a_comparison(self):
        said = self.page("distinguish", "algorithm-1", "round-robin", "--device", "h200")
        parting = said["parting"]
        block = f"{parting['kernel']}.{parting['block']}"

        def sm_of_block():
            return [sm for sm, blocks in self.resident() if block in blocks]

        self.assertEqual(sm_of_block(), [parting["sm_a"]])
        self.browser.script("document.getElementById('predicted').click()")
        self.assertEqual(sm_of_block(), [parting["sm_b"]])
        self.assertGreater(len(self.texts(".sm.differs")), 0)
        self.assertEqual(len(self.texts(".gpc > b")), 12)
        self.shown_as_said(said["page"])

    def test_of_a_simulation(self):
        (self.folder / "load.json").write_text(json.dumps({"kernels": {
            f"k{i}": {"blocks": 200, "threads": 256, "registers": 32, "arrival_ms": i,
                      "block_ms": 3 + i} for i in range(9)}}))
        said = self.page("simulate", "load.json", "--device", "v100", "--policy", "algorithm-1",
                         "--policy", "selection=sticky_round_robin")
        self.assertEqual(len(self.texts(".chart > div > svg")), 2)
        self.assertEqual([words.split(":")[0] for words in self.texts(".chart li")],
                         2 * ["algorithm-1", "selection=sticky_round_robin"])
        self.shown_as_said(said["page"])

    def test_of_a_validation(self):
        said = self.page("validate", "--model", "algorithm-1", "--oracle",
                         "sim:rtx3090,selection=first_fit", "-n", "20", "--minimize", "--out", "v",
                         codes=(11,))
        self.assertGreater(len(self.texts(".sm.differs")), 0)
        self.assertIn(str(said["wrong"]), self.texts(".numbers dd"))
        self.shown_as_said(said["page"])

    def test_of_an_audit(self):
        run(self.folder, "validate", "--model", "algorithm-1", "--oracle", "sim:rtx3090", "-n", "4",
            "--out", "seen")
        one = json.loads(run(self.folder, "distinguish", "algorithm-1", "algorithm-1", "--device",
                             "rtx3090", "--json"))["a"]["mechanism"]
        granted = [word for axis, value in one.items() if axis != "queue"
                   for word in ("--assume", f"{axis}={value}")]
        said = self.page("audit", "seen/journal.jsonl", *granted)
        self.assertEqual(len(self.texts(".sm")), 82)  # where skip_ahead would show
        self.assertEqual(self.texts("h3 code"),
                         [f"{axis['axis']}={axis['value']}" for axis in said["axes"]])
        self.shown_as_said(said["page"])


class ReportPage(InBrowser):
    """One inference and its page for all tests."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # Clusters and GPCs; the fewest probes, since any do.
        run(cls.folder, "infer", "--oracle", "sim:h200,selection=fewest_warps", "--out", "found",
            "--max-probes", "4", codes=(10,))
        run(cls.folder, "report", "found")
        cls.page = cls.folder / "found" / "report.html"
        cls.report = json.loads(run(cls.folder, "report", "found", "--format", "json"))

    def setUp(self):
        super().setUp()
        self.open(self.page)

    def test_tells_the_verdict_in_words(self):
        model = self.report["model"]
        self.assertIn(model["reason"][1:], self.texts("#verdict")[0])
        self.assertEqual(self.texts("h1"), [model["device"]["name"]])
        self.assertTrue(self.texts(".verdict strong")[0].startswith("ambiguous: "))
        self.assertIn("cuvier distinguish ", self.texts("#verdict code")[0])
        self.assertIn("Each block goes to the SM with the fewest resident warps",
                      self.texts("#values [data-axis] p")[0])

    def test_its_tables_hold_the_values_of_the_model(self):
        shown = self.browser.script("""
            return [...document.querySelectorAll('#values [data-axis]')].map((row) => [
              row.dataset.axis,
              [...row.querySelectorAll('[data-state=left]')].map((value) => value.dataset.value)])""")
        self.assertEqual(dict(shown), self.report["model"]["surviving"])

    def test_each_refuted_value_leads_to_its_probe(self):
        links = self.browser.script("""
            return [...document.querySelectorAll('[data-state=refuted]')].map((value) => [
              value.closest('[data-axis]').dataset.axis, value.dataset.value,
              document.querySelector(value.querySelector('a').getAttribute('href'))
                .querySelector('strong').textContent])""")
        expected = [[axis["name"], value["name"],
                     self.report["steps"][value["refuted_by"]]["probe"]]
                    for axis in self.report["axes"] for value in axis["values"]
                    if value["state"] == "refuted"]
        self.assertGreater(len(expected), 20)
        self.assertCountEqual(links, expected)

    def test_steps_through_a_recording(self):
        recording = self.report["recordings"][0]
        self.assertEqual(len(self.texts(".sm")), self.report["model"]["device"]["sms"])
        self.assertEqual(len(self.texts(".gpc > b")), 12)
        for _ in recording["script"]:
            self.browser.script("document.getElementById('back').click()")
        self.assertTrue(self.texts("#step-says")[0].startswith("Step 0 of "))
        first = {}
        for fact in recording["facts"]:
            if fact.get("step") == 0 and "sm" in fact:
                for block, sm in enumerate(fact["sm"]):
                    first.setdefault(sm, []).append(f"{fact['kernel']}.{block}")
        self.assertEqual({sm: blocks for sm, blocks in self.resident() if blocks}, first)
        before = self.resident()
        self.browser.script("document.getElementById('map').focus()")
        self.browser.press("ArrowRight")
        self.assertTrue(self.texts("#step-says")[0].startswith("Step 1 of "))
        self.assertNotEqual(self.resident(), before)

    def test_plays_from_the_most_telling_step(self):
        told = max((s for s in self.report["steps"] if s["recording"] is not None),
                   key=lambda step: step["gained_bits"])
        contradicts = self.report["recordings"][told["recording"]]["contradicts"]
        self.assertEqual(self.texts("#recording-name"), [told["probe"]])
        step = contradicts.index(max(contradicts))
        self.assertTrue(self.texts("#step-says")[0].startswith(f"Step {step} of "))
        self.assertIn(f"Here {max(contradicts)} of ", self.texts("#step-says")[0])
        self.browser.script("document.getElementById('play').click()")
        self.assertEqual(self.texts("#play"), ["Stop"])
        self.assertFalse(self.texts("#step-says")[0].startswith(f"Step {step} of "))

    def test_shows_what_is_resident_in_the_end(self):
        forms = set()
        for index, recording in enumerate(self.report["recordings"]):
            resident, started = [], {}
            for step, action in enumerate(recording["script"]):
                for release in action.get("release", []):
                    forms.add(type(release))
                    kernel = release if isinstance(release, str) else release["kernel"]
                    blocks = None if isinstance(release, str) else release.get("blocks")
                    resident = [(k, b, sm) for k, b, sm in resident
                                if k != kernel or (blocks is not None and b not in blocks)]
                for fact in recording["facts"]:
                    if fact.get("step") == step and "sm" in fact:
                        for sm in fact["sm"]:
                            block = started[fact["kernel"]] = started.get(fact["kernel"], -1) + 1
                            resident.append((fact["kernel"], block, sm))
            self.browser.script("""
                window.chooseRecording(arguments[0]);
                const step = document.getElementById('step');
                step.value = step.max;
                step.dispatchEvent(new Event('input'));""", index)
            shown = [(*block.split("."), sm) for sm, blocks in self.resident() for block in blocks]
            self.assertCountEqual(shown, [(k, str(b), sm) for k, b, sm in resident])
        self.assertEqual(forms, {str, dict})

    def test_shows_a_cluster_as_one(self):
        recording, kernel, size = self.browser.script("""
            const step = document.getElementById('step');
            for (let index = 0; index < arguments[0]; ++index) {
              window.chooseRecording(index);
              for (step.value = step.max; ; --step.value) {
                step.dispatchEvent(new Event('input'));
                const block = document.querySelector('.block[data-cluster]');
                if (block) {
                  block.click();
                  return [index, block.dataset.kernel, document.querySelectorAll('.chosen').length];
                }
                if (step.value === '0') break;
              }
            }""", len(self.report["recordings"]))
        kernels = self.report["recordings"][recording]["kernels"]
        self.assertEqual(size, kernels[kernel]["cluster"])

    def test_the_matrix_says_what_contradicts_each_change(self):
        hits = self.browser.script("""
            return [...document.querySelectorAll('.matrix tbody tr')].map((row) => [
              row.querySelector('th').textContent, row.querySelectorAll('.hit').length])""")
        self.assertEqual(hits, [[f"{row['axis']}={row['value']}", len(row["contradicted_by"])]
                                for row in self.report["matrix"]["rows"]])

    def test_light_and_dark(self):
        paper = "return getComputedStyle(document.body).backgroundColor"
        light = self.browser.script(paper)
        self.browser.prefer("dark")
        self.assertNotEqual(self.browser.script(paper), light)
        self.check_looks(self.page)

    def test_everything_can_be_reached_by_keyboard_and_has_a_name(self):
        nameless = self.browser.script("""
            return [...document.querySelectorAll('button, input, select, a, [role=img], [role=region]')]
              .filter((e) => !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length))
              .map((e) => e.outerHTML.slice(0, 80))""")
        self.assertEqual(nameless, [])
        unreachable = self.browser.script(
            "return [...document.querySelectorAll('.box')].filter((box) => box.tabIndex < 0).length")
        self.assertEqual(unreachable, 0)

    def changed(self, change):
        """The page of another report."""
        report = json.loads(json.dumps(self.report))
        change(report)
        begin, rest = self.page.read_text().split('id="report">', 1)
        text = json.dumps(report).replace("<", "\\u003c")
        page = self.folder / "changed.html"
        page.write_text(begin + 'id="report">' + text + rest[rest.index("</script>"):])
        self.open(page)

    def test_marks_where_prediction_and_observation_differ(self):
        def change(report):
            recording = report["recordings"][0]
            fact = next(f for f in recording["facts"] if len(set(f.get("sm", []))) > 1)
            seen = fact["sm"]
            predicted = seen[1:] + seen[:1]
            recording["wrong"] = [{"step": fact["step"], "kernel": fact["kernel"],
                                   "predicted": predicted, "seen": seen}]
        self.changed(change)
        self.assertGreater(len(self.texts(".sm.differs")), 1)
        self.assertIn("as predicted SM", self.texts("#facts")[0])
        before = self.resident()
        self.browser.script("document.getElementById('predicted').click()")
        self.assertNotEqual(self.resident(), before)

    def test_takes_whatever_is_typed_for_a_recording(self):
        names = [recording["name"] for recording in self.report["recordings"]]
        for typed, index in ("2", 1), ("1.5", 1), ("", 0), ("99999", len(names) - 1):
            self.browser.script("""
                const number = document.getElementById('recording');
                number.value = arguments[0];
                number.dispatchEvent(new Event('change'));""", typed)
            self.assertEqual(self.texts("#recording-name"), [names[index]])

    def test_leaves_out_blocks_whose_numbers_nobody_knows(self):
        def change(report):
            recording = report["recordings"][0]
            first = next(fact for fact in recording["facts"] if "sm" in fact)
            first["started"] = len(first.pop("sm"))
            later = {"step": len(recording["script"]) - 1, "kernel": first["kernel"], "sm": [0]}
            recording["facts"] = [later, first]
        self.changed(change)
        self.browser.script("""
            window.chooseRecording(0);
            const step = document.getElementById('step');
            step.value = step.max;
            step.dispatchEvent(new Event('input'));""")
        self.assertEqual([blocks for _, blocks in self.resident() if blocks], [])

    def test_a_refuted_page_says_what_clashes(self):
        def change(report):
            wrong = {"recording": "p1", "kernel": "k1", "predicted": "waits", "seen": "starts"}
            report["model"].update(status="refuted", clash=["p1", "p2"],
                                   nearest={"facts": 9, "wrong": [wrong, wrong]})
            report["verdict"] = ["refuted: nothing is left\nThis comes nearest."]
            for axis in report["axes"]:
                axis["unlike_algorithm_1"] = False
        self.changed(change)
        self.assertEqual(self.texts(".verdict.bad"), ["refuted: nothing is left"])
        self.assertEqual(self.texts(".verdict + p"), ["This comes nearest."])
        self.assertEqual(self.texts("#clash > ul li"), ["p1", "p2"])
        self.assertEqual(len(self.texts("#clash tbody tr")), 2)
        self.assertEqual(self.browser.script(  # nothing is left: what was is for who asks
            "return [...document.querySelectorAll('[data-axis]')].filter((e) => e.checkVisibility()).length"), 0)
        self.check_looks(self.folder / "changed.html")

    def test_keeps_noise_apart(self):
        def change(report):
            report["model"]["discarded"] = [
                {"probe": "p2", "runs": 5, "discarded": 2, "reason": "differ from the other 3"}]
        self.assertIn("Every answer", self.texts("#noise")[0])
        self.changed(change)
        self.assertIn("differ from the other 3", self.texts("#noise")[0])

    def test_is_usable_with_ten_thousand_probes(self):
        def change(report):
            step, recording = dict(report["steps"][-1], gained_bits=1), report["recordings"][-1]
            report["steps"] += [dict(step, probe=f"q{i}") for i in range(10_000)]
            report["recordings"] += [dict(recording, name=f"q{i}") for i in range(10_000)]
        self.changed(change)
        self.assertLess(len(self.texts(".steps tbody tr")), 1_000)
        self.browser.script("window.chooseRecording(9000)")
        self.assertEqual(self.texts("#recording-name"), [f"q{9000 - 4}"])
        self.browser.script("location.hash = '#step-5000'")
        self.browser.until("return document.getElementById('step-5000')")


if __name__ == "__main__":
    if not Browser.is_there():
        print("skipped: no chromium and chromedriver (Debian: chromium chromium-driver)")
        sys.exit(77)
    unittest.main()
