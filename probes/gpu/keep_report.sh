#!/bin/sh
# keep_report.sh FOLDER COMPILER...: runs the compiler and keeps what it says (with
# -Xptxas -v: each kernel's registers, spills, stack) in FOLDER/SOURCE.report; tests/kernel
# reads it there. Says it aloud only if the compiler fails.
folder=$1
shift
source=
for argument in "$@"; do
  case $argument in
    *.cu) source=${argument##*/} ;;
  esac
done
report=$folder/$source.report
mkdir -p "$folder"
if "$@" 2>"$report.new"; then
  # nvcc also runs to list a source's includes, and then says nothing of kernels.
  if grep -q 'Used [0-9]* registers' "$report.new"; then mv "$report.new" "$report"; fi
  rm -f "$report.new"
else
  code=$?
  cat "$report.new" >&2
  exit $code
fi
