/**
 * Load balancers of real HAProxy that are changed at random while the cloud's process, service and
 * agent alike, is killed: each ends ACTIVE or in ERROR with its reason, HAProxy runs what the rows say,
 * and what is deleted leaves no process, file or port. `npm run chaos`; CHAOS_LOAD_BALANCER_CHANGES
 * says how many changes are accepted (200).
 */
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { RunningCloud } from '../support/running-cloud.js';
import { CloudClient } from './cloud-client.js';
import { change, rowsOf, send, wholeTree, type TreeRow } from './load-balancer-changes.js';
import { SIMULATED } from './settings.js';

const CHANGES = Number(process.env['CHAOS_LOAD_BALANCER_CHANGES'] ?? 200);
const TREES = 6;
const CLIENTS = 4;
const HOUR = 3_600_000;
/** After the last restart, nothing is under way for longer. */
const SETTLED_MS = 120_000;
/** The least and the most changes between two kills. */
const KILL_AFTER = [10, 40] as const;

const SETTINGS = {
  ...SIMULATED,
  NETWORK_DATA_PLANE: 'user',
  LOADBALANCER_DATA_PLANE: 'haproxy',
  LOADBALANCER_LOOPBACK_MEMBERS: 'true',
};

interface Member {
  readonly address: string;
  readonly protocol_port: number;
}

