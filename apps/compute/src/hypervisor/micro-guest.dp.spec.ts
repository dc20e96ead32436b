/** The `micro` image of apps/standalone as a guest, from its boot to its power button. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MICRO_BUILD_TIMEOUT_MS } from '@cumulet/testing/micro-image';
import type { BootImage } from './boot-image.js';
import { cache, expectState, guestFrom, isolatedNic } from './contract/harness.fixture.js';
import { microImage } from './contract/micro-image.fixture.js';
import { QemuWorld } from './contract/qemu-world.fixture.js';
import { STANDARD_HARDWARE } from './ports/guest-hardware.js';
import type { GuestSpec } from './ports/guest-spec.js';
import { waitUntil } from './wait-until.js';

const BOOT_TIMEOUT_MS = 240_000;
const COPY_ID = '1c0ffee1-0000-4000-8000-00000000000c';

/** An agent that reports its input, and that all is well. */
const AGENT = `#!/bin/sh
trap '' HUP
echo user data ran on $(hostname)
for port in /sys/class/virtio-ports/*; do
  [ $(cat $port/name) = org.qemu.guest_agent.0 ] && exec 3<>/dev/\${port##*/}
done
while :; do
  # Nothing is there to read while nobody is at the other end.
  read -r line <&3 || { usleep 50000; continue; }
  case $line in
    *guest-sync-delimited*) printf '\\377{"return": %s}\\n' $(echo "$line" | tr -dc 0-9) >&3 ;;
    *) echo "agent: $line" >/dev/console; echo '{"return": {}}' >&3 ;;
  esac
done &
`;

let world: QemuWorld;
let image: BootImage;

beforeAll(async () => {
  world = await QemuWorld.open(process.env['PATH']);
  image = await cache(world.driver, await microImage());
}, MICRO_BUILD_TIMEOUT_MS);

afterAll(() => world.close());

