"""Whether what our pages link to is there, and every page of docs/ that a file names.

links_test.py SOURCE_DIR
"""

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1]).resolve()
folders = [".ci", "bench", "cli", "cmake", "corpus", "docs", "hypotheses", "probes", "python", "reports",
           "solver", "tests", "uses", "verify"]
files = [path for path in source.iterdir() if path.is_file()]
files += [path for folder in folders for path in (source / folder).rglob("*") if path.is_file()]
pages = {path for path in files if path.suffix == ".md"}
faults = []


def anchors(page):
    """The anchors that GitHub gives to the headings of a page."""
    found = set()
    fenced = False
    for line in page.read_text().splitlines():
        fenced ^= line.startswith("```")
        heading = re.match(r"#+ (.*)", line)
        if fenced or not heading:
            continue
        text = re.sub(r"\]\([^)]*\)", "]", heading.group(1)).lower()
        found.add(re.sub(r"[^\w\- ]", "", text).replace(" ", "-"))
    return found


for page in sorted(pages):
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", page.read_text(), flags=re.S)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        if not linked.exists() or not linked.is_relative_to(source):
            faults.append(f"{page.relative_to(source)}: no {target}")
        elif anchor and anchor not in anchors(linked):
            faults.append(f"{page.relative_to(source)}: no heading {target}")

named = re.compile(r"\bdocs/[\w./-]*\w")
for path in sorted(files):
    if path.suffix in {".jsonl", ".png", ".html"} or path.is_relative_to(source / "docs" / "generated"):
        continue
    try:
        text = path.read_text()
    except UnicodeDecodeError:
        continue
    for name in named.findall(text):
        if not (source / name).exists():
            faults.append(f"{path.relative_to(source)}: no {name}")

# Every page can be reached from the index of docs/.
reached, todo = set(), [source / "docs" / "README.md"]
while todo:
    page = todo.pop()
    if page in reached or page not in pages:
        continue
    reached.add(page)
    for target in re.findall(r"\]\(([^)\s#]+)[^)]*\)", page.read_text()):
        if not re.match(r"[a-z]+:", target):
            todo.append((page.parent / target).resolve())
for page in sorted(pages - reached):
    if page.is_relative_to(source / "docs"):
        faults.append(f"{page.relative_to(source)}: is not reached from docs/README.md")

for fault in faults:
    print(fault)
sys.exit(1 if faults or len(pages) < 20 else 0)
