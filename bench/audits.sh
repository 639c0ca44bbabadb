#!/usr/bin/env bash
# audits.sh CUVIER FOLDER [--shard I/N] RECORDINGS...: what each file of recordings supports of
# Algorithm 1, as a page in FOLDER, and a row for each. Fails where one could not be audited. Minutes
# of CPU for each.
set -euo pipefail

usage="usage: audits.sh CUVIER FOLDER [--shard I/N] RECORDINGS..."
cuvier=$(realpath "${1:?$usage}")
folder=${2:?$usage}
shift 2
[ "${1:-}" = --shard ] || set -- --shard 1/1 "$@"
: "${3:?$usage}"

mine=$("$(dirname "$0")/shards.py" take "${@:2}")
mkdir -p "$folder"
failed=0
while read -r recordings; do
  [[ $recordings != shard\ * ]] || { echo "$recordings"; continue; }
  page=${recordings%.jsonl}
  page=$folder/${page//\//-}
  status=0
  "$cuvier" audit "$recordings" --page "$page.md" >"$page.log" </dev/null || status=$?
  echo "$recordings: exit code $status, $(head -n 1 "$page.log")"
  case $status in 0 | 11 | 12) ;; *) failed=1 ;; esac
done <<<"$mine"
exit "$failed"
