/** Servers on networks: real guests of QEMU on OVN, through the APIs alone. */
import 'reflect-metadata';
import { readFile, readdir } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { builtMicro, MICRO_BUILD_TIMEOUT_MS } from '@cumulet/testing/micro-image';
import { eventually } from '@cumulet/testing/settle';
import { SERVICES } from './services.js';
import { startTestCloud, type TestCloud } from './test-cloud.fixture.js';

const BOOT_TIMEOUT_MS = 120_000;
const LIMIT_MS = 420_000;
const run = promisify(execFile);

let cloud: TestCloud;
let token: string;
let image: string;

const AT = { 'OpenStack-API-Version': 'compute 2.70' };

async function create<T = { id: string }>(path: string, body: object): Promise<T> {
  const answer = await cloud.client.post(path, { token, headers: AT, body });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
  return Object.values(answer.body as Record<string, T>)[0] as T;
}

async function get<T>(path: string): Promise<T> {
  const answer = await cloud.client.get(path, { token, headers: AT });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
  return Object.values(answer.body as Record<string, T>)[0] as T;
}

beforeAll(async () => {
  const path = await builtMicro();
  cloud = await startTestCloud(SERVICES, {
    COMPUTE_HYPERVISOR: 'qemu',
    NETWORK_DATA_PLANE: 'ovn',
  });
  token = await cloud.login('demo', cloud.secrets.demoPassword);
  const made = await cloud.client.post('/image/v2/images', {
    token,
    body: { name: 'micro', disk_format: 'qcow2', container_format: 'bare' },
  });
  image = (made.body as { id: string }).id;
  await cloud.client.put(`/image/v2/images/${image}/file`, {
    token,
    headers: { 'Content-Type': 'application/octet-stream' },
    body: await readFile(path),
  });
}, MICRO_BUILD_TIMEOUT_MS);
afterAll(async () => {
  // Guests outlive the cloud: those of a test that has failed, too.
  for (const { id } of await get<{ id: string }[]>('/compute/v2.1/servers'))
    await cloud.client.delete(`/compute/v2.1/servers/${id}`, { token });
  await eventually('no server is left', hasNoServers, 60_000);
  await cloud.stop();
}, 120_000);

async function hasNoServers(): Promise<boolean> {
  return (await get<object[]>('/compute/v2.1/servers')).length === 0;
}

const consoleOf = async (id: string): Promise<string> => {
  const { body } = await cloud.client.post(`/compute/v2.1/servers/${id}/action`, {
    token,
    body: { 'os-getConsoleOutput': {} },
  });
  return (body as { output?: string }).output?.replaceAll('\r', '') ?? '';
};

/** @throws Error with what its console and the API show instead */
const shows = async (id: string, text: string): Promise<void> => {
  const isThere = async (): Promise<boolean> => (await consoleOf(id)).includes(text);
  await eventually(text, isThere, BOOT_TIMEOUT_MS).catch(async (error: unknown) => {
    const shown = JSON.stringify(await get(`/compute/v2.1/servers/${id}`));
    throw new Error(`${shown}\n${await consoleOf(id)}`, { cause: error });
  });
};

const server = async (
  name: string,
  networks: object[] | 'none',
  script: string[],
): Promise<string> => {
  const userData = ['#!/bin/sh', ...script, ''].join('\n');
  const { id } = await create('/compute/v2.1/servers', {
    server: {
      ...{ name, imageRef: image, flavorRef: '1', networks },
      ...{ user_data: Buffer.from(userData).toString('base64') },
      ...(networks === 'none' ? {} : { security_groups: [{ name: 'web' }] }),
    },
  });
  return id;
};

/** What of guests this machine has: their processes, and the devices in the switch's namespaces. */
async function traces(): Promise<string[]> {
  const { stdout: names } = await run('ip', ['netns', 'list']);
  const taps: string[] = [];
  for (const name of names.split('\n').flatMap((line) => line.split(' ').slice(0, 1))) {
    if (name === '') continue;
    const { stdout } = await run('ip', ['-n', name, '-o', 'link', 'show']).catch(() => ({
      stdout: '',
    }));
    taps.push(...stdout.split('\n').filter((line) => /: tap[0-9a-f]{8}-/.test(line)));
  }
  return taps;
}

/** The command lines of the guests with these ids. */
async function processesOf(ids: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (ids.some((id) => line.includes(id))) found.push(line);
  }
  return found;
}

