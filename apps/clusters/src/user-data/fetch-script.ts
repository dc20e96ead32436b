/**
 * The common part of the first boot on images without the platform's agent: a script with Python,
 * which every image with cloud-init has.
 */

/** Defines `report PHASE STATUS MESSAGE`, and `certificate` and `setting` to read the answer. */
export const FETCH: readonly string[] = [
  '#!/bin/bash',
  'set -euo pipefail',
  'set -a; . /etc/cumulet/node.env; set +a',
  'ask() { # PATH BODY: what the clusters service answers',
  '  curl --silent --show-error --fail --max-time 30 --retry 60 --retry-delay 5 --retry-all-errors \\',
  '    --header @<(printf "Authorization: Bearer %s\\n" "$CUMULET_NODE_TOKEN") \\',
  '    --header "Content-Type: application/json" --data "$2" \\',
  '    "$CUMULET_CLUSTERS_URL/v1/nodes/$CUMULET_NODE_ID/$1"',
  '}',
  'report() { # PHASE STATUS MESSAGE',
  '  ask report "$(python3 -c \'import json,sys; print(json.dumps(dict(zip(("phase","status","message"), sys.argv[1:]))))\' "$1" "$2" "${3:0:1000}")" >/dev/null || true',
  '}',
  'trap \'report boot FAILED "line $LINENO of the first boot failed: $BASH_COMMAND"\' ERR',
  'report boot IN_PROGRESS "The first boot has begun."',
  'umask 077',
  '[ -s /etc/cumulet/nonce ] || od -An -N16 -tx1 /dev/urandom | tr -d " \\n" > /etc/cumulet/nonce',
  'own=$(ip -4 route get 169.254.169.254 | sed -n "s/.* src \\([0-9.]*\\).*/\\1/p")',
  'api=$(printf %s "$CUMULET_API_URL" | sed "s#https://\\(.*\\):.*#\\1#")',
  'ask bootstrap "$(python3 -c \'import json,sys; print(json.dumps({"nonce": sys.argv[1], "addresses": [a for a in sys.argv[2:] if a]}))\' \\',
  '  "$(cat /etc/cumulet/nonce)" "$own" "$api" "$CUMULET_API_PUBLIC_ADDRESS")" > /etc/cumulet/node.json',
  'certificate() { # NAME FILE: one of the certificates, or keys',
  '  install -D -m 600 /dev/null "$2"',
  '  python3 -c \'import json,sys; sys.stdout.write(json.load(open("/etc/cumulet/node.json"))["pki"][sys.argv[1]])\' "$1" > "$2"',
  '}',
  'setting() { # KEY KEY: a value of the answer',
  '  python3 -c \'import json,sys,functools; print(functools.reduce(lambda d, k: d[k], sys.argv[1:], json.load(open("/etc/cumulet/node.json"))))\' "$@"',
  '}',
  'unit() { # NAME: a unit of systemd, from standard input, that also comes back with the next boot',
  '  install -m 644 /dev/stdin "/etc/systemd/system/$1"',
  '  systemctl daemon-reload',
  '  systemctl enable --now "$1"',
  '}',
  'report certificates IN_PROGRESS "The certificates are there."',
];

export interface Heartbeat {
  /** The program that prints the version: `k3s`, `kubelet`. */
  readonly program: string;
  /** The service that the node cannot do without. */
  readonly service: string;
  readonly isMaster: boolean;
}

/** Reports periodically, also after reboots. */
export function heartbeat({ program, service, isMaster }: Heartbeat): string[] {
  return [
    'install -m 700 /dev/stdin /usr/local/sbin/cumulet-heartbeat <<"EOF"',
    '#!/bin/bash',
    'set -a; . /etc/cumulet/node.env; set +a',
    `version=$(${program} --version | grep -oE "v[0-9]+\\.[0-9]+\\.[0-9]+[0-9A-Za-z.+-]*" | head -1)`,
    'status=READY; message="The node runs."',
    `systemctl is-active --quiet ${service} || { status=FAILED; message="The service ${service} does not run."; }`,
    'curl --silent --fail --max-time 30 --header @<(printf "Authorization: Bearer %s\\n" "$CUMULET_NODE_TOKEN") \\',
    '  --header "Content-Type: application/json" --output /dev/null \\',
    `  --data "{\\"phase\\": \\"ready\\", \\"status\\": \\"$status\\", \\"message\\": \\"$message\\", \\"version\\": \\"$version\\", \\"etcd\\": ${String(isMaster)}}" \\`,
    '  "$CUMULET_CLUSTERS_URL/v1/nodes/$CUMULET_NODE_ID/report"',
    'EOF',
    'install -m 644 /dev/stdin /etc/systemd/system/cumulet-heartbeat.service <<"EOF"',
    '[Service]',
    'Type=oneshot',
    'Environment=PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'ExecStart=/usr/local/sbin/cumulet-heartbeat',
    'EOF',
    'unit cumulet-heartbeat.timer <<"EOF"',
    '[Timer]',
    'OnActiveSec=1',
    'OnBootSec=1',
    'OnUnitInactiveSec=15',
    'AccuracySec=1',
    '[Install]',
    'WantedBy=timers.target',
    'EOF',
  ];
}