it(
  'boots Linux, gets its name from the config drive, runs an agent, obeys the power button',
  async () => {
    const { driver } = world;
    const guest = guestFrom(image, {
      memoryMb: 256,
      hardware: { ...STANDARD_HARDWARE, guestAgent: true, requiresQuiesce: true },
      nics: [isolatedNic()],
      configDrive: {
        metaData: { uuid: '1c0ffee1-0000-4000-8000-000000000001', hostname: 'named-by-drive' },
        userData: Buffer.from(AGENT).toString('base64'),
      },
    });
    await driver.disks.ensureDisk(guest);
    await driver.machines.ensureRunning(guest);

    const prompt = 'named-by-drive login:';
    const lines = async (): Promise<string> => driver.consoles.consoleOutput(guest.id);
    await waitUntil(async () => (await lines()).includes(prompt), BOOT_TIMEOUT_MS, 100);
    const text = await lines();
    expect(text).toContain('Linux version');
    expect(text).toContain('cumulet: instance 1c0ffee1-0000-4000-8000-000000000001');
    expect(text).toContain('cumulet: address 10.0.2.15');
    expect(text).toContain('user data ran on named-by-drive');
    expect(text).toContain(prompt);

    await driver.agents.setPassword(guest.id, 'root', 'horse');
    const copied = (): Promise<boolean> => driver.copies.copyDisk(guest, COPY_ID);
    expect(await waitUntil(copied, BOOT_TIMEOUT_MS, 100)).toBe(true);
    const heard = [...(await lines()).matchAll(/agent: {"execute":"guest-([a-z-]+)"/g)];
    expect(heard.map(([, command]) => command)).toEqual([
      'set-user-password',
      'fsfreeze-freeze',
      'fsfreeze-thaw',
    ]);

    await driver.machines.powerDown(guest.id);
    await expectState(driver, guest.id, 'shutdown');
  },
  2 * BOOT_TIMEOUT_MS,
);

const UUID = '1c0ffee1-0000-4000-8000-000000000002';
/** A key, and its MD5 as Nova shows it. */
const KEY = `ssh-ed25519 ${Buffer.from('a public key').toString('base64')} me@home`;
const FINGERPRINT = createHash('md5').update('a public key').digest('hex').match(/../g)?.join(':');

/** @returns the guest's output until login is possible */
async function boot(spec: Partial<GuestSpec>): Promise<string> {
  const { driver } = world;
  const guest = guestFrom(image, { memoryMb: 256, ...spec });
  await driver.disks.ensureDisk(guest);
  await driver.machines.ensureRunning(guest);
  const shown = (): Promise<string> => driver.consoles.consoleOutput(guest.id);
  await waitUntil(async () => (await shown()).includes(' login:'), BOOT_TIMEOUT_MS, 100);
  const text = (await shown()).replaceAll('\r', '');
  await driver.guests.destroy(guest.id);
  return text;
}

function driveWith(userData: string, metaData: object = {}): GuestSpec['configDrive'] {
  const encoded = Buffer.from(userData).toString('base64');
  return { metaData: { uuid: UUID, hostname: 'micro', ...metaData }, userData: encoded };
}

const CLOUD_CONFIG = `#cloud-config
packages: [vim]
ssh_authorized_keys:
  - ${KEY}
runcmd:
  - echo "second $(hostname)" # a comment
  - [echo, 'third  item', "with; $HOME"]
  - - echo
    - fourth
  - |
    for word in fifth; do
      echo "$word"
    done
  - echo no: text
`;

const MULTIPART = `Content-Type: multipart/mixed; boundary="===1=="
MIME-Version: 1.0

--===1==
Content-Type: text/x-shellscript; charset="utf-8"
Content-Transfer-Encoding: base64

${Buffer.from('#!/bin/sh\necho first\nexit 3\n').toString('base64')}
--===1==
Content-Type: text/cloud-config; charset="us-ascii"
Content-Transfer-Encoding: 7bit

${CLOUD_CONFIG}
--===1==
Content-Type: text/x-include-url

http://192.0.2.1/more
--===1==
Content-Type: text/x-shellscript

#!/bin/sh
echo sixth; cat /root/.ssh/authorized_keys
--===1==--
`;

it(
  'obeys the parts of MIME multipart in order, and reports those it ignores',
  async () => {
    const text = await boot({
      configDrive: driveWith(MULTIPART, { public_keys: { mine: KEY, other: 'no key' } }),
    });
    const told = text.slice(text.indexOf('cumulet: public key'), text.indexOf('\nmicro login:'));
    expect(told.trimEnd().split('\n')).toEqual([
      `cumulet: public key mine ${FINGERPRINT}`,
      'cumulet: public key other ignored, it is not one of SSH',
      'first',
      'cumulet: user data ignored: cloud-config packages is not understood',
      'cumulet: user data ignored: cloud-config runcmd item 5 is not understood',
      `cumulet: user data public key ${FINGERPRINT}`,
      'second micro',
      'third  item with; $HOME',
      'fourth',
      'fifth',
      'cumulet: user data ignored: text/x-include-url is not understood',
      'sixth',
      KEY,
      KEY,
      'cumulet: user data exited 3',
    ]);
  },
  2 * BOOT_TIMEOUT_MS,
);

it(
  'reports that it ignores user data that it does not understand',
  async () => {
    const text = await boot({ configDrive: driveWith('#include\nhttp://192.0.2.1/\n') });
    expect(text).toContain('cumulet: user data ignored, it is neither');
  },
  2 * BOOT_TIMEOUT_MS,
);

it(
  'configures all NICs by network_data.json, and by DHCP those that it does not name',
  async () => {
    const macs = ['fa:16:3e:00:00:01', 'fa:16:3e:00:00:02', 'fa:16:3e:00:00:03'] as const;
    const routes = [{ network: '192.0.2.0', netmask: '255.255.255.0', gateway: '10.7.0.1' }];
    const services = [{ type: 'dns', address: '10.7.0.3' }];
    const subnet = { ip_address: '10.7.0.9', netmask: '255.255.240.0', routes };
    const text = await boot({
      nics: macs.map((macAddress, position) => isolatedNic({ macAddress, position })),
      configDrive: {
        ...driveWith('#cloud-config\nruncmd:\n- ip route\n- cat /etc/resolv.conf\n- ip link\n'),
        metaData: { uuid: UUID, hostname: 'micro' },
        networkData: {
          links: [
            { id: 'tap1', type: 'ovs', mtu: 1442, ethernet_mac_address: macs[1] },
            { id: 'tap2', type: 'ovs', mtu: null, ethernet_mac_address: macs[0] },
          ],
          networks: [
            { id: 'network0', type: 'ipv4', link: 'tap1', ...subnet, services },
            { id: 'network1', type: 'ipv4_dhcp', link: 'tap2' },
            { id: 'network2', type: 'ipv6_dhcpv6-stateful', link: 'tap2' },
          ],
          services,
        },
      },
    });
    expect(text).toContain('cumulet: network of type ipv6_dhcpv6-stateful ignored');
    expect(text).toContain('cumulet: address 10.0.2.15\n');
    expect(text).toContain('cumulet: address 10.7.0.9 on eth1');
    expect(text).toContain('cumulet: address 10.0.2.15 on eth2');
    expect(text).toContain('10.7.0.0/20 dev eth1');
    expect(text).toContain('192.0.2.0/24 via 10.7.0.1 dev eth1');
    expect(text).toContain('nameserver 10.7.0.3');
    expect(text).toMatch(/eth1: .* mtu 1442/);
  },
  2 * BOOT_TIMEOUT_MS,
);

it(
  'asks the metadata service without a config drive',
  async () => {
    const files: Record<string, string> = {
      '': 'meta_data.json\nuser_data\nvendor_data.json',
      '/meta_data.json': JSON.stringify({ uuid: UUID, hostname: 'named-by-service' }),
      '/user_data': '#!/bin/sh\necho asked by $(hostname)\n',
    };
    const service = createServer(({ url = '' }, response) => {
      const body = files[url.replace('/openstack/latest', '')];
      response.statusCode = body === undefined ? 404 : 200;
      response.end(body);
    });
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');
    const { port } = service.address() as AddressInfo;
    const forward = { address: '169.254.169.254', port: 80, to: { host: '127.0.0.1', port } };
    const text = await boot({
      configDrive: undefined,
      nics: [
        isolatedNic({
          link: {
            kind: 'user',
            address: '169.254.7.9',
            cidr: '169.254.0.0/16',
            gatewayIp: null,
            forwards: [forward],
          },
        }),
      ],
    }).finally(() => service.close());
    expect(text).toContain('cumulet: config drive none');
    expect(text).toContain('cumulet: metadata service 169.254.169.254');
    expect(text).toContain('cumulet: hostname named-by-service');
    expect(text).toContain(`cumulet: instance ${UUID}`);
    expect(text).toContain('asked by named-by-service');
  },
  2 * BOOT_TIMEOUT_MS,
);
