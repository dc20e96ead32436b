#!/usr/bin/env bash
#
# Pins the Go modules of a version of Kubernetes, as versions.json names it and what goes with it:
#
#     pin.sh 1.35.4 go.mod
#
# writes components/node/go.mod and go.sum, for review and to be committed. A build changes neither.
set -euo pipefail

[[ $# -eq 2 ]] || {
  echo "pin.sh: usage: pin.sh KUBERNETES FILE.mod" >&2
  exit 1
}
kubernetes=$1 file=$2
staging=v0.${kubernetes#1.}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
version() { node -p "require('$here/../versions.json').kubernetes['$kubernetes']['$1']"; }

cd "$here/../components/node"
source=$(cd / && go mod download -json "k8s.io/kubernetes@v$kubernetes" | sed -n 's/^\s*"Dir": "\(.*\)",/\1/p')
# Kubernetes's own libraries, which it replaces by folders of its repository.
replaced=$(sed -n '/^replace (/,/^)/p' "$source/go.mod" | sed -nE "s#^\s+(k8s.io/\S+) => \./staging.*#\t\1 => \1 $staging#p")
cat >"$file" <<MOD
module cumulet-node

go $(sed -n 's/^go //p' "$source/go.mod")

$(sed -n 's/^godebug /godebug /p' "$source/go.mod")

require (
	go.etcd.io/etcd/server/v3 v$(version etcd)
	k8s.io/cloud-provider-openstack v$(version cloud-provider-openstack)
	k8s.io/kubectl $staging
	k8s.io/kubernetes v$kubernetes
)

replace (
$replaced
)
MOD
go mod tidy -modfile="$file"
