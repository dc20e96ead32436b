/**
 * A complete Linux guest on OVN, which takes its routes from DHCP and requests metadata by them.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { builtMicro, MICRO_BUILD_TIMEOUT_MS } from '@cumulet/testing/micro-image';
import { eventually } from '@cumulet/testing/settle';
import type { PortSpec } from '../../data-plane.js';
import { run } from '../host/switch-namespace.js';
import { planPlug } from '../host/switch-rows.js';
import { TestHost } from '../host/test-host.fixture.js';
import * as cloud from '../test-cloud.fixture.js';
import { ComputeStub } from './compute-stub.fixture.js';
import type { MetadataAgent } from './metadata-agent.js';
import { METADATA, startAgent, withMetadata } from './metadata-cloud.fixture.js';

const BOOT_TIMEOUT_MS = 100_000;
const TAP = 'tapmicro';

let image: string;
let folder: string;
let test: TestHost;
let agent: MetadataAgent;
let compute: ComputeStub;
let guest: ChildProcess | undefined;

beforeAll(async () => {
  image = await builtMicro();
  folder = await mkdtemp(join(tmpdir(), 'cumulet-micro-'));
  test = await TestHost.start();
  compute = await ComputeStub.start();
  agent = startAgent(test, compute, () => undefined);
}, MICRO_BUILD_TIMEOUT_MS);
afterAll(async () => {
  guest?.kill('SIGKILL');
  await agent.stop();
  compute.stop();
  await test.stop();
  await rm(folder, { recursive: true });
});

/** @param script what the guest runs once it has booted @returns a folder */
async function configDrive(script: string): Promise<string> {
  const drive = join(folder, 'drive');
  const at = join(drive, 'openstack', 'latest');
  await mkdir(at, { recursive: true });
  await writeFile(join(at, 'meta_data.json'), '{}');
  await writeFile(join(at, 'user_data'), `#!/bin/sh\n${script}\n`);
  return drive;
}

/** @returns its console output */
function boot({ macAddress }: PortSpec, drive: string): { console: string } {
  const shown = { console: '' };
  const qemu = [
    'qemu-system-x86_64',
    '-nodefaults',
    '-display',
    'none',
    '-serial',
    'stdio',
    '-m',
    '256',
    '-accel',
    'tcg,tb-size=128',
    '-cpu',
    'max,-cx16',
    '-drive',
    `if=virtio,format=qcow2,snapshot=on,file=${image}`,
    '-drive',
    `if=virtio,read-only=on,driver=vvfat,label=config-2,dir=${drive}`,
    // The switch would receive packets without checksums if the guest left them to its NIC.
    '-netdev',
    `tap,id=net,ifname=${TAP},script=no,downscript=no,vnet_hdr=off`,
    '-device',
    `virtio-net-pci,netdev=net,mac=${macAddress},romfile=`,
  ];
  guest = spawn('nsenter', [`--net=/run/netns/${test.host.chassis.namespace}`, ...qemu], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  guest.stdout?.on('data', (part: Buffer) => (shown.console += part.toString()));
  return shown;
}

it(
  'finds metadata by the routes that DHCP gives it, on a network without a router',
  async () => {
    const hostRoutes = [{ destination: '192.0.2.0/24', nexthop: '10.0.1.9' }];
    const network = withMetadata(cloud.subnetSpec('10.0.1.0/24', { hostRoutes }), '10.0.1.2');
    const group = cloud.groupSpec();
    await test.dataPlane.ensureNetwork(network);
    await test.dataPlane.ensureSecurityGroup(group);
    const port = cloud.portSpec(network, ['10.0.1.11'], {
      securityGroups: [group.id],
      deviceId: randomUUID(),
      projectId: randomUUID(),
    });
    await test.dataPlane.ensurePort(port);
    const { namespace } = test.host.chassis;
    await run('ip', ['-n', namespace, 'tuntap', 'add', 'dev', TAP, 'mode', 'tap']);
    await run('ip', ['-n', namespace, 'link', 'set', TAP, 'mtu', '1442', 'up']);
    await test.switchDatabase.transact(planPlug(TAP, port.id));
    const drive = await configDrive(`ip route; wget -q -O - http://${METADATA}/asked`);

    const shown = boot(port, drive);
    await eventually('it has booted', () => shown.console.includes('login:'), BOOT_TIMEOUT_MS);
    const text = shown.console.replaceAll('\r', '');
    expect(text).toContain('cumulet: address 10.0.1.11');
    expect(text).toContain(`${METADATA} via 10.0.1.2 dev eth0`);
    expect(text).toContain('192.0.2.0/24 via 10.0.1.9 dev eth0');
    expect(text).toContain('default via 10.0.1.1 dev eth0');
    expect(text).toContain('answer to /metadata/asked');
    expect(compute.seen[0]?.headers).toMatchObject({ 'x-instance-id': port.deviceId });
  },
  2 * BOOT_TIMEOUT_MS,
);
