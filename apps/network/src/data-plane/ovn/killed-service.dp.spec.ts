/** SIGKILL of the service: traffic continues, and rows and traffic agree again. */
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exampleEnvironment } from '@cumulet/common/config/settings';
import { TestProcess } from '@cumulet/testing/process/child-process';
import { eventually } from '@cumulet/testing/settle';
import { startNetwork, type NetworkFixture, type Wire } from '../../network.fixture.js';
import { networkService } from '../../service.js';
import { namespaceFor, tapOf } from '../data-plane.js';
import { OvsdbClient } from '../ovsdb/ovsdb-client.js';
import { namespaceOf, socketOf } from './host/host-settings.js';
import { findOvnPrograms, PROGRAM_ROOTS } from './host/ovn-programs.js';
import { planPlug, SWITCH_DATABASE, SWITCH_TABLES } from './host/switch-rows.js';
import { removeNamespace } from './host/switch-namespace.js';
import {
  namespacesOf,
  removeNamespace as removePortNamespace,
} from './host/namespaces/port-namespace.js';
import { tapsIn } from './host/taps/tap-devices.js';
import { serveIn, TestGuest } from './host/test-guest.fixture.js';

/** Ends a hung test: a quiet machine takes seconds. */
const AGREE_MS = 100_000;

let network: NetworkFixture;
let worker: TestProcess;
let dataDir: string;
let group: Wire;
/** Ports of a program of the host, each in a network namespace. */
let placed: [Wire, Wire];
let servers: ChildProcess[];
let ports: [Wire, Wire];
/** Plugged in by the service itself. */
let bound: Wire;
let one: TestGuest;
let other: TestGuest;

async function startWorker(): Promise<void> {
  worker = TestProcess.start(
    new URL('../../service-process.fixture.ts', import.meta.url),
    Object.entries({
      ...exampleEnvironment(networkService.settings),
      NETWORK_DATABASE_URL: network.database.url,
      NETWORK_DATA_DIR: dataDir,
      NETWORK_DATA_PLANE: 'ovn',
      NETWORK_PHYSICAL_NETWORKS: '',
      NETWORK_HOST: '127.0.0.1',
      NETWORK_PORT: '0',
      CUMULET_HOST: 'here',
      CUMULET_ROLE: 'worker',
      CUMULET_LOG_LEVEL: 'silent',
    }).map(([name, value]) => `${name}=${value}`),
  );
  await worker.printed('ready');
}

const folder = (): string => join(dataDir, 'ovn');

async function plug(port: Wire): Promise<TestGuest> {
  const programs = await findOvnPrograms(PROGRAM_ROOTS);
  if (typeof programs === 'string') throw new Error(`OVN cannot be tested: ${programs}`);
  const guest = await TestGuest.start({
    switchNamespace: namespaceOf(folder()),
    macAddress: String(port['mac_address']),
    ethtool: programs.commands.ethtool,
  });
  const client = new OvsdbClient({
    address: socketOf(folder(), 'switch'),
    database: SWITCH_DATABASE,
    tables: SWITCH_TABLES,
  });
  client.start();
  await client.ready();
  await client.transact(planPlug(guest.device, port.id));
  client.stop();
  await guest.hasAddress(`${addressOf(port)}/24`);
  return guest;
}

const addressOf = ({ fixed_ips: [first] }: Wire): string => first?.ip_address ?? '';
const answers = (port: number) => one.reaches(addressOf(ports[1]), port);
const isUp = async ({ id }: Wire) => (await network.show('ports', id)).status === 'ACTIVE';
const spaceOf = ({ id }: Wire) => namespaceFor(namespaceOf(folder()), id);
const placesAnswer = () => Promise.all(placed.map((port) => one.reaches(addressOf(port), 80)));
const hasTap = async () =>
  (await tapsIn(namespaceOf(folder()))).some(({ device }) => device === tapOf(bound.id));
