/**
 * Two servers behind a router, made with the openstack client: real guests of QEMU on OVN. What they
 * serve on their floating IPs tells of them, so all of it has come through router and security group.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { withAnyCloud } from '../support/cloud-with-users.js';
import { eventually } from '../support/eventually.js';
import type { OpenStackClient } from '../support/openstack-client.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;
const FETCH_LIMIT_MS = 4_000;
const OPEN = 8000;
const CLOSED = 8001;

type Fields = Readonly<Record<string, unknown>>;

interface Guest {
  readonly name: string;
  readonly fixed: string;
  /** Of its first network card. */
  readonly mac: string;
  readonly floating: string;
}

/** What is done to one of them. `boots`: it comes back as another boot of the guest. */
const STEPS: readonly {
  readonly command: string;
  readonly status: string;
  readonly boots?: true;
}[] = [
  { command: 'server resize --flavor m1.micro --wait', status: 'VERIFY_RESIZE', boots: true },
  { command: 'server resize confirm', status: 'ACTIVE' },
  { command: 'server image create --name copy --wait', status: 'ACTIVE' },
  { command: 'server rebuild --image micro --wait', status: 'ACTIVE', boots: true },
  { command: 'server shelve --wait', status: 'SHELVED_OFFLOADED' },
  { command: 'server unshelve --wait', status: 'ACTIVE', boots: true },
];

let demo: OpenStackClient;
let folder: string;
let one: Guest;
let two: Guest;

withAnyCloud({ COMPUTE_HYPERVISOR: 'qemu', NETWORK_DATA_PLANE: 'ovn' }, async (started) => {
  ({ demo } = started);
  await demo.text(...words`network create inside`);
  await demo.text(...words`subnet create --network inside --subnet-range 10.20.0.0/24 inside-v4`);
  await demo.text(...words`router create --external-gateway public gate`);
  await demo.text(...words`router add subnet gate inside-v4`);
  await demo.text(...words`security group create web`);
  await demo.text(
    ...words`security group rule create --protocol tcp --dst-port ${String(OPEN)} web`,
  );
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cumulet-acceptance-'));
});

afterAll(() => rm(folder, { recursive: true }));

/** What a guest serves: its boot, the other's as it has fetched it, its metadata and its cards. */
const serving = (other: string): string =>
  [
    '#!/bin/sh',
    'mkdir /www && cd /www',
    'cat /proc/sys/kernel/random/boot_id >boot',
    `httpd -p ${OPEN} -h /www; httpd -p ${CLOSED} -h /www`,
    'wget -qO metadata http://169.254.169.254/openstack/latest/meta_data.json',
    'echo "boot is $(cat boot)"',
    'while true; do',
    '  cat /sys/class/net/eth*/address >cards',
    `  timeout 5 wget -qO new http://${other}:${OPEN}/boot 2>/dev/null && mv new fetched`,
    '  sleep 1',
    'done',
    '',
  ].join('\n');

async function create(name: string, fixed: string, other: string): Promise<Guest> {
  const script = join(folder, name);
  await writeFile(script, serving(other));
  const port = await demo.json<Fields>(
    ...words`port create --network inside --fixed-ip ip-address=${fixed} --security-group web`,
    name,
  );
  await demo.text(
    ...words`server create --flavor m1.nano --image micro --port ${name} --user-data ${script}`,
    ...words`--wait ${name}`,
  );
  const { floating_ip_address: floating } = await demo.json<Fields>(
    ...words`floating ip create public`,
  );
  await demo.text(...words`server add floating ip ${name} ${String(floating)}`);
  return { name, fixed, mac: String(port['mac_address']), floating: String(floating) };
}

const statusOf = async ({ name }: Guest): Promise<unknown> =>
  (await demo.json<Fields>(...words`server show ${name}`))['status'];

/** @returns nothing where nobody answers */
async function fetched(guest: Guest, page: string, port = OPEN): Promise<string | undefined> {
  try {
    const response = await fetch(`http://${guest.floating}:${port}/${page}`, {
      signal: AbortSignal.timeout(FETCH_LIMIT_MS),
    });
    return response.ok ? (await response.text()).trim() : undefined;
  } catch {
    return undefined;
  }
}

const serves = (guest: Guest, page: string, holds: (text: string) => boolean): Promise<string> =>
  eventually(`${guest.name} serves ${page}`, 2 * MINUTES, async () => {
    const text = await fetched(guest, page);
    return text !== undefined && holds(text) ? text : undefined;
  });

