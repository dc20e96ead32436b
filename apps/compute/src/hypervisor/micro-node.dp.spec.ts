/** The `micro` image of apps/standalone as a node of a cluster, which it plays without Kubernetes. */
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { MICRO_BUILD_TIMEOUT_MS } from '@cumulet/testing/micro-image';
import type { BootImage } from './boot-image.js';
import { ClusterDoor, type Answer, type Report } from './cluster-door.fixture.js';
import { cache, expectState, guestFrom, isolatedNic } from './contract/harness.fixture.js';
import { microImage } from './contract/micro-image.fixture.js';
import { QemuWorld } from './contract/qemu-world.fixture.js';
import type { GuestSpec } from './ports/guest-spec.js';
import { waitUntil } from './wait-until.js';

const BOOT_TIMEOUT_MS = 240_000;
const NODE = '1c0ffee1-0000-4000-8000-00000000000e';
const TOKEN = 'a-Token_1';

let world: QemuWorld;
let image: BootImage;
let door: ClusterDoor | undefined;

beforeAll(async () => {
  world = await QemuWorld.open(process.env['PATH']);
  image = await cache(world.driver, await microImage());
}, MICRO_BUILD_TIMEOUT_MS);

afterEach(() => {
  door?.close();
  door = undefined;
});
afterAll(() => world.close());

/** As the service writes it: six spaces before each line. */
function userData(role: 'master' | 'worker', runcmd: readonly string[] = []): string {
  const settings = {
    CLUSTERS_URL: 'http://10.1.0.65:8080/container-infra',
    CLUSTER_ID: '1c0ffee1-0000-4000-8000-00000000000d',
    NODE_ID: NODE,
    NODE_NAME: `demo-${role}-0`,
    NODE_ROLE: role,
    NODE_TOKEN: TOKEN,
    API_URL: 'https://10.1.0.90:6443',
    API_PUBLIC_ADDRESS: '198.51.100.4',
    CA_CERT: Buffer.from('a certificate').toString('base64'),
  };
  const lines = Object.entries(settings).map(([name, value]) => `      CUMULET_${name}=${value}\n`);
  return `#cloud-config
write_files:
  - path: /etc/cumulet/node.env
    permissions: '0600'
    content: |
${lines.join('')}  - encoding: b64
    content: ${Buffer.from('two\nlines\n').toString('base64')}
    path: "/opt/a folder/file"
  - path: /opt/other
    content: not written
    owner: nobody
  - path: /opt/script
    permissions: "0755"
    content: |-
      #!/bin/sh

      if true; then
        echo "written: $0"
      fi
${runcmd.length > 0 ? 'runcmd:\n' : ''}${runcmd.map((command) => `  - ${command}\n`).join('')}`;
}

async function start(text: string, { port }: ClusterDoor): Promise<GuestSpec> {
  const forward = { address: '10.1.0.65', port: 8080, to: { host: '127.0.0.1', port } };
  const guest = guestFrom(image, {
    memoryMb: 256,
    nics: [
      isolatedNic({
        link: {
          kind: 'user',
          address: '10.1.0.100',
          cidr: '10.1.0.64/26',
          gatewayIp: null,
          forwards: [forward],
        },
      }),
    ],
    configDrive: {
      metaData: { uuid: NODE, hostname: 'micro' },
      userData: Buffer.from(text).toString('base64'),
    },
  });
  await world.driver.disks.ensureDisk(guest);
  await world.driver.machines.ensureRunning(guest);
  return guest;
}

/** @returns what the guest has said, without its kernel, once it says `line` */
async function said({ id }: GuestSpec, line: string): Promise<string> {
  const text = async (): Promise<string> => {
    const all = await world.driver.consoles.consoleOutput(id);
    return all.slice(all.indexOf('cumulet: ')).replaceAll('\r', '');
  };
  await waitUntil(async () => (await text()).includes(line), BOOT_TIMEOUT_MS, 100);
  expect(await text()).toContain(line);
  return text();
}

function ok(body: object): Answer {
  return { status: 200, body };
}

function refusal(status: number): Answer {
  return { status, body: { errors: [{ status, title: 'No', detail: 'because' }] } };
}

function certificates(name: string, generation = 1): Answer {
  const pem = '-----BEGIN CERTIFICATE-----\nMIIB\nAAA=\n-----END CERTIFICATE-----\n';
  return ok({ node: { id: NODE, name }, generation, pki: { 'ca.crt': pem, 'kubelet.crt': pem } });
}

