#!/usr/bin/env bash
#
# python-environment.sh FOLDER PACKAGE...: makes FOLDER a Python environment with these packages,
# unless it is one. Tests that run side by side want the same: the first installs, the others wait.
set -euo pipefail

folder=$1
shift
mkdir -p "$(dirname "$folder")"
exec 9>"$folder.lock"
flock 9
if [[ -f $folder/installed && $(<"$folder/installed") == "$*" ]]; then exit; fi
rm -rf "$folder"
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check "$@"
printf '%s' "$*" >"$folder/installed"