/** @returns its boot, which the host and the other one have both fetched from it */
async function isFetchedFrom(guest: Guest, other: Guest, boot?: string): Promise<string> {
  const now = await serves(guest, 'boot', (text) => text !== boot);
  await serves(other, 'fetched', (text) => text === now);
  return now;
}

it(
  'fetch from each other, from the host and from their metadata, as their group lets in',
  async () => {
    one = await create('one', '10.20.0.11', '10.20.0.12');
    two = await create('two', '10.20.0.12', '10.20.0.11');
    const boot = await isFetchedFrom(one, two);
    await isFetchedFrom(two, one);
    expect(await fetched(one, 'boot', CLOSED)).toBeUndefined();
    for (const guest of [one, two]) {
      const metadata = await serves(guest, 'metadata', () => true);
      expect(JSON.parse(metadata)).toMatchObject({ name: guest.name });
    }
    expect(await demo.text(...words`console log show one`)).toContain(`boot is ${boot}`);
    const shown = await demo.json<Fields>(...words`server show one`);
    expect(shown['addresses']).toEqual({ inside: [one.fixed, one.floating] });
  },
  10 * MINUTES,
);

it(
  'share what comes to the floating IP of a load balancer',
  async () => {
    const created = await demo.json<Fields>(
      ...words`loadbalancer create --name balancer --vip-subnet-id inside-v4 --wait`,
    );
    await demo.text(
      ...words`loadbalancer listener create --name http --protocol HTTP --protocol-port 80 --wait`,
      'balancer',
    );
    await demo.text(
      ...words`loadbalancer pool create --name guests --listener http --protocol HTTP`,
      ...words`--lb-algorithm ROUND_ROBIN --wait`,
    );
    for (const { name, fixed } of [one, two]) {
      await demo.text(
        ...words`loadbalancer member create --name ${name} --subnet-id inside-v4 --address ${fixed}`,
        ...words`--protocol-port ${String(OPEN)} --wait guests`,
      );
    }
    const { floating_ip_address: floating } = await demo.json<Fields>(
      ...words`floating ip create --port ${String(created['vip_port_id'])} public`,
    );
    const balancer = { name: 'balancer', fixed: '', mac: '', floating: String(floating) };
    const boots = new Set<string>();
    await eventually('both guests answer', 2 * MINUTES, async () => {
      const boot = await fetched(balancer, 'boot', 80);
      if (boot !== undefined) boots.add(boot);
      return boots.size === 2 ? true : undefined;
    });
    expect([...boots].sort()).toEqual(
      (await Promise.all([one, two].map((guest) => fetched(guest, 'boot')))).sort(),
    );
    await demo.text(...words`loadbalancer delete --cascade --wait balancer`);
  },
  10 * MINUTES,
);

it(
  'go on talking whatever is done to one of them',
  async () => {
    let boot = await isFetchedFrom(one, two);
    for (const { command, status, boots } of STEPS) {
      await demo.text(...command.split(' '), 'one');
      expect(await statusOf(one)).toBe(status);
      expect(await statusOf(two)).toBe('ACTIVE');
      expect(await fetched(two, 'boot')).toBeDefined();
      if (boots) boot = await isFetchedFrom(one, two, boot);
    }
  },
  10 * MINUTES,
);

it(
  'get a second network card while they run, and lose it',
  async () => {
    await demo.text(...words`network create second`);
    await demo.text(...words`subnet create --network second --subnet-range 10.30.0.0/24 second-v4`);
    await demo.text(...words`server add network two second`);
    const cards = (await serves(two, 'cards', (text) => text.includes('\n'))).split('\n');
    const ports = await demo.json<Fields[]>(...words`port list --server two`);
    expect(cards.sort()).toEqual(ports.map((port) => port['MAC Address']).sort());
    await demo.text(...words`server remove network two second`);
    await serves(two, 'cards', (text) => text === two.mac);
  },
  5 * MINUTES,
);

it(
  'leave nothing but the ports that they were given',
  async () => {
    await demo.text(...words`server delete --wait one two`);
    expect(await demo.json<Fields[]>(...words`server list`)).toEqual([]);
    const ports = await demo.json<Fields[]>(...words`port list --long`);
    const names = ports.filter((port) => port['Name'] !== '').map((port) => port['Name']);
    expect(names.sort()).toEqual(['one', 'two']);
    expect(ports.filter((port) => String(port['Device Owner']).startsWith('compute:'))).toEqual([]);
  },
  5 * MINUTES,
);
