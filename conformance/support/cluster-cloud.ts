/** What specs of clusters share: a cloud whose simulated nodes are ready at once, and what they are of. */
import { CatalogSession } from './catalog-session.js';
import { NODE_IMAGE, uploadNodeImage } from './cloud-clusters.js';
import { readCloudEntry } from './cloud-entry.js';
import { withCloud, type CloudWithUsers } from './cloud-with-users.js';
import { eventually } from './eventually.js';
import type { OpenStackClient } from './openstack-client.js';
import { PythonEnvironment } from './python-environment.js';
import { STACK_CLOUD } from './stack-cloud.js';
import { words } from './words.js';

const LIMIT_MS = 180_000;
/** Clusters say soon how they are. */
const CLUSTER_CLOUD = { ...STACK_CLOUD, CLUSTERS_HEALTH_SECONDS: '1' };

type Fields = Readonly<Record<string, unknown>>;

/** Options with which the client makes a template. */
export const TEMPLATE = words`--coe kubernetes --image ${NODE_IMAGE} --external-network public
  --flavor m1.micro --master-flavor m1.micro`;

/**
 * Starts the cloud, with an image of nodes, before the tests of the file, and ends it after them.
 * @param prepare gets it, and makes what the tests begin with
 */
export function withClusterCloud(prepare: (started: CloudWithUsers) => Promise<void> | void): void {
  withCloud(CLUSTER_CLOUD, async (started) => {
    const python = await PythonEnvironment.install('openstack-client');
    const admin = await readCloudEntry(python, started.cloud.cloudsYaml, 'cumulet-admin');
    await uploadNodeImage(await CatalogSession.open(admin));
    await prepare(started);
  });
}

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
