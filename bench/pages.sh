#!/usr/bin/env bash
# pages.sh CUVIER all-pairs FOLDER [--shard I/N] [DEVICE...]: the catalogue of Algorithm 1's neighbours
# on each device that is built in (or named), in FOLDER/DEVICE.
# pages.sh CUVIER audits FOLDER [--shard I/N] RECORDINGS...: what each file of recordings supports of
# Algorithm 1, as a page in FOLDER.
# A row for each; fails where one could not be made. Minutes of CPU for each.
set -euo pipefail

usage="usage: pages.sh CUVIER all-pairs|audits FOLDER [--shard I/N] [DEVICE... | RECORDINGS...]"
cuvier=$(realpath "${1:?$usage}")
kind=${2:?$usage}
folder=${3:?$usage}
shift 3
[ "${1:-}" = --shard ] || set -- --shard 1/1 "$@"
case $kind in
  all-pairs) [ $# -gt 2 ] || set -- "$@" $("$cuvier" devices | awk 'NR > 1 {print $1}') ;;
  audits) : "${3:?$usage}" ;;
  *) echo "$usage" >&2 && exit 2 ;;
esac

mine=$("$(dirname "$0")/shards.py" take "${@:2}")
mkdir -p "$folder"
failed=0
while read -r piece; do
  [[ $piece != shard\ * ]] || { echo "$piece"; continue; }
  page=${piece%.jsonl}
  page=$folder/${page//\//-}
  if [ "$kind" = all-pairs ]; then
    command=(distinguish --all-pairs "$page" --device "$piece") row=(tail -n 2) fine="0 10 12"
  else
    command=(audit "$piece" --page "$page.md") row=(head -n 1) fine="0 11 12"
  fi
  status=0
  "$cuvier" "${command[@]}" >"$page.log" </dev/null || status=$?
  echo "$piece: exit code $status, $("${row[@]}" "$page.log" | head -n 1)"
  [[ " $fine " == *" $status "* ]] || failed=1
done <<<"$mine"
exit "$failed"
