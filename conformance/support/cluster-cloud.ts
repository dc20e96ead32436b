/** What specs of clusters share: what clusters are made of, and how they become what they are to be. */
import { NODE_IMAGE } from './cloud-clusters.js';
import { eventually } from './eventually.js';
import type { OpenStackClient } from './openstack-client.js';
import { words } from './words.js';

const LIMIT_MS = 180_000;

type Fields = Readonly<Record<string, unknown>>;

/** Options with which the client makes a template. */
export const TEMPLATE = words`--coe kubernetes --image ${NODE_IMAGE} --external-network public
  --flavor m1.micro --master-flavor m1.micro`;

/** Makes a cluster of a master and a worker of that name, of a template `<name>-template`. */
export async function makeCluster(client: OpenStackClient, name: string): Promise<Fields> {
  await client.text(...words`coe cluster template create ${name}-template`, ...TEMPLATE);
  await client.text(...words`coe cluster create ${name} --cluster-template ${name}-template`);
  return clusterBecomes(client, name, { status: 'CREATE_COMPLETE' });
}

/**
 * Waits until the cluster is shown with these values.
 * @throws Error as soon as what is done with it has failed
 */
export async function clusterBecomes(
  client: OpenStackClient,
  name: string,
  wanted: Fields,
): Promise<Fields> {
  return eventually(`${name} with ${JSON.stringify(wanted)}`, LIMIT_MS, async () => {
    const shown = await client.json<Fields>(...words`coe cluster show ${name}`);
    const { status, status_reason: reason } = shown;
    if (String(status).endsWith('_FAILED')) throw new Error(`${String(status)}: ${String(reason)}`);
    const isThere = Object.entries(wanted).every(([field, value]) => shown[field] === value);
    return isThere ? shown : undefined;
  });
}
