/** Builds that a host cannot do, on four hosts, the first with the most room. */
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import { HypervisorError } from '../hypervisor/hypervisor-error.js';
import { SimulatedHypervisor } from '../hypervisor/simulated-hypervisor.js';

const NAMES = ['a', 'b', 'c', 'd'];
let hosts: ComputeFixture[];
let first: ComputeFixture;

beforeAll(async () => {
  hosts = [];
  for (const [at, host] of NAMES.entries()) {
    const hypervisor = new SimulatedHypervisor({ host: { memoryMb: 400_000 - at * 100_000 } });
    const beside = hosts[0];
    hosts.push(await startCompute({ config: { host }, hypervisor, ...(beside ? { beside } : {}) }));
  }
  first = hosts[0] as ComputeFixture;
});
afterAll(async () => {
  for (const host of hosts.toReversed()) await host.stop();
});
afterEach(async () => {
  await first.deleteServers();
  await first.app.dataSource.query('UPDATE hosts SET enabled = true');
});

const full = (host: string) => new HypervisorError('capacity', `The disk of ${host} is full.`);

async function built(server: object = {}): Promise<Record<string, unknown>> {
  const id = await first.buildServer(server);
  const token = await first.tokens.issue(['admin']);
  return first.show(id, token);
}

const guests = (): Promise<string[][]> =>
  Promise.all(hosts.map(({ hypervisor }) => hypervisor.guests.list()));

/** Claims by host. */
async function claimed(): Promise<unknown> {
  return first.app.dataSource.query(
    'SELECT host, vcpus::int FROM host_usage WHERE vcpus <> 0 ORDER BY host',
  );
}

it('continues on another host, and leaves nothing on the first', async () => {
  hosts[0]?.hypervisor.failNext('ensureRunning', full('a'));
  const server = await built();
  expect(server).toMatchObject({ status: 'ACTIVE', 'OS-EXT-SRV-ATTR:host': 'b' });
  expect(await guests()).toEqual([[], [server['id']], [], []]);
  expect(await claimed()).toEqual([{ host: 'b', vcpus: 1 }]);
  const rows: unknown = await first.app.dataSource.query('SELECT tried_hosts FROM servers');
  expect(rows).toEqual([{ tried_hosts: [] }]);
});

it('ends on the third host, and the fault lists all attempts', async () => {
  for (const at of [0, 1, 2]) hosts[at]?.hypervisor.failNext('ensureDisk', full(NAMES[at] ?? ''));
  const server = await built();
  expect(server).toMatchObject({
    status: 'ERROR',
    fault: {
      message:
        'The disk of c is full. Its build failed on a: The disk of a is full. ' +
        'Its build failed on b: The disk of b is full.',
    },
  });
  expect(await guests()).toEqual([[], [], [], []]);
  expect(await claimed()).toEqual([]);
});

it('ends if the filters refuse all others, as the fault says', async () => {
  hosts[0]?.hypervisor.failNext('ensureDisk', full('a'));
  const query = '["=", "$host", "a"]';
  const { body } = await first.client.post('/servers', {
    token: first.token,
    body: {
      server: { name: 'one', imageRef: first.images.bootable, flavorRef: '1' },
      'os:scheduler_hints': { query },
    },
  });
  await first.settle();
  const { id } = (body as { server: { id: string } }).server;
  expect(await first.show(id)).toMatchObject({
    status: 'ERROR',
    fault: {
      message: expect.stringMatching(
        /RetryFilter refused 1 of 4.*JsonFilter refused 3 of 3.*Its build failed on a: The disk of a is full\./,
      ),
    },
  });
});

it('ends at once if there is no other host', async () => {
  await first.app.dataSource.query("UPDATE hosts SET enabled = false WHERE name <> 'a'");
  hosts[0]?.hypervisor.failNext('ensureDisk', full('a'));
  expect(await built()).toMatchObject({ fault: { message: 'The disk of a is full.' } });
});

it('ends at once if no host can build the image', async () => {
  hosts[0]?.hypervisor.failNext('ensureDisk', new HypervisorError('bad-image', 'No boot sector.'));
  expect(await built()).toMatchObject({ fault: { message: 'No boot sector.' } });
  expect(await claimed()).toEqual([]);
});
