import { existsSync } from 'node:fs';
import { Agent } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestProcess } from '@cumulet/testing/process/child-process';
import { eventually } from '@cumulet/testing/settle';
import {
  balancerSpec,
  listenerSpec,
  memberSpec,
  monitorSpec,
  poolSpec,
} from '../balancer.fixture.js';
import type { TrafficStatistics } from '../data-plane.js';
import type { BalancerSpec, MemberSpec, PoolSpec } from '../balancer-spec.js';
import { HaproxyDataPlane } from './haproxy-data-plane.js';
import { get, membersOf, ProxyWorld } from './haproxy.fixture.js';
import { balancerFolder } from './process/balancer-folder.js';
import { processesOf } from './process/find-processes.js';

const HOST = { kind: 'host' } as const;

let world: ProxyWorld;
let one: MemberSpec;
let two: MemberSpec;

beforeAll(async () => {
  world = await ProxyWorld.start();
  one = await world.member('one');
  two = await world.member('two');
});
afterAll(() => world.end());

const url = ({ addresses }: BalancerSpec): string => `http://${addresses[0]}:8000/`;

let last = 0;

/** A new one, with a pool of these members. */
function balancer(members: MemberSpec[] = [one, two], pool: Partial<PoolSpec> = {}): BalancerSpec {
  last += 1;
  return balancerSpec({
    id: `balancer-${last}`,
    addresses: [`${world.prefix}.${last}`],
    listeners: [listenerSpec({ port: 8000 })],
    pools: [poolSpec({ members, ...pool })],
  });
}

const apply = (spec: BalancerSpec): Promise<void> => world.dataPlane.apply(spec, HOST);

async function applied(...of: Parameters<typeof balancer>): Promise<BalancerSpec> {
  const spec = balancer(...of);
  await apply(spec);
  return spec;
}

const withPool = (spec: BalancerSpec, fields: Partial<PoolSpec>): BalancerSpec => ({
  ...spec,
  pools: spec.pools.map((pool) => ({ ...pool, ...fields })),
});

