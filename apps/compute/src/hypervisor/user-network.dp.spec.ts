/** What guests on QEMU's user-mode network have, and what they reach: real Linux guests. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MICRO_BUILD_TIMEOUT_MS } from '@cumulet/testing/micro-image';
import type { BootImage } from './boot-image.js';
import { cache, guestFrom } from './contract/harness.fixture.js';
import { microImage } from './contract/micro-image.fixture.js';
import { QemuWorld } from './contract/qemu-world.fixture.js';
import type { GuestNic, UserLink } from './ports/guest-nic.js';
import { waitUntil } from './wait-until.js';

const GUESTS_TIMEOUT_MS = 120_000;

let world: QemuWorld;
let image: BootImage;
let named: Server;
let unnamed: Server;
/** Of connections to what no guest may reach. */
let intruders = 0;

/** On the host's loopback. */
async function listen(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  world = await QemuWorld.open(process.env['PATH']);
  image = await cache(world.driver, await microImage());
  named = await listen(
    createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (data) => socket.write(`answer to ${data.toString()}`));
    }),
  );
  unnamed = await listen(
    createServer((socket) => {
      intruders += 1;
      socket.end('the host answers\n');
    }),
  );
}, MICRO_BUILD_TIMEOUT_MS);

afterAll(async () => {
  await world.close();
  for (const server of [named, unnamed]) server.close();
});

/** A NIC of a user-mode network. */
type TestLink = Omit<UserLink, 'kind'> & Pick<GuestNic, 'macAddress' | 'mtu'>;

/** @returns what the guest writes to its console until its script has ended */
async function boot(
  links: readonly TestLink[],
  script: readonly string[],
  end = 'script: end',
): Promise<string> {
  const userData = ['#!/bin/sh', ...script].join('\n');
  const guest = guestFrom(image, {
    memoryMb: 256,
    nics: links.map(({ macAddress, mtu, ...link }, position) => {
      return { id: randomUUID(), position, macAddress, mtu, link: { kind: 'user', ...link } };
    }),
    configDrive: {
      metaData: { uuid: '1c0ffee1-0000-4000-8000-000000000001', hostname: 'guest' },
      userData: Buffer.from(`${userData}\n`).toString('base64'),
    },
  });
  await world.driver.disks.ensureDisk(guest);
  await world.driver.machines.ensureRunning(guest);
  const text = (): Promise<string> => world.driver.consoles.consoleOutput(guest.id);
  await waitUntil(async () => (await text()).includes(end), GUESTS_TIMEOUT_MS, 100);
  return text();
}

it(
  'gives a guest the MAC and address of its port, and lets it reach what is named alone',
  async () => {
    const subnet = { cidr: '10.1.0.64/26', gatewayIp: '10.1.0.126', mtu: 1400 };
    const other: TestLink = {
      ...subnet,
      forwards: [],
      address: '10.1.0.70',
      macAddress: 'fa:16:3e:00:00:70',
    };
    await boot(
      [other],
      ['while true; do echo other | nc -l -p 7000; done &', 'echo "script: listening"'],
      'script: listening',
    );
    const to = { host: '127.0.0.1', port: portOf(named) };
    const link: TestLink = {
      ...subnet,
      address: '10.1.0.100',
      macAddress: 'fa:16:3e:00:01:00',
      forwards: [{ address: '10.1.0.65', port: 80, to }],
    };
    const closed = portOf(unnamed);
    const tryTo = (address: string, port: number): string =>
      `nc -w 3 ${address} ${port} </dev/null >/tmp/got 2>/dev/null; echo "from ${address}: <$(cat /tmp/got)>"`;
    const text = await boot(
      [link],
      [
        'echo "mac $(cat /sys/class/net/eth0/address) mtu $(cat /sys/class/net/eth0/mtu)"',
        'echo "addresses $(ip -4 -o addr show eth0 | awk \'{ print $4 }\')"',
        'echo "gateway <$(ip route | grep default)>"',
        'for i in 1 2 3; do { echo "line $i"; sleep 2; } | timeout 4 nc 10.1.0.65 80; done',
        'ip route add default via 10.1.0.126',
        ...['10.1.0.126', '10.1.0.64', '10.1.0.65', '10.0.2.2'].map((one) => tryTo(one, closed)),
        tryTo('10.1.0.70', 7000),
        'echo "script: end"',
      ],
    );
    expect(text).toContain('mac fa:16:3e:00:01:00 mtu 1400');
    expect(text).toContain('addresses 10.1.0.100/26');
    for (const line of [1, 2, 3]) expect(text).toContain(`answer to line ${line}`);
    for (const one of ['10.1.0.126', '10.1.0.64', '10.1.0.65', '10.0.2.2', '10.1.0.70'])
      expect(text).toContain(`from ${one}: <>`);
    expect(intruders).toBe(0);
    expect(text).toContain('gateway <>');
  },
  2 * GUESTS_TIMEOUT_MS,
);

it(
  'gives a guest an address in whatever subnet there is, also while nothing listens where it is forwarded to',
  async () => {
    const gone = await listen(createServer());
    const to = { host: '127.0.0.1', port: portOf(gone) };
    gone.close();
    await once(gone, 'close');
    const links = [
      { cidr: '10.1.0.0/24', address: '10.1.0.9', gatewayIp: '10.1.0.1' },
      // The smallest that has room.
      { cidr: '10.1.1.4/30', address: '10.1.1.6', gatewayIp: '10.1.1.5' },
      // A gateway of its own.
      { cidr: '10.1.2.0/29', address: '10.1.2.1', gatewayIp: '10.1.2.1' },
      // The last address of a large one, without a gateway.
      { cidr: '12.0.0.0/8', address: '12.255.255.254', gatewayIp: null },
    ].map((link, at) => ({
      ...link,
      macAddress: `fa:16:3e:00:02:0${at}`,
      mtu: 1442,
      forwards: at === 0 ? [{ address: '10.1.0.2', port: 80, to }] : [],
    }));
    const text = await boot(links, ['echo "script: end"']);
    expect(text.match(/cumulet: address .*/g)?.map((line) => line.trim())).toEqual([
      'cumulet: address 10.1.0.9',
      'cumulet: address 10.1.1.6 on eth1',
      'cumulet: address 10.1.2.1 on eth2',
      'cumulet: address 12.255.255.254 on eth3',
    ]);
  },
  GUESTS_TIMEOUT_MS,
);
