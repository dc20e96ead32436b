/**
 * What a node learns before it can ask: its role, its token, and where the API is. Pure. It has only
 * what is the node's own, as everybody in the guest reads it.
 */
import { bootstrapOf } from '../cluster-templates/template-rules.js';
import { kubeadmScript } from './kubeadm-script.js';
import { k3sScript } from './k3s-script.js';
import type { UserDataInput } from './user-data-input.js';

/** Where the token goes, which follows from the service's key and is in no row. */
export const NODE_TOKEN = '$node_token';
/** Where the stack puts the addresses that it alone knows. */
export const API_ADDRESS = '$api_address';
export const API_PUBLIC_ADDRESS = '$api_public_address';

export function renderUserData(input: UserDataInput): string {
  const { cluster } = input;
  const script = SCRIPTS[bootstrapOf(cluster.labels)](input);
  return [
    '#cloud-config',
    ...keyLines(cluster.publicKey),
    'write_files:',
    ...fileLines('/etc/cumulet/node.env', '0600', settingsOf(input)),
    ...(script === undefined
      ? []
      : [
          ...fileLines('/usr/local/sbin/cumulet-bootstrap', '0700', script),
          'runcmd:',
          '  - [/usr/local/sbin/cumulet-bootstrap]',
        ]),
    '',
  ].join('\n');
}

const SCRIPTS: Readonly<
  Record<ReturnType<typeof bootstrapOf>, (input: UserDataInput) => readonly string[] | undefined>
> = {
  // The image knows what to do.
  cumulet: () => undefined,
  k3s: k3sScript,
  kubeadm: kubeadmScript,
};

function settingsOf({ cluster, id, name, role, caPem, guestUrl }: UserDataInput): string[] {
  return [
    `CUMULET_CLUSTERS_URL=${guestUrl}`,
    `CUMULET_CLUSTER_ID=${cluster.id}`,
    `CUMULET_NODE_ID=${id}`,
    `CUMULET_NODE_NAME=${name}`,
    `CUMULET_NODE_ROLE=${role}`,
    `CUMULET_NODE_TOKEN=${NODE_TOKEN}`,
    `CUMULET_API_URL=https://${API_ADDRESS}:${cluster.blueprint.apiPort}`,
    `CUMULET_API_PUBLIC_ADDRESS=${API_PUBLIC_ADDRESS}`,
    `CUMULET_CA_CERT=${Buffer.from(caPem).toString('base64')}`,
  ];
}

function keyLines(publicKey: string | null): string[] {
  return publicKey === null
    ? []
    : ['ssh_authorized_keys:', `  - ${JSON.stringify(publicKey.trim())}`];
}

function fileLines(path: string, permissions: string, content: readonly string[]): string[] {
  return [
    `  - path: ${path}`,
    `    permissions: '${permissions}'`,
    '    content: |',
    ...content.map((line) => (line === '' ? '' : `      ${line}`)),
  ];
}
