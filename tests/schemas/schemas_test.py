"""Whether docs/reference/schemas say what the program writes and reads.

schemas_test.py SOURCE_DIR CUVIER
Everything that is in the repository or that the program writes must validate; what is wrong must be
refused by both the schema and the program, each in its own words.
"""

import collections
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import warnings

warnings.simplefilter("ignore", DeprecationWarning)  # RefResolver: Debian 12 has no other
import jsonschema  # noqa: E402

source = pathlib.Path(sys.argv[1])
program = sys.argv[2]
folder = source / "docs" / "reference" / "schemas"
faults = []


def validator(name):
    path = folder / (name + ".schema.json")
    schema = json.loads(path.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    resolver = jsonschema.RefResolver(path.as_uri(), schema)
    return jsonschema.Draft202012Validator(schema, resolver=resolver)


validators = {p.name[: -len(".schema.json")]: validator(p.name[: -len(".schema.json")])
              for p in sorted(folder.glob("*.schema.json"))}
used = set()


def check(name, value, where):
    used.add(name)
    for error in validators[name].iter_errors(value):
        faults.append(f"{where}: {name}: {error.message[:200]}")


def check_file(name, path):
    check(name, json.loads(pathlib.Path(path).read_text()), path)


def keys_in(value):
    """All keys at any depth."""
    if isinstance(value, list):
        return set().union(*map(keys_in, value))
    if not isinstance(value, dict):
        return set()
    return set(value).union(*map(keys_in, value.values()))


def check_lines(name, path):
    """A few of each kind: those with the same keys, beside the kernels' names, are alike."""
    seen = collections.Counter()
    for number, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
        value = json.loads(line)
        kind = frozenset(keys_in(value).difference(value.get("kernels", ())))
        seen[kind] += 1
        if seen[kind] <= 5:
            check(name, value, f"{path}:{number}")


def cuvier(*arguments, exit_codes=(0,)):
    ended = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if ended.returncode not in exit_codes:
        faults.append(f"cuvier {arguments}: exit code {ended.returncode}: {ended.stderr}")
    return ended.stdout


# What is in the repository.
for path in sorted(source.glob("hypotheses/devices/*.json")):
    check_file("device", path)
for path in sorted(source.glob("corpus/**/*.jsonl")):
    check_lines("recordings-line", path)
for path in sorted(source.glob("docs/generated/catalogue/*/*.json")):
    check_file("catalogue" if path.name == "table.json" else "probe", path)
check_file("kernels", source / "docs" / "tutorial" / "kernels.json")
check_file("probe", source / "docs" / "tutorial" / "probe.json")
seeds = source / "tests" / "fuzz" / "seeds"
for path in sorted(seeds.glob("device/*")):
    check_file("device", path)
for path in sorted(seeds.glob("probe/*")):
    check_file("probe", path)
for path in sorted(seeds.glob("observation/*")):
    check_file("observation", path)
for path in sorted(seeds.glob("model/*")):
    check_file("model", path)
for path in sorted(seeds.glob("recordings/*")):
    check_lines("recordings-line", path)
for path in sorted(seeds.glob("answers/*")):
    check_lines("protocol-answer", path)
check_lines("protocol-request", seeds / "requests" / "session.jsonl")

with tempfile.TemporaryDirectory() as name:
    made = pathlib.Path(name)

    def write(file, value):
        (made / file).write_text(value if isinstance(value, str) else json.dumps(value))
        return made / file

    # What the program writes.
    four = json.loads((seeds / "device" / "four.json").read_text())
    device = write("four_sms.json", four)
    # Of SMs that few blocks fill: an inference is sooner done there.
    small = write("small_sms.json", {
        **four, "max_blocks_per_sm": 6, "max_warps_per_sm": 12, "max_threads_per_block": 256,
        "registers_per_sm": 16384, "shared_configs": [0, 8192, 16384], "max_shared_per_block": 15360})
    found = made / "found"
    cuvier("infer", "--oracle", f"sim:{device}", "--assume", "algorithm-1,bfa,pointer_reset=never", "--out", found)
    check_lines("recordings-line", found / "journal.jsonl")
    check_file("model", found / "model.json")
    check_file("certificate-index", found / "certificate" / "index.json")
    check_file("decisions", found / "decisions.json")
    check("verification", json.loads(cuvier("verify", found, "--json")), "verify")
    invented = made / "invented"
    nobody_knows = ["--assume", "algorithm-1", "--out"]
    cuvier("infer", "--oracle", f"sim:{small},pointer_skip=next+(w>=8?1:0)", *nobody_knows, made / "asked",
           exit_codes=(11,))
    cuvier("invent", made / "asked" / "journal.jsonl", *nobody_knows, invented, exit_codes=(0, 10))
    check_file("report", invented / "invention.json")
    probe = seeds / "probe" / "sample.json"
    check("observation", json.loads(cuvier("predict", "--device", device, probe, "--json")), "predict")
    check("model", json.loads(cuvier("export", found / "model.json", "--format", "json")), "export")
    cuvier("kit", "algorithm-1", "--device", device, "--out", made / "kit")
    check_lines("recordings-line", made / "kit" / "golden.jsonl")
    check_file("model", made / "kit" / "model.json")
    scored = cuvier("score", made / "kit", "--oracle", f"sim:{device},selection=first_fit",
                    "--json", exit_codes=(11,))
    check("score", json.loads(scored), "score")

    check("model", json.loads(cuvier("check", found / "journal.jsonl", "--json")), "check")
    kernel = {"blocks": 2, "threads": 64, "registers": 32}
    compared = ["distinguish", "algorithm-1", "round-robin", "--device", device]
    lasting = {name: {"blocks": 9, "threads": 512, "registers": 32, "block_ms": 2} for name in "ab"}
    load = write("load.json", {"kernels": lasting})
    # How many blocks started, and never where: too many ways to explain.
    counts = {"type": "recording", "name": "counts", "kernels": {
        "a": {"blocks": 40, "threads": 64, "registers": 32},
        "b": {"blocks": 40, "threads": 96, "registers": 64},
        "c": {"blocks": 30, "threads": 128, "registers": 40}},
        "script": [{"launch": "a"}, {"launch": "b"},
                   {"release": [{"kernel": "a", "blocks": [0, 3, 5, 7, 9, 11]}]}, {"launch": "c"},
                   {"release": [{"kernel": "b", "blocks": [1, 2, 3]}]}, {"release": ["a"]}],
        "facts": [{"step": 0, "kernel": "a", "started": 40}, {"step": 1, "kernel": "b", "started": 20},
                  {"step": 5, "kernel": "c", "started": 12}]}
    counted = write("counts.jsonl", json.dumps({"type": "device", "source": "test", "device": four})
                    + "\n" + json.dumps(counts) + "\n")
    for what, command, codes in [
            ("audit that gives up", ["audit", counted], (12,)),
            ("comparison", [*compared, "--minimize"], (0,)),
            ("proof", ["distinguish", "algorithm-1", "pointer_reset=never", "--device", device], (0,)),
            ("simulation", ["simulate", load, "--device", device, "--policy", "bfa"], (0,)),
            ("validation", ["validate", "--model", "algorithm-1", "--oracle",
                            f"sim:{device},selection=first_fit", "-n", "20", "--minimize", "--out",
                            made / "validation"], (11,)),
            ("audit", ["audit", made / "validation" / "journal.jsonl", "--time-limit", "1"], (11,)),
            ("audit in part", ["audit", found / "journal.jsonl", "--time-limit", "1"], (0, 10))]:
        check("report", json.loads(cuvier(*command, "--json", exit_codes=codes)), what)
    check_file("report", made / "validation" / "validation.json")
    cuvier(*compared, "--out", made / "tells.json")
    smaller = cuvier("minimize", made / "tells.json", "--between", "algorithm-1", "round-robin",
                     "--device", device, "--json")
    check("minimised", json.loads(smaller), "minimize")
    for what, kernels, codes in [
            ("few", {"a": kernel}, (0,)),
            ("too many", {"a": {**kernel, "blocks": 500}}, (11,)),
            ("in the wrong order", {"a": {**kernel, "blocks": 3, "shared": 90000},
                                    "b": {**kernel, "blocks": 4, "shared": 12288}}, (11,))]:
        asked_about = write("kernels.json", {"kernels": kernels})
        for whom in (["--device", device], ["--survivors", found]):
            said = cuvier("fits", asked_about, *whom, "--json", exit_codes=codes)
            check("fits", json.loads(said), f"fits: {what}")
    beside = write("kernels.json", {"kernels": {"a": {**kernel, "blocks": 500}}, "reserved_sms": [1],
                                    "resident": {"r": kernel}})
    said = cuvier("fits", beside, "--device", device, "--json", exit_codes=(11,))
    check("fits", json.loads(said), "fits beside others")
    graph = write("graph.json", {"kernels": {"a": {**kernel, "cooperative": True},
                                             "b": {**kernel, "blocks": 500, "after": ["a"]}}})
    check_file("kernels", graph)
    said = cuvier("fits", graph, "--device", device, "--json", exit_codes=(11,))
    check("fits", json.loads(said), "fits along a graph")
    why = cuvier("explain", "--device", device, probe, "--block", "k2:0", "--json")
    check("explanation", json.loads(why), "explain")
    said = cuvier("clusters", "--device", "h100", "--die", "h100", "--json")
    check("clusters", json.loads(said), "clusters")
    gemm = write("gemm.json", {"kernels": {"gemm": {**kernel, "blocks": 900}}})
    check("waves", json.loads(cuvier("waves", gemm, "--device", "h100", "--json")), "waves")
    check("order", json.loads(cuvier("order", load, "--device", device, "--json")), "order")
    fleet = made / "fleet"
    submitted = subprocess.run([program, "fleet", "submit", "--out", fleet, "--local", "2", "--oracle",
                                f"sim:{small}", "--assume", "algorithm-1"], capture_output=True,
                               env={**os.environ, "CUDA_VISIBLE_DEVICES": "0,1"})
    if submitted.returncode != 0:
        faults.append(f"fleet submit: {submitted.stderr}")
    check_file("fleet", fleet / "fleet.json")
    for path in fleet.glob("gpus/*/gpu.json"):
        check_file("gpu", path)
    check("fleet-status", json.loads(cuvier("fleet", "status", fleet, "--json")), "fleet status")
    check("report", json.loads(cuvier("fleet", "report", fleet, "--json")), "fleet report")
    saved = json.loads(cuvier(*compared, "--json"))
    check("page", saved["page"], "page")

    # What people write, and what is refused.
    def predicts(path):
        return ["predict", "--device", device, path]

    def with_device(path):
        return ["predict", "--device", path, probe]

    def with_model(path):
        return ["predict", "--device", device, "--model", path, probe]

    def recorded(path):
        return ["check", path, "--assume", "algorithm-1"]

    def fits(path):
        return ["fits", path, "--device", device]

    def simulates(path):
        return ["simulate", path, "--device", device, "--policy", "algorithm-1"]

    def reported(path):
        return ["report", path, "--format", "markdown"]

    def asked(path):
        return ["run", "--oracle", f"exec:read -r hello; cat {shlex.quote(str(path))}; read -r run; "
                f"echo {shlex.quote(json.dumps(shown))}; read -r bye", write("asked.json", good_probe)]

    good_probe = {"name": "p", "kernels": {"k": kernel}, "script": [{"launch": "k"}]}
    shown = {"type": "observation", "id": 1,
             "runs": [{"steps": [{"started": {"k": {"block": [0, 1], "sm": [0, 1]}}}]}]}
    good_model = {"schema": 1, "mechanism": {"selection": "first_fit"}}
    good_kernels = {"kernels": {"k": kernel}, "resident": {"r": kernel}, "reserved_sms": 1}
    good_workload = {
        "kernels": {"k": {**kernel, "arrival_ms": 1, "block_ms": 2, "block_memory": 0.1,
                          "most_per_sm": 3, "throughput": [1, 1.5],
                          "issue": {"instructions": 9, "stall_cycles": 2}}},
        "contention": [[1, 0.5]], "memory_contention": [[1, 1]], "refill": "in_pairs",
        "lazy": "up", "resident": {"r": kernel}, "reserved_sms": [3]}
    device_line = {"type": "device", "source": "test", "device": four}
    good_line = {"type": "recording", **good_probe, "facts": [{"step": 0, "kernel": "k", "started": 2}]}
    good_answer = {"type": "device", "protocol": 1, "oracle": {"name": "o", "version": "1"},
                   "channels": ["sm"], "device": four}

    def changed(value, changes):
        result = {**value, **changes}
        return {k: v for k, v in result.items() if v is not None}

    def kernels_with(changes):
        return {"kernels": {"k": changed(kernel, changes)}}

    def page_with(changes):
        return {"page": changed(saved["page"], changes)}

    cases = [  # schema, how the program reads it, what is right, what is not
        ("report", reported, saved, [
            {"schema": 2}, {"schema": None}, {"page": None}, page_with({"tone": "glad"}),
            page_with({"title": None}), page_with({"title": "words"}),
            page_with({"verdict": [{"blink": "x"}]}), page_with({"numbers": [["one"]]}),
            page_with({"more": 1}), page_with({"sections": [{"title": [], "level": 1, "items": []}]}),
            page_with({"sections": [{"title": [], "level": 2, "items": [{"song": 1}]}]})]),
        ("probe", predicts, good_probe, [
            {"kernels": {}}, {"script": []}, {"name": ""}, {"name": None}, {"extra": 1},
            kernels_with({"threads": 0}), kernels_with({"registers": None}),
            kernels_with({"cluster": 0}), kernels_with({"shared": -1}), kernels_with({"warps": 2}),
            {"script": [{"launch": "k", "release": ["k"]}]},
            {"script": [{"launch": "k"}, {"release": [{"kernel": "k"}]}]},
            {"script": [{"launch": "k"}, {"release": "k"}]}]),
        ("device", with_device, four, [
            {"sms": 0}, {"architecture": "ampere"}, {"subpartitions": 2}, {"name": None},
            {"shared_configs": []}, {"max_cluster": 17}, {"max_warps_per_sm": 46}, {"cores": 4}]),
        ("model", with_model, good_model, [
            {"schema": 2}, {"schema": None}, {"mechanism": None}, {"mechanism": ["first_fit"]},
            {"mechanism": {}}, {"mechanism": {"queue": [5]}},
            {"mechanism": {"tie_break": "learned"}}]),
        ("kernels", fits, good_kernels, [
            {"kernels": {}}, {"more": 1}, kernels_with({"blocks": 0}),
            kernels_with({"entry": "f"}), kernels_with({"local": "many"}),
            {"resident": {"r": {"blocks": 2}}}, {"reserved_sms": -1}, {"reserved_sms": [0, "1"]}]),
        ("workload", simulates, good_workload, [
            {"kernels": {"k": kernel}}, {"kernels": {"k": {**kernel, "block_ms": 0}}},
            {"contention": [[0, 1]]}, {"contention": [[1]]}, {"until": 3}, {"refill": "never"},
            {"lazy": True}, {"reserved_sms": -1}, {"resident": {"r": {}}}, {"memory_contention": [[0, 1]]},
            kernels_with({"block_ms": 1, "most_per_sm": 0}),
            kernels_with({"block_ms": 1, "throughput": []}),
            kernels_with({"block_ms": 1, "throughput": [0]}),
            kernels_with({"block_ms": 1, "issue": {"instructions": 0, "stall_cycles": 1}}),
            kernels_with({"block_ms": 1, "issue": {"instructions": 1}}),
            kernels_with({"block_ms": 1, "block_memory": -1})]),
        ("recordings-line", recorded, good_line, [
            {"type": "guess"}, {"facts": None}, {"exact": -1},
            {"facts": [{"step": 0, "kernel": "k"}]},
            {"facts": [{"step": 0, "kernel": "k", "started": 1, "starts": True}]},
            {"facts": [{"step": 0, "kernel": "k", "sm": [-1, 0]}]}]),
        ("protocol-answer", asked, good_answer, [
            {"protocol": 2}, {"channels": []}, {"oracle": {"name": "o"}}, {"device": None},
            {"gpu": {"driver": "1"}}]),
    ]
    for schema, command, good, changes in cases:
        check(schema, good, f"good {schema}")

        def read(value, number):
            text = json.dumps(value)
            if schema == "recordings-line":
                text = json.dumps(device_line) + "\n" + text + "\n"
            suffix = "jsonl" if schema == "recordings-line" else "json"
            path = write(f"{schema}-{number}.{suffix}", text + "\n")
            return subprocess.run([program, *map(str, command(path))], capture_output=True, text=True)

        ended = read(good, "good")
        if ended.returncode not in (0, 10, 11):
            faults.append(f"good {schema}: the program refuses it: {ended.stderr}")
        for number, change in enumerate(changes):
            bad = changed(good, change)
            if validators[schema].is_valid(bad):
                faults.append(f"{schema}: the schema takes {json.dumps(change)}")
            ended = read(bad, number)
            if ended.returncode not in (2, 3):
                faults.append(f"{schema}: the program takes {json.dumps(change)}")

for name in sorted(set(validators) - used):
    faults.append(f"{name}.schema.json: nothing was held against it")
print("\n".join(faults) if faults else f"{len(used)} schemas")
sys.exit(1 if faults else 0)
