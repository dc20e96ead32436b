/**
 * A node's user data: its role, its token, and the API's address. Pure. It contains only what
 * concerns this node, as everybody in the guest can read it.
 */
import { assignment } from '@cumulet/common/languages/shell';
import { bootstrapOf } from '../cluster-templates/template-rules.js';
import { cloudConfig, type CloudConfig } from '../languages/cloud-config.js';
import { kubeadmScript } from './kubeadm-script.js';
import { k3sScript } from './k3s-script.js';
import type { UserDataInput } from './user-data-input.js';

/** Placeholder for the token, which is derived from the service's key and is in no row. */
export const NODE_TOKEN = '$node_token';
/** Placeholders for addresses that the stack fills in. */
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
  // The image contains the agent.
  cumulet: () => undefined,
  k3s: k3sScript,
  kubeadm: kubeadmScript,
};

/** Read line by line by the agent, and as shell assignments by scripts. */
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