it(
  'writes the files of cloud-config before it runs its commands, and asks for certificates until it is refused',
  async () => {
    door = await ClusterDoor.open({ bootstrap: () => refusal(403), report: () => refusal(403) });
    const commands = [
      "stat -c '%a %n' /etc/cumulet/node.env /opt/*",
      'cat "/opt/a folder/file"',
      '/opt/script',
      'cat /etc/cumulet/node.env',
    ];
    const sent = userData('worker', commands);
    const guest = await start(sent, door);
    const text = await said(guest, 'cumulet: user data exited');
    const expected = [
      'cumulet: user data ignored: cloud-config write_files item 3 is not understood',
      '600 /etc/cumulet/node.env',
      '755 /opt/a folder',
      '755 /opt/script',
      'two',
      'lines',
      'written: /opt/script',
      ...(sent.match(/CUMULET_.*/g) ?? []),
      'cumulet: user data exited 0',
    ];
    expect(text).toContain(expected.join('\n'));
    await said(guest, 'node demo-worker-0 certificates refused: HTTP/1.1 403 Forbidden');
    await waitUntil(() => door?.reports.length === 2, BOOT_TIMEOUT_MS);
    expect(door.asked).toHaveLength(1);
    expect(door.asked[0]?.addresses).toEqual(['10.1.0.100']);
    expect(door.reports).toMatchObject([
      { phase: 'boot', status: 'IN_PROGRESS' },
      { phase: 'certificates', status: 'FAILED' },
    ]);
    await world.driver.guests.destroy(guest.id);
  },
  2 * BOOT_TIMEOUT_MS,
);

it(
  'becomes ready, goes on reporting, takes new certificates, and is the same after a restart',
  async () => {
    let generation = 1;
    const answerTo = ({ status, etcd_removed: removed = [] }: Report): Answer =>
      ok({ generation, interval: 1, etcd_remove: status === 'READY' && removed[0] ? [] : ['old'] });
    const service = await ClusterDoor.open({
      bootstrap: (nth) => (nth === 1 ? refusal(409) : certificates('demo-master-0', generation)),
      report: answerTo,
    });
    door = service;
    const guest = await start(userData('master'), service);
    const text = await said(guest, 'cumulet: node demo-master-0 ready');
    expect(text.match(/cumulet: node .*/g)).toEqual([
      'cumulet: node demo-master-0 waits for certificates: HTTP/1.1 409 Conflict',
      'cumulet: node demo-master-0 certificates',
      'cumulet: node demo-master-0 ready',
    ]);
    const beaten = (wanted: Partial<Report>): Promise<boolean> =>
      waitUntil(
        () => service.reports.some((one) => matches(one, { status: 'READY', ...wanted })),
        BOOT_TIMEOUT_MS,
      );
    expect(await beaten({ etcd_removed: ['old'] })).toBe(true);
    generation = 2;
    expect(await beaten({ generation: 2, etcd: true })).toBe(true);
    expect(service.reports.slice(0, 3)).toMatchObject([
      { phase: 'boot', status: 'IN_PROGRESS' },
      { phase: 'certificates', status: 'IN_PROGRESS', generation: 1 },
      { phase: 'ready', status: 'READY', generation: 1, etcd: true },
    ]);

    await world.driver.machines.powerDown(guest.id);
    await expectState(world.driver, guest.id, 'shutdown');
    service.reports.length = 0;
    await world.driver.machines.ensureRunning(guest);
    expect(await beaten({ generation: 2 })).toBe(true);

    const { nonce = '' } = service.asked[0] ?? {};
    expect(nonce).toMatch(/^[0-9a-f]{64}$/);
    const addresses = ['10.1.0.100', '10.1.0.90', '198.51.100.4'];
    expect(service.asked).toEqual(Array(4).fill({ nonce, addresses }));
    const path = `/container-infra/v1/nodes/${NODE}`;
    expect([...service.senders].sort()).toEqual([
      `POST ${path}/bootstrap Bearer ${TOKEN}`,
      `POST ${path}/report Bearer ${TOKEN}`,
    ]);
    await world.driver.guests.destroy(guest.id);
  },
  3 * BOOT_TIMEOUT_MS,
);

it(
  'takes no certificates of another node',
  async () => {
    door = await ClusterDoor.open({
      bootstrap: () => certificates('demo-worker-1'),
      report: () => ok({ generation: 1, interval: 1, etcd_remove: [] }),
    });
    const guest = await start(userData('worker'), door);
    await said(guest, 'node demo-worker-0 got the certificates of another node');
    await world.driver.guests.destroy(guest.id);
  },
  2 * BOOT_TIMEOUT_MS,
);

function matches(one: object, wanted: object): boolean {
  return Object.entries(wanted).every(
    ([key, value]) => JSON.stringify(one[key as never]) === JSON.stringify(value),
  );
}