const remove = (path: string) => network.client.delete(`/v2.0/${path}`, { token: network.member });
const open = (port: number) =>
  network.create('security_group_rules', {
    security_group_id: group.id,
    direction: 'ingress',
    protocol: 'tcp',
    port_range_min: port,
    port_range_max: port,
  });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cumulet-killed-'));
  network = await startNetwork({ config: { role: 'api' } });
  await startWorker();
  const { network: own } = await network.networkWith('10.0.1.0/24');
  group = await network.create('security_groups', { name: 'web' });
  const port = () => network.create('ports', { network_id: own.id, security_groups: [group.id] });
  ports = [await port(), await port()];
  bound = await network.create(
    'ports',
    { network_id: own.id, project_id: network.project, 'binding:host_id': 'here' },
    network.service,
  );
  const place = () => {
    const at = { 'binding:host_id': 'here', 'binding:profile': { network_namespace: 'own' } };
    const asked = { network_id: own.id, project_id: network.project, security_groups: [group.id] };
    return network.create('ports', { ...asked, ...at }, network.service);
  };
  placed = [await place(), await place()];
  await open(80);
  await eventually('OVN knows the ports', () => worked(), AGREE_MS);
  [one, other] = [await plug(ports[0]), await plug(ports[1])];
  await other.serve(80);
  await other.serve(81);
  for (const port of placed) await eventually('it is up', () => isUp(port), AGREE_MS);
  servers = await Promise.all(placed.map((port) => serveIn(spaceOf(port), 80)));
  await eventually(
    'all answer',
    async () => (await answers(80)) && (await placesAnswer())[1] === true,
    AGREE_MS,
  );
});
afterAll(async () => {
  for (const server of servers) server.kill('SIGKILL');
  for (const guest of [one, other]) await guest.stop();
  await worker.terminate();
  for (const name of await namespacesOf(namespaceOf(folder()))) await removePortNamespace(name);
  await network.stop();
  await removeNamespace(namespaceOf(folder()));
  await rm(dataDir, { recursive: true });
});

/** Whether no job is left. */
async function worked(): Promise<boolean> {
  const rows: unknown[] = await network.app.dataSource.query(
    `SELECT FROM ports WHERE state IN ('building', 'updating', 'removing')`,
  );
  return rows.length === 0;
}

describe('after SIGKILL of the network service', () => {
  it('traffic continues, and requests made meanwhile are applied after the next start', async () => {
    await eventually('the bound port is up', () => isUp(bound), AGREE_MS);
    await worker.kill();
    expect(await answers(80)).toBe(true);
    const rule = await open(81);
    const [stays, goes] = placed;
    for (const { id } of [bound, goes]) await remove(`ports/${id}`);
    expect([await answers(81), await hasTap()]).toEqual([false, true]);
    expect(await placesAnswer()).toEqual([true, true]);

    await startWorker();
    await eventually('what was opened is open', () => answers(81), AGREE_MS);
    expect(await answers(80)).toBe(true);
    await eventually('the device is gone', async () => !(await hasTap()), AGREE_MS);
    const spaces = () => namespacesOf(namespaceOf(folder()));
    await eventually('so is a namespace', async () => (await spaces()).length === 1, AGREE_MS);
    expect(await spaces()).toEqual([spaceOf(stays)]);
    expect(await placesAnswer()).toEqual([true, false]);
    await remove(`security-group-rules/${rule.id}`);
    await eventually('it is closed', async () => !(await answers(81)), AGREE_MS);
  });

  it('interrupted work is completed after the next start', async () => {
    const { network: own } = await network.networkWith('10.0.2.0/24');
    const bodies = Array.from({ length: 20 }, () => ({ network_id: own.id }));
    let isAnswered = false;
    const made = network.client
      .post('/v2.0/ports', { token: network.member, body: { ports: bodies } })
      .finally(() => (isAnswered = true));
    // Jobs start before the answer arrives; if that is late, most are done by then.
    await eventually('some are in work', async () => isAnswered || !(await worked()), AGREE_MS);
    await worker.kill();
    expect((await made).status).toBe(201);
    await startWorker();
    await eventually('all is done', worked, AGREE_MS);
    expect(await answers(80)).toBe(true);
    const left: { state: string; count: string }[] = await network.app.dataSource.query(
      'SELECT state, count(*) FROM ports GROUP BY state',
    );
    expect(left.map(({ state }) => state)).toEqual(expect.not.arrayContaining(['error']));
  });
});