describe('load balancers of a cloud that is killed again and again', () => {
  let left = CHANGES;
  let named = 0;
  let kills = 0;
  let cloud: RunningCloud;
  let client: CloudClient;
  let subnetId: string;

  beforeAll(async () => {
    cloud = await RunningCloud.start(SETTINGS);
    client = new CloudClient(cloud);
    await client.logIn();
    const { body } = await client.send('GET', '/networking/v2.0/subnets?name=vips');
    subnetId = (body as { subnets: { id: string }[] }).subnets[0]?.id ?? '';
  }, HOUR);
  afterAll(() => cloud.remove(), HOUR);

  const trees = (): Promise<TreeRow[] | undefined> => rowsOf<TreeRow>(client, '/loadbalancers');

  it(
    'are carried on with, and nothing answers 500',
    async () => {
      const working = Array.from({ length: CLIENTS }, async () => {
        while (left > 0) {
          const status = await step();
          if (status === 0) await client.reach();
          else if (status < 400) left -= 1;
        }
      });
      await Promise.all([...working, killMeanwhile()]);
      // Whatever has been deleted, there is something to look at.
      await eventually('some trees', SETTLED_MS, async () => {
        const stay = (await trees())?.filter((one) => one.provisioning_status !== 'PENDING_DELETE');
        if (stay && stay.length >= 2) return true;
        await create();
        return undefined;
      });
      expect(client.failures).toEqual([]);
    },
    HOUR,
  );

  it(
    'are ACTIVE, or in ERROR with the reason, soon after the last restart',
    async () => {
      const rows = await eventually('settled trees', SETTLED_MS, async () => {
        const found = await trees();
        const isSettled = found?.every((one) => !one.provisioning_status.startsWith('PENDING'));
        return isSettled === true ? found : undefined;
      });
      expect(rows.length).toBeGreaterThan(0);
      const broken = rows.filter((one) => one.provisioning_status !== 'ACTIVE');
      expect(broken.filter((one) => !one.provisioning_status_reason)).toEqual([]);
    },
    HOUR,
  );

  it(
    'run as their rows say',
    async () => {
      const rows = ((await trees()) ?? []).filter((one) => one.provisioning_status === 'ACTIVE');
      expect(rows).not.toEqual([]);
      for (const tree of rows) {
        const text = await configuration(tree.id);
        const listeners = await details<{ protocol_port: number }>('/listeners', tree.listeners);
        const binds = listeners.map((one) => `${tree.vip_address}:${one.protocol_port}`);
        expect(endpointsOf(text, 'bind')).toEqual(binds.sort());
        const used = listeners.some((one) => 'default_pool_id' in one && one.default_pool_id);
        const wanted = used ? await membersOf(tree) : [];
        expect(endpointsOf(text, 'server')).toEqual(wanted);
        for (const bind of binds) await expect(answers(bind)).resolves.toBe(true);
      }
    },
    HOUR,
  );

  it(
    'leave nothing once they are deleted',
    async () => {
      await eventually('all gone', SETTLED_MS, async () => {
        const rows = await trees();
        for (const { id } of rows ?? [])
          await send(client, 'DELETE', `/loadbalancers/${id}?cascade=true`);
        return rows?.length === 0 ? true : undefined;
      });
      await eventually('no folder left', SETTLED_MS, async () =>
        (await files(/haproxy\.cfg$/)).length === 0 ? true : undefined,
      );
      await eventually('no process left', SETTLED_MS, async () =>
        (await proxies(cloud)).length === 0 ? true : undefined,
      );
      const { body } = await client.send('GET', '/networking/v2.0/ports', { as: 'admin' });
      const { ports } = body as { ports: { device_owner: string }[] };
      expect(ports.filter((port) => port.device_owner === 'Octavia')).toEqual([]);
      const answered = [...client.statuses].sort().map(([status, times]) => `${status}: ${times}`);
      console.log(
        `${CHANGES} changes, killed ${kills} times; answers by status (0: none): ${answered.join(', ')}`,
      );
    },
    HOUR,
  );

  /** @returns the status that it was answered with; 0 where it was not */
  async function step(): Promise<number> {
    const rows = (await trees()) ?? [];
    const one = rows[Math.floor(Math.random() * rows.length)];
    if (one !== undefined && (rows.length >= TREES || Math.random() > 0.3))
      return (await change(client, one)).status;
    return create();
  }

  async function create(): Promise<number> {
    const name = `chaos-${(named += 1)}`;
    return (await send(client, 'POST', '/loadbalancers', wholeTree(name, subnetId))).status;
  }

  async function killMeanwhile(): Promise<void> {
    for (;;) {
      const [least, most] = KILL_AFTER;
      const next = left - least - Math.floor(Math.random() * (most - least));
      await eventually('further changes', HOUR, () =>
        Promise.resolve(left <= Math.max(next, 0) || undefined),
      );
      if (left <= 0) return;
      await cloud.kill();
      kills += 1;
      await cloud.start();
    }
  }

  async function files(pattern: RegExp): Promise<string[]> {
    const lists = cloud.folders.map(async (folder) => {
      // That of load balancers goes with the last of them.
      const entries = await readdir(folder, { recursive: true }).catch(() => []);
      return entries.map((entry) => join(folder, entry));
    });
    return (await Promise.all(lists)).flat().filter((path) => pattern.test(path));
  }

  async function configuration(id: string): Promise<string> {
    const [file] = (await files(/haproxy\.cfg$/)).filter((path) => path.includes(id));
    return file === undefined ? '' : readFile(file, 'utf8');
  }

  async function details<T>(path: string, of: readonly { id: string }[]): Promise<T[]> {
    const answered = await Promise.all(of.map(({ id }) => send(client, 'GET', `${path}/${id}`)));
    return answered.map(({ body }) => Object.values(body as Record<string, T>)[0] as T);
  }

  /** As `address:port`, sorted. */
  async function membersOf({ pools }: TreeRow): Promise<string[]> {
    const lists = pools.map(({ id }) => rowsOf<Member>(client, `/pools/${id}/members`));
    const all = (await Promise.all(lists)).flatMap((one) => one ?? []);
    return all.map((one) => `${one.address}:${one.protocol_port}`).sort();
  }
});

/** Addresses in the lines that begin with this word, each once, sorted. */
function endpointsOf(text: string, word: 'bind' | 'server'): string[] {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/));
  const found = lines.filter(([first]) => first === word);
  const at = word === 'bind' ? 1 : 2;
  return [...new Set(found.map((line) => (line[at] ?? '').replaceAll(/["']/g, '')))].sort();
}

/** Whether anything listens there. */
async function answers(endpoint: string): Promise<boolean> {
  const [host = '', port] = endpoint.split(':');
  const socket = connect(Number(port), host);
  await once(socket, 'connect');
  socket.destroy();
  return true;
}

async function proxies(cloud: RunningCloud): Promise<number[]> {
  const all = await cloud.processes();
  const names = all.map(async (pid) => {
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    return name.trim() === 'haproxy' ? [pid] : [];
  });
  return (await Promise.all(names)).flat();
}
