/**
 * What a node learns before it can ask: its role, its token, and where the API is. Pure. It has only
 * what is the node's own, as everybody in the guest reads it.
 */
import { assignment } from '@cumulet/common/languages/shell';
import { bootstrapOf } from '../cluster-templates/template-rules.js';
import { cloudConfig, type CloudConfig } from '../languages/cloud-config.js';
import { kubeadmScript } from './kubeadm-script.js';
import { k3sScript } from './k3s-script.js';
import type { UserDataInput } from './user-data-input.js';

/** Where the token goes, which follows from the service's key and is in no row. */
export const NODE_TOKEN = '$node_token';
/** Where the stack puts the addresses that it alone knows. */
export const API_ADDRESS = '$api_address';
export const API_PUBLIC_ADDRESS = '$api_public_address';

export function renderUserData(input: UserDataInput): CloudConfig {
  const { cluster } = input;
  const script = SCRIPTS[bootstrapOf(cluster.labels)](input);
  const settings = { path: '/etc/cumulet/node.env', permissions: '0600', lines: settingsOf(input) };
  return cloudConfig({
    publicKeys: cluster.publicKey === null ? [] : [cluster.publicKey.trim()],
    files: [
      settings,
      ...(script === undefined ? [] : [{ path: BOOTSTRAP, permissions: '0700', lines: script }]),
    ],
    commands: script === undefined ? [] : [BOOTSTRAP],
  });
}

const BOOTSTRAP = '/usr/local/sbin/cumulet-bootstrap';

const SCRIPTS: Readonly<
  Record<ReturnType<typeof bootstrapOf>, (input: UserDataInput) => readonly string[] | undefined>
> = {
  // The image knows what to do.
  cumulet: () => undefined,
  k3s: k3sScript,
  kubeadm: kubeadmScript,
};

/** The agent reads them by lines, and scripts as assignments of a shell. */
function settingsOf({ cluster, id, name, role, caPem, guestUrl }: UserDataInput): string[] {
  return [
    assignment('CUMULET_CLUSTERS_URL', guestUrl),
    assignment('CUMULET_CLUSTER_ID', cluster.id),
    assignment('CUMULET_NODE_ID', id),
    assignment('CUMULET_NODE_NAME', name),
    assignment('CUMULET_NODE_ROLE', role),
    `CUMULET_NODE_TOKEN=${NODE_TOKEN}`,
    `CUMULET_API_URL=https://${API_ADDRESS}:${cluster.blueprint.apiPort}`,
    `CUMULET_API_PUBLIC_ADDRESS=${API_PUBLIC_ADDRESS}`,
    assignment('CUMULET_CA_CERT', Buffer.from(caPem).toString('base64')),
  ];
}
