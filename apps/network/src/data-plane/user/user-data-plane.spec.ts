import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dataPlaneContract, networkSpec, portSpec } from '../data-plane-contract.fixture.js';
import { UserDataPlane } from './user-data-plane.js';

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cumulet-user-'));
});
afterAll(() => rm(root, { recursive: true }));

const newFolder = (): Promise<string> => mkdtemp(join(root, 'one-'));
const opened = async (): Promise<UserDataPlane> => UserDataPlane.open(await newFolder());

describe("the data plane of QEMU's user-mode network", () => {
  dataPlaneContract(async () => ({ dataPlane: await opened(), plug: () => Promise.resolve() }));

  it('reports that nothing can reach a port, and that security groups are not enforced', async () => {
    const { vif } = await opened();
    expect(vif).toEqual({ type: 'user', details: { connectivity: 'none', port_filter: false } });
  });

  it('has the same contents after a restart, and in another process of the host', async () => {
    const folder = await newFolder();
    const [one, other] = [await UserDataPlane.open(folder), await UserDataPlane.open(folder)];
    const network = networkSpec();
    await one.ensureNetwork(network);
    const port = portSpec(network, { host: 'here' });
    expect(await other.ensurePort(port)).toEqual({ id: port.id, isUp: true });
    await expect(one.removeNetwork(network.id)).rejects.toMatchObject({ kind: 'transient' });
    const later = await UserDataPlane.open(folder);
    expect(await later.inventory()).toEqual({
      networks: [network.id],
      securityGroups: [],
      routers: [],
      balancers: [],
      ports: [{ id: port.id, isUp: true }],
    });
    await later.removePort(port.id);
    expect((await one.inventory()).ports).toEqual([]);
  });

  it('removes the remains of an interrupted write', async () => {
    const folder = await newFolder();
    await UserDataPlane.open(folder);
    await writeFile(join(folder, 'ports', 'a.json.b.tmp'), '{');
    expect((await (await UserDataPlane.open(folder)).inventory()).ports).toEqual([]);
  });
});

it('refuses load balancers', async () => {
  const dataPlane = await opened();
  await expect(dataPlane.ensureBalancer()).rejects.toThrow(
    "QEMU's user-mode network does not support load balancers.",
  );
  await dataPlane.removeBalancer();
  expect((await dataPlane.inventory()).balancers).toEqual([]);
});

describe('a port that the user-mode network cannot carry', () => {
  const subnetId = '0f0f0f0f-0000-4000-8000-000000000001';
  const at = (address: string) => ({ subnetId, address });
  const [subnet] = networkSpec().subnets;

  it.each([
    ['none of its own', {}, { addresses: [] }, 'it has no address, but DHCP would assign one'],
    [
      'several addresses',
      {},
      { addresses: [at('10.1.0.5'), at('10.1.0.6')] },
      'it has 2 addresses, but DHCP assigns only one',
    ],
    [
      'an address of version 6',
      { cidr: '2001:db8::/64' },
      { addresses: [at('2001:db8::5')] },
      '2001:db8::5 is not an IPv4 address',
    ],
    [
      'DHCP options of its own',
      {},
      { dhcpOptions: [{ name: 'mtu', value: '1400', ipVersion: 4 }] },
      'DHCP does not support the option mtu',
    ],
    [
      'no DHCP',
      { enableDhcp: false },
      {},
      'its subnet 10.1.0.0/24 has no DHCP, which cannot be switched off',
    ],
    [
      'a subnet without room for the network itself',
      { cidr: '10.1.0.4/31' },
      {},
      '10.1.0.4/31 has no address for the network itself besides 10.1.0.5',
    ],
    [
      'a network namespace of its own',
      {},
      { namespace: 'own' as const },
      'it requires a network namespace of its own, which only OVN provides',
    ],
    [
      'an address that the machine is to have and has not',
      {},
      { namespace: 'host' as const },
      "10.1.0.5 is not one of the machine's own addresses",
    ],
    ['a subnet that is too large', { cidr: '0.0.0.0/1' }, {}, '0.0.0.0/1 is larger than a /4'],
  ])('is refused if it has %s', async (_, subnetFields, portFields, why) => {
    const dataPlane = await opened();
    const network = networkSpec({
      subnets: subnet ? [{ ...subnet, id: subnetId, ...subnetFields }] : [],
    });
    await dataPlane.ensureNetwork(network);
    const port = portSpec(network, { host: 'here', ...portFields });
    await expect(dataPlane.ensurePort(port)).rejects.toMatchObject({
      kind: 'conflict',
      message: `QEMU's user-mode network cannot carry the port: ${why}.`,
    });
    expect(await dataPlane.ensurePort({ ...port, host: null })).toMatchObject({ isUp: false });
  });

  it('is not a port that came before its subnet, which it waits for', async () => {
    const dataPlane = await opened();
    const network = networkSpec();
    await dataPlane.ensureNetwork({ ...network, subnets: [] });
    const port = portSpec(network, { host: 'here' });
    await expect(dataPlane.ensurePort(port)).rejects.toMatchObject({ kind: 'transient' });
    await dataPlane.ensureNetwork(network);
    expect(await dataPlane.ensurePort(port)).toMatchObject({ isUp: true });
  });

  it('is not a port with an address of the machine itself', async () => {
    const dataPlane = await opened();
    const network = networkSpec();
    await dataPlane.ensureNetwork(network);
    const addresses = [at('127.90.0.5')];
    const port = portSpec(network, { host: 'here', namespace: 'host', addresses });
    expect(await dataPlane.ensurePort(port)).toMatchObject({ isUp: true });
  });

  it.each(['10.1.0.4/30', '10.1.0.0/16'])('is not a port on %s', async (cidr) => {
    const dataPlane = await opened();
    const network = networkSpec({ subnets: subnet ? [{ ...subnet, cidr }] : [] });
    await dataPlane.ensureNetwork(network);
    const port = portSpec(network, { host: 'here' });
    expect(await dataPlane.ensurePort(port)).toMatchObject({ isUp: true });
  });
});