it(
  'gives a server a network card that was started without one',
  async () => {
    const network = await create('/networking/v2.0/networks', { network: { name: 'later' } });
    await create('/networking/v2.0/subnets', {
      subnet: { network_id: network.id, cidr: '10.8.0.0/24', ip_version: 4 },
    });
    const id = await server('bare', 'none', [
      'until [ -e /sys/class/net/eth0 ]; do sleep 1; done',
      'echo "eth0 is $(cat /sys/class/net/eth0/address)"',
    ]);
    await shows(id, 'cumulet: address none');
    const { mac_addr } = await create<{ mac_addr: string }>(
      `/compute/v2.1/servers/${id}/os-interface`,
      { interfaceAttachment: { net_id: network.id } },
    );
    await shows(id, `eth0 is ${mac_addr}`);
    await cloud.client.delete(`/compute/v2.1/servers/${id}`, { token });
    await eventually('the servers are gone', hasNoServers, 60_000);
  },
  LIMIT_MS,
);

it(
  'lets two servers of a network talk by their security group, and goes without a trace',
  async () => {
    const network = await create('/networking/v2.0/networks', { network: { name: 'inner' } });
    await create('/networking/v2.0/subnets', {
      subnet: { network_id: network.id, cidr: '10.9.0.0/24', ip_version: 4 },
    });
    const group = await create('/networking/v2.0/security-groups', {
      security_group: { name: 'web' },
    });
    await create('/networking/v2.0/security-group-rules', {
      security_group_rule: {
        ...{ security_group_id: group.id, direction: 'ingress', ethertype: 'IPv4' },
        ...{ protocol: 'tcp', port_range_min: 7000, port_range_max: 7000 },
      },
    });
    const before = await traces();
    const at = (address: string) => [{ uuid: network.id, fixed_ip: address }];
    const one = await server('one', at('10.9.0.11'), [
      'while true; do { echo open; sleep 1; } | nc -l -p 7000; done &',
      'while true; do { echo closed; sleep 1; } | nc -l -p 7001; done &',
      'wait',
    ]);
    const ask = (port: number, file: string): string =>
      `sleep 3 | timeout 4 nc 10.9.0.11 ${port} >${file} 2>/dev/null`;
    const other = await server('other', at('10.9.0.12'), [
      `until ${ask(7000, '/tmp/a')}; grep -q open /tmp/a; do sleep 1; done`,
      ask(7001, '/tmp/b'),
      'echo "script: 7000 <$(cat /tmp/a)> 7001 <$(cat /tmp/b)>"',
      'until [ -e /sys/class/net/eth1 ]; do sleep 1; done',
      'echo "eth1 is $(cat /sys/class/net/eth1/address)"',
      'while [ -e /sys/class/net/eth1 ]; do sleep 1; done; echo "eth1 is gone"',
    ]);
    await shows(other, 'script: 7000 <open> 7001 <>');
    expect(await consoleOf(other)).toContain('cumulet: address 10.9.0.12');
    const shown = await get<{ addresses: object }>(`/compute/v2.1/servers/${one}`);
    expect(shown.addresses).toMatchObject({ inner: [{ addr: '10.9.0.11' }] });
    expect((await traces()).length).toBe(before.length + 2);

    const second = await create('/networking/v2.0/networks', { network: { name: 'second' } });
    await create('/networking/v2.0/subnets', {
      subnet: { network_id: second.id, cidr: '10.10.0.0/24', ip_version: 4 },
    });
    const attached = await create<{ port_id: string; mac_addr: string }>(
      `/compute/v2.1/servers/${other}/os-interface`,
      { interfaceAttachment: { net_id: second.id } },
    );
    await shows(other, `eth1 is ${attached.mac_addr}`);
    const path = `/compute/v2.1/servers/${other}/os-interface/${attached.port_id}`;
    await cloud.client.delete(path, { token });
    await shows(other, 'eth1 is gone');
    await eventually(
      'the port is gone',
      async () =>
        (await cloud.client.get(`/networking/v2.0/ports/${attached.port_id}`, { token })).status ===
        404,
    );

    for (const id of [one, other])
      await cloud.client.delete(`/compute/v2.1/servers/${id}`, { token });
    await eventually('the servers are gone', hasNoServers, 60_000);
    const ports = await get<{ device_owner: string }[]>('/networking/v2.0/ports');
    expect(ports.filter((port) => port.device_owner.startsWith('compute:'))).toEqual([]);
    await eventually('no device is left', async () => (await traces()).length === before.length);
    expect(await processesOf([one, other])).toEqual([]);
  },
  LIMIT_MS,
);
