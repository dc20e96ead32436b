/**
 * The first boot of a node on an operator's own image that has k3s. Public source: K3s
 * documentation, "Certificates: Using custom CA certificates" and "High availability embedded etcd".
 */
import { FETCH, heartbeat } from './fetch-script.js';
import type { UserDataInput } from './user-data-input.js';

/** Where k3s looks for custom authorities. */
const TLS = '/var/lib/rancher/k3s/server/tls';

/** Our files for those that k3s would generate. */
const AUTHORITIES: readonly (readonly [file: string, name: string])[] = [
  ['server-ca.crt', 'ca.crt'],
  ['server-ca.key', 'ca.key'],
  ['client-ca.crt', 'ca.crt'],
  ['client-ca.key', 'ca.key'],
  ['request-header-ca.crt', 'front-proxy-ca.crt'],
  ['request-header-ca.key', 'front-proxy-ca.key'],
  ['service.key', 'service-account.key'],
  ['etcd/peer-ca.crt', 'etcd-ca.crt'],
  ['etcd/peer-ca.key', 'etcd-ca.key'],
  ['etcd/server-ca.crt', 'etcd-ca.crt'],
  ['etcd/server-ca.key', 'etcd-ca.key'],
];

export function k3sScript({ role }: UserDataInput): string[] {
  const isMaster = role === 'master';
  return [
    ...FETCH,
    ...(isMaster ? SERVER : AGENT),
    ...heartbeat({ program: 'k3s', service: 'k3s', isMaster }),
  ];
}

const SHARED = [
  'command -v k3s >/dev/null || { report boot FAILED "The image has no k3s."; exit 1; }',
  'install -d /etc/rancher/k3s',
  'token=$(setting join token)',
];

const SERVER = [
  ...SHARED,
  ...AUTHORITIES.map(([file, name]) => `certificate ${name} ${TLS}/${file}`),
  'first=$(setting etcd founder)',
  '{ echo "token: $token"; echo "node-name: $CUMULET_NODE_NAME"; echo "tls-san: [\\"$api\\"${CUMULET_API_PUBLIC_ADDRESS:+, \\"$CUMULET_API_PUBLIC_ADDRESS\\"}]"',
  '  echo "cluster-cidr: $(setting cluster pod_cidr)"; echo "service-cidr: $(setting cluster service_cidr)"; echo "cluster-dns: $(setting cluster dns_ip)"',
  '  echo "disable: [traefik, servicelb]"; echo "disable-cloud-controller: true"',
  '  [ "$first" = True ] && echo "cluster-init: true" || echo "server: $CUMULET_API_URL"; } > /etc/rancher/k3s/config.yaml',
  ...unitOf('server'),
  'until k3s kubectl get --raw /readyz >/dev/null 2>&1; do report api IN_PROGRESS "Waiting for the API."; sleep 5; done',
];

const AGENT = [
  ...SHARED,
  '{ echo "token: $token"; echo "node-name: $CUMULET_NODE_NAME"; echo "server: $CUMULET_API_URL"; } > /etc/rancher/k3s/config.yaml',
  ...unitOf('agent'),
];

function unitOf(command: 'server' | 'agent'): string[] {
  return [
    'unit k3s.service <<EOF',
    '[Unit]',
    'After=network-online.target',
    'Wants=network-online.target',
    '[Service]',
    'Type=exec',
    `ExecStart=$(command -v k3s) ${command}`,
    'Restart=always',
    'RestartSec=5',
    'Delegate=yes',
    'KillMode=process',
    'LimitNOFILE=1048576',
    '[Install]',
    'WantedBy=multi-user.target',
    'EOF',
  ];
}
