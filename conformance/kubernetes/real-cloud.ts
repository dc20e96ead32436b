/** What specs of real clusters share: a cloud of real machines, its images of nodes, and kubectl. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from '@jest/globals';
import { withCloud, type CloudWithUsers } from '../support/cloud-with-users.js';
import { words } from '../support/words.js';
import { Kubectl } from './kubectl.js';
import { patiently } from './patiently.js';
import { BUILD_LIMIT_MS, kubectlOf, nodeImage, requireMemory } from './node-image.js';

export const MINUTES = 60_000;
/** Ends what hangs: nodes that are emulated side by side on a busy machine take many minutes. */
export const BOOT_LIMIT_MS = 45 * MINUTES;

/** Where `npm run node-image` leaves its files. */
const BUILT =
  process.env['CUMULET_NODE_IMAGES'] ?? fileURLToPath(new URL('../../.cumulet', import.meta.url));

export type Fields = Readonly<Record<string, unknown>>;

export class RealCloud {
  constructor(
    readonly users: CloudWithUsers,
    private readonly folder: string,
  ) {}

  show(name: string): Promise<Fields> {
    return this.users.demo.json<Fields>(...words`coe cluster show ${name}`);
  }

  /** @returns once the image of this version is there, as a template of the same name */
  async template(name: string, version: string): Promise<void> {
    const image = await nodeImage(BUILT, version);
    const { admin, demo } = this.users;
    await admin.text(
      ...words`image create --public --disk-format qcow2 --file ${image.path} --min-disk ${String(image.minDisk)} --min-ram ${String(image.minRam)}`,
      ...image.properties.flatMap((one) => ['--property', one]),
      name,
    );
    await demo.text(
      ...words`coe cluster template create --coe kubernetes --image ${name} --external-network public
        --flavor k8s.worker --master-flavor k8s.master --master-lb-enabled ${name}`,
    );
  }

  /** @throws Error with what the cluster, and its nodes' consoles, say where it has failed */
  async becomes(name: string, status: string): Promise<Fields> {
    return patiently(`${name} is ${status}`, BOOT_LIMIT_MS, async () => {
      const shown = await this.show(name);
      if (!String(shown['status']).endsWith('_FAILED'))
        return shown['status'] === status ? shown : undefined;
      throw new Error(`${JSON.stringify(shown)}\n${await this.#consoles()}`);
    });
  }

  /** With a kubeconfig as the stock client writes it now. @param version of the program */
  async kubectl(name: string, version: string): Promise<Kubectl> {
    const folder = await mkdtemp(join(this.folder, `${name}-`));
    await this.users.demo.text(...words`coe cluster config --dir ${folder} --output-certs ${name}`);
    return new Kubectl(await kubectlOf(BUILT, version, folder), folder);
  }

  /** Kills the machine of the first server with this in its name. @returns the server's name */
  async kill(part: string): Promise<string> {
    const { cloud, demo } = this.users;
    const servers = await demo.json<{ ID: string; Name: string }[]>(...words`server list`);
    const server = servers
      .sort((a, b) => a.Name.localeCompare(b.Name))
      .find(({ Name: name }) => name.includes(part));
    const [pid] = [...(await cloud.guests())].find(([, id]) => id === server?.ID) ?? [];
    if (server === undefined || pid === undefined) throw new Error(`no machine of ${part} runs`);
    process.kill(pid, 'SIGKILL');
    return server.Name;
  }

  /** @returns how it is once its health is that */
  async isHealth(name: string, status: string, limitMs: number): Promise<Fields> {
    return patiently(`${name} is ${status}`, limitMs, async () => {
      const shown = await this.show(name);
      return shown['health_status'] === status ? shown : undefined;
    });
  }

  /** Deletes it, and waits until it is gone. */
  async remove(name: string): Promise<void> {
    const { demo } = this.users;
    await demo.text(...words`coe cluster delete ${name}`);
    await patiently(`${name} is gone`, 20 * MINUTES, async () => {
      const { exitCode } = await demo.run(...words`coe cluster show ${name}`);
      return exitCode === 0 ? undefined : true;
    });
  }

  async #consoles(): Promise<string> {
    const { demo } = this.users;
    const servers = await demo.json<{ Name: string }[]>(...words`server list`);
    const logs = servers.map(async ({ Name: name }) => {
      const { stdout } = await demo.run(...words`console log show --lines 60 ${name}`);
      return `--- ${name}\n${stdout}`;
    });
    return (await Promise.all(logs)).join('\n');
  }
}

/**
 * @param gib what the nodes and the cloud take of memory
 * @param prepare gets the cloud, and makes what the tests begin with
 */
export function withRealCloud(gib: number, prepare: (cloud: RealCloud) => Promise<void>): void {
  let users: CloudWithUsers;
  let folder: string | undefined;

  withCloud(
    { COMPUTE_HYPERVISOR: 'qemu', NETWORK_DATA_PLANE: 'ovn', LOADBALANCER_DATA_PLANE: 'haproxy' },
    (cloud) => {
      requireMemory(gib);
      users = cloud;
    },
  );

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cumulet-kubernetes-'));
    const { admin } = users;
    // One processor each: emulated, Linux 6.12 has been seen to fall over on two.
    await admin.text(...words`flavor create --vcpus 1 --ram 2560 --disk 10 k8s.master`);
    await admin.text(...words`flavor create --vcpus 1 --ram 1536 --disk 10 k8s.worker`);
    await prepare(new RealCloud(users, folder));
  }, BUILD_LIMIT_MS);

  afterAll(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
}

/** Waits until Kubernetes has so many nodes, all of them Ready. */
export async function nodesReady(kubectl: Kubectl, count: number): Promise<void> {
  await patiently(`${count} nodes are Ready`, BOOT_LIMIT_MS, async () => {
    const nodes = await kubectl.nodes().catch(() => new Map<string, string>());
    return (nodes.size === count && [...nodes.values()].every((is) => is === 'True')) || undefined;
  });
}