describe('a load balancer on HAProxy', () => {
  it('sends requests to its members in turn, at each of its addresses', async () => {
    const spec = { ...balancer(), addresses: [`${world.prefix}.51`, `${world.prefix}.52`] };
    await apply(spec);
    for (const address of spec.addresses) {
      const members = await membersOf(`http://${address}:8000/`, 4);
      expect(members.sort()).toEqual(['one', 'one', 'two', 'two']);
    }
  });

  it('runs without root privileges, and can bind low ports', async () => {
    const { id } = await applied();
    const status = await world.processStatus(await world.worker(id));
    const isRoot = process.getuid?.() === 0;
    expect(status('CapEff')).toBe(isRoot ? '0000000000000400' : '0000000000000000');
    expect(Number(status('Uid').split('\t')[0]) === 0).toBe(false);
  });

  it('serves a port below 1024 if started by root', async () => {
    const spec = { ...balancer(), listeners: [listenerSpec({ port: 80 })] };
    if (process.getuid?.() !== 0) return;
    await apply(spec);
    expect((await get(`http://${spec.addresses[0]}/`)).status).toBe(200);
  });

  it('changes weights, disabled members and addresses without a reload', async () => {
    const spec = await applied();
    const worker = await world.worker(spec.id);

    await apply(withPool(spec, { members: [{ ...one, weight: 0 }, two] }));
    expect(new Set(await membersOf(url(spec), 4))).toEqual(new Set(['two']));
    await apply(withPool(spec, { members: [one, { ...two, enabled: false }] }));
    expect(new Set(await membersOf(url(spec), 4))).toEqual(new Set(['one']));
    await apply(
      withPool(spec, {
        members: [
          { ...one, address: two.address },
          { ...two, weight: 0 },
        ],
      }),
    );
    expect(new Set(await membersOf(url(spec), 4))).toEqual(new Set(['two']));
    await apply(spec);
    expect(new Set(await membersOf(url(spec), 4))).toEqual(new Set(['one', 'two']));

    expect(await world.worker(spec.id)).toBe(worker);
  });

  it('sends nothing to a member that is down, even after a reload', async () => {
    const three = await world.member('three');
    // A stopped member refuses at once; a slow one is not down.
    const monitor = monitorSpec({ delaySeconds: 1, timeoutSeconds: 60, rise: 1, fall: 1 });
    const spec = await applied([one, three], { monitor });
    await world.stopMember('three');
    const health = async (): Promise<string | undefined> =>
      (await world.dataPlane.statistics()).get(spec.id)?.members.get('three');
    await eventually('the member is seen as down', async () => (await health()) === 'ERROR');

    await apply(withPool(spec, { members: [one, two, three] }));
    expect(await health()).toBe('ERROR');
    expect(new Set(await membersOf(url(spec), 6))).toEqual(new Set(['one', 'two']));
    const { members, checks } = (await world.dataPlane.statistics()).get(spec.id) ?? {};
    expect(members?.get('one')).toBe('ONLINE');
    expect(checks?.get('three')).toMatch(/^L4CON: .*(refused|connection problem)/i);
  });

  it('keeps counting through reloads', async () => {
    const spec = await applied();
    const test = { isDone: false };
    const seen: number[] = [];
    const looking = (async () => {
      while (!test.isDone) {
        const now = (await world.dataPlane.statistics()).get(spec.id);
        seen.push(now?.listeners.get('listener-1')?.totalConnections ?? -1);
      }
    })();
    await membersOf(url(spec), 3);
    await apply(withPool(spec, { algorithm: 'LEAST_CONNECTIONS' }));
    await membersOf(url(spec), 2);
    test.isDone = true;
    await looking;
    expect(seen).toEqual(seen.toSorted((one, other) => one - other));
    const carried = async (): Promise<TrafficStatistics | undefined> =>
      (await world.dataPlane.statistics()).get(spec.id)?.listeners.get('listener-1');
    // HAProxy counts a connection as active for a moment after the client has its answer.
    await eventually('none is left', async () => (await carried())?.activeConnections === 0);
    const statistics = await carried();
    expect(statistics).toMatchObject({ totalConnections: 5, requestErrors: 0 });
    expect(statistics?.bytesOut).toBeGreaterThan(5 * 100);
  });

  it('accepts 200 members at once', async () => {
    const spec = await applied();
    const members = Array.from({ length: 200 }, (_, at) => ({
      ...(at % 2 ? one : two),
      id: `m${at}`,
    }));
    await apply(withPool(spec, { members }));
    expect((await world.dataPlane.statistics()).get(spec.id)?.members.size).toBe(200);
    await apply(withPool(spec, { members: members.map((member) => ({ ...member, weight: 0 })) }));
    expect(await membersOf(url(spec), 1)).toEqual(['503']);
  });

  it('fails no request while its configuration changes a hundred times', async () => {
    const spec = await applied();
    const failures: unknown[] = [];
    let isDone = false;
    let requests = 0;
    // Half of them on kept-alive connections.
    const load = Array.from({ length: 4 }, async (_, number) => {
      const agent = number % 2 ? new Agent({ keepAlive: true, maxSockets: 1 }) : false;
      while (!isDone) {
        const answer = await get(url(spec), {}, undefined, agent).catch(
          (error: unknown) => error as Error,
        );
        requests += 1;
        if (answer instanceof Error || answer.status !== 200) failures.push(answer);
      }
      if (agent) agent.destroy();
    });
    for (let at = 0; at < 20; at += 1) {
      // A reload, then four changes without one.
      const more = { ...one, id: `extra-${at}` };
      for (const weight of [1, 2, 0, 3, 1])
        await apply(withPool(spec, { members: [one, { ...two, weight }, more] }));
    }
    isDone = true;
    await Promise.all(load);
    expect(failures).toEqual([]);
    expect(requests).toBeGreaterThan(100);
  });

  it('is never started twice, even by repeated or concurrent calls', async () => {
    const spec = balancer();
    await Promise.all([apply(spec), apply(spec), apply(withPool(spec, { members: [two] }))]);
    const worker = await world.worker(spec.id);
    await apply(withPool(spec, { members: [two] }));
    expect(await world.worker(spec.id)).toBe(worker);
    expect(await membersOf(url(spec), 2)).toEqual(['two', 'two']);
  });

  it('keeps clients on their members through a reload', async () => {
    const spec = await applied([one, two], { persistence: { type: 'SOURCE_IP' } });
    const member = async (): Promise<string | undefined> => (await membersOf(url(spec), 1))[0];
    const stuck = await member();
    // A process does not hand its tables over until it knows that it has no predecessor.
    await eventually('it knows that it has no predecessor', async () =>
      (await world.ask(spec.id, 'show peers')).includes('resync_timeout=<PAST>'),
    );
    const three = { ...two, id: 'a-third' };
    await apply(withPool(spec, { members: [three, two, one], persistence: { type: 'SOURCE_IP' } }));
    await eventually('its successor has learnt it', async () =>
      (await world.ask(spec.id, 'show table pool-1:listener-1')).includes(`server_key=${stuck}`),
    );
    expect(new Set([await member(), await member(), await member()])).toEqual(new Set([stuck]));
  });

  it('is in the data folder if it runs as the current user', async () => {
    const dataDir = join(world.dataDir, 'own');
    const dataPlane = new HaproxyDataPlane(dataDir, {
      ...world.options,
      accountOf: () => undefined,
    });
    const spec = balancer();
    await dataPlane.apply(spec, HOST);
    expect((await get(url(spec))).status).toBe(200);
    expect(existsSync(join(dataDir, spec.id))).toBe(true);
    await dataPlane.remove(spec.id);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('keeps running but does not listen while it is disabled, and can be enabled again', async () => {
    const spec = await applied();
    await apply({ ...spec, enabled: false });
    await expect(get(url(spec))).rejects.toThrow(/ECONNREFUSED/);
    await apply(spec);
    expect((await get(url(spec))).status).toBe(200);
  });
});

describe('a configuration that HAProxy refuses', () => {
  it('is reported in its own words, without paths, while the previous one keeps running', async () => {
    const spec = await applied();
    const broken = {
      ...spec,
      listeners: [
        listenerSpec({
          port: 8000,
          tls: {
            ciphers: null,
            versions: [],
            alpn: [],
            client: null,
            hsts: null,
            bundles: [{ name: 'broken.pem', pem: 'no certificate' }],
          },
        }),
      ],
    };
    const refused = apply(broken).catch((error: unknown) => String(error));
    expect(await refused).toMatch(/BalancerRefusedError: .*broken\.pem/);
    expect(await refused).not.toMatch(/\/|next|configuration\//);
    expect((await get(url(spec))).status).toBe(200);
    await apply(spec);
  });

  it('may have addresses that are in use, at first or later', async () => {
    const spec = balancer();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(8000, spec.addresses[0], resolve));
    await expect(apply(spec)).rejects.toThrow(/address.*in use/i);
    const elsewhere = { ...spec, addresses: [`${world.prefix}.61`] };
    await apply(elsewhere);
    await expect(apply(spec)).rejects.toThrow(/address.*in use/i);
    expect((await get(url(elsewhere))).status).toBe(200);
    await new Promise((resolve) => taken.close(resolve));
    await apply(spec);
    expect((await get(url(spec))).status).toBe(200);
  });

  it('may have UDP listeners', async () => {
    const spec = { ...balancer(), listeners: [listenerSpec({ id: 'udp', protocol: 'UDP' })] };
    await expect(apply(spec)).rejects.toThrow(
      'Listener udp has the protocol UDP, which the provider haproxy does not support.',
    );
    expect(existsSync(balancerFolder(world.dataPlane.root, spec.id).path)).toBe(false);
  });
});

describe('after processes die', () => {
  it('a new service adopts running load balancers', async () => {
    const spec = balancer();
    const service = TestProcess.start(new URL('./killed-service.fixture.ts', import.meta.url), [
      world.dataDir,
      JSON.stringify(spec),
    ]);
    await service.printed('applied');
    await service.kill();
    const worker = await world.worker(spec.id);
    expect(await world.dataPlane.inventory()).toContainEqual({ id: spec.id, isWhole: true });
    await new HaproxyDataPlane(world.dataDir, world.options).apply(spec, HOST);
    expect(await world.worker(spec.id)).toBe(worker);
    expect((await get(url(spec))).status).toBe(200);
  });

  it('a HAProxy without its master or worker is not whole, and the next call restarts it', async () => {
    const spec = await applied();
    for (const pidOf of [() => world.master(spec.id), () => world.worker(spec.id)]) {
      process.kill(await pidOf(), 'SIGKILL');
      await eventually('it is seen as ended', async () =>
        (await world.dataPlane.inventory()).some(({ id, isWhole }) => id === spec.id && !isWhole),
      );
      await apply(spec);
      expect((await get(url(spec))).status).toBe(200);
    }
    expect(processesOf(balancerFolder(world.dataPlane.root, spec.id))).toHaveLength(2);
  });

  it('another agent on the same host stops load balancers of a dead agent of its cloud', async () => {
    // Agents only know each other's folders if HAProxy runs as users of its own.
    if (process.getuid?.() !== 0) return;
    const agents = (['dead cloud', 'next cloud', 'stranger elsewhere'] as const).map((names) => {
      const [name, cloud] = names.split(' ');
      return new HaproxyDataPlane(`${world.dataDir}/${name}`, world.options, cloud);
    });
    const [dead, next, stranger] = agents;
    const [spec, other] = [balancer(), balancer()];
    try {
      for (const one of [spec, other]) await dead?.apply(one, HOST);
      await stranger?.apply({ ...spec, addresses: [`${world.prefix}.53`] }, HOST);
      expect(await dead?.inventory()).toHaveLength(2);
      await next?.apply(spec, HOST);
      expect(await dead?.inventory()).toEqual([{ id: other.id, isWhole: true }]);
      expect(await stranger?.inventory()).toEqual([{ id: spec.id, isWhole: true }]);
      for (const one of [spec, other]) expect((await get(url(one))).status).toBe(200);
    } finally {
      for (const agent of agents)
        for (const { id } of await agent.inventory()) await agent.remove(id);
    }
  });

  it('removing a load balancer leaves nothing behind', async () => {
    const spec = await applied();
    const folder = balancerFolder(world.dataPlane.root, spec.id);
    process.kill(await world.master(spec.id), 'SIGKILL');
    await world.dataPlane.remove(spec.id);
    await world.dataPlane.remove(spec.id);
    expect(processesOf(folder)).toEqual([]);
    expect(existsSync(folder.path)).toBe(false);
    await expect(get(url(spec))).rejects.toThrow(/ECONNREFUSED/);
    expect((await world.dataPlane.statistics()).has(spec.id)).toBe(false);
  });

  it('many load balancers are inspected in one pass', async () => {
    const specs = await Promise.all([applied(), applied(), applied([memberSpec()])]);
    const statistics = await world.dataPlane.statistics();
    expect(specs.map(({ id }) => statistics.get(id)?.members.size)).toEqual([2, 2, 1]);
  });
});
