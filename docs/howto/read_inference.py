#!/usr/bin/env python3
"""Reads what `cuvier infer --out DIR` left, by docs/reference alone, and says what does not fit.

A beginning for a checker of your own: it reads every file and field, and runs no scheduler
(docs/reference/scheduler.md says how, and tests/case/vectors.jsonl whether you got it right).
"""
import hashlib
import json
import pathlib
import sys

KERNEL = {"blocks", "threads", "registers", "shared", "local", "stream", "priority", "cluster"}
FACTS = {"sm", "sm_set", "started", "starts", "complete", "warp_slot", "shared_config"}
BY = {"constraints", "constraints; diagrams where the order of the SMs is learned", "diagrams",
      "not considered: a last resort"}


class Misfit(Exception):
    pass


def expect(holds, what):
    if not holds:
        raise Misfit(what)


def parsed(text, where):
    """As JSON; a field may be there once only."""
    def once(pairs):
        fields = dict(pairs)
        expect(len(fields) == len(pairs), f"{where}: a field is there twice")
        return fields
    try:
        return json.loads(text, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        raise Misfit(f"{where}: is no JSON: {error}") from error


def is_count(value, below=10**9):
    return type(value) is int and 0 <= value <= below  # neither 3.0 nor true


def read_recording(line, device, where):
    """The facts that count of a line of type recording, as (step, kernel, kind, value)."""
    kernels, script = line["kernels"], line["script"]
    for name, kernel in kernels.items():
        expect(set(kernel) <= KERNEL, f"{where}: {name} has a field that kernels do not have")
        expect(all(is_count(kernel[field]) for field in ("blocks", "threads", "registers")),
               f"{where}: {name}: whole numbers are wanted")
    launched = [action["launch"] for action in script if "launch" in action]
    expect(len(set(launched)) == len(launched) and set(launched) <= set(kernels),
           f"{where}: launches what is no kernel, or one twice")
    exact = line.get("exact", len(script))
    seen = set()
    for fact in line["facts"]:
        kinds = FACTS & set(fact)
        expect(len(kinds) == 1 and set(fact) <= kinds | {"step", "kernel"},
               f"{where}: a fact must say one thing")
        kind = kinds.pop()
        step = fact.get("step")
        expect((step is None) == (kind == "shared_config"), f"{where}: step")
        expect(step is None or is_count(step, len(script) - 1), f"{where}: step {step}")
        expect(fact["kernel"] in kernels, f"{where}: no kernel {fact['kernel']}")
        expect((step, fact["kernel"], kind) not in seen, f"{where}: a fact is told twice")
        seen.add((step, fact["kernel"], kind))
        if kind in ("sm", "sm_set"):
            expect(all(is_count(sm, device["sms"] - 1) for sm in fact[kind]), f"{where}: no such SM")
        if step is None or step < exact:
            yield step, fact["kernel"], kind, fact[kind]


def read_journal(path):
    """The device, and sessions: lists of (name, facts)."""
    device, one_session, sessions, goes_on = None, False, [], False
    for number, text in enumerate(path.read_text().splitlines(), 1):
        where = f"{path.name}:{number}"
        line = parsed(text, where)
        expect((line["type"] == "device") == (number == 1), f"{where}: type")
        if line["type"] == "device":
            device, one_session = line["device"], line.get("session", False)
        elif line["type"] in ("session", "opening"):
            goes_on = False
        else:
            expect(line["type"] == "recording", f"{where}: type")
            if not goes_on:
                sessions.append([])
            goes_on = one_session
            facts = list(read_recording(line, device, where))
            expect(facts or "exact" in line, f"{where}: nothing is known of {line['name']}")
            sessions[-1].append((line["name"], facts))
    return device, sessions


def read_certificate(folder, model):
    """Checks the sums, and that index and files name the same lemmas."""
    for line in (folder / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split(maxsplit=1)
        found = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        expect(found == digest, f"{name}: was changed")
    index = parsed((folder / "index.json").read_text(), "index.json")
    named = {lemma for part in index["claims"] + index["excluded"] for lemma in part["lemmas"]}
    there = {path.name for path in folder.glob("*.smt2")}
    expect(named == there, f"lemmas: {sorted(named ^ there)}")
    for excluded in index["excluded"]:
        axis, value = excluded["value"].split("=", 1)
        expect(excluded["by"] in BY, f"{excluded['value']}: by")
        expect(value not in model["surviving"][axis], f"{excluded['value']}: excluded, and left")
    return index


def main(folder):
    model = parsed((folder / "model.json").read_text(), "model.json")
    expect(type(model["schema"]) is int and model["schema"] == 1, "model.json: schema")
    device, sessions = read_journal(folder / "journal.jsonl")
    expect(device == model["device"], "model.json: device: is not the journal's")
    names = [name for session in sessions for name, _ in session]
    if not model["voted"]:
        expect(len(set(names)) == len(names), "journal.jsonl: a recording is there twice")
        expect(is_count(model["probes"]) and model["probes"] == len(names), "model.json: probes")
    index = read_certificate(folder / "certificate", model)
    facts = sum(len(facts) for session in sessions for _, facts in session)
    print(f"{model['status']} on {device['name']}: {len(names)} recordings in {len(sessions)} "
          f"sessions, {facts} facts; {len(index['excluded'])} values are excluded")


if __name__ == "__main__":
    try:
        main(pathlib.Path(sys.argv[1]))
    except (Misfit, KeyError, OSError) as error:
        sys.exit(f"read_inference.py: {error}")
