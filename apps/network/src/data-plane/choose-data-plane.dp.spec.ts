import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { runProgram } from '@cumulet/common/programs/run-program';
import { eventually } from '@cumulet/testing/settle';
import { chooseDataPlane } from './choose-data-plane.js';
import type { ChosenDataPlane, DataPlaneSettings } from './choose-data-plane.js';
import { isWholeLog } from './ovn/host/database-files.js';
import { commandOf, DAEMON_ENVIRONMENT, DAEMON_NAMES } from './ovn/host/daemons.js';
import { findOvnPrograms, PROGRAM_ROOTS } from './ovn/host/ovn-programs.js';
import { namespaceOf } from './ovn/host/host-settings.js';
import { namespacesOfHost } from './ovn/host/switch-namespace.js';
import { serveIn } from './ovn/host/test-guest.fixture.js';
import { daemonsIn } from './ovn/host/supervisor.js';
import { UserDataPlane } from './user/user-data-plane.js';

let dataDir: string;
const logger = { warn: () => undefined };

const settings = (changes: Partial<DataPlaneSettings> = {}): DataPlaneSettings => ({
  dataPlane: 'auto',
  dataDir,
  host: 'here',
  physicalNetworks: 'public',
  uplinkAddresses: undefined,
  physicalDevices: undefined,
  tunnelDevice: undefined,
  tunnelAddress: undefined,
  ovnNorthbound: undefined,
  ovnSouthbound: undefined,
  ovnListen: undefined,
  ovnPrivateKey: undefined,
  ovnCertificate: undefined,
  ovnAuthority: undefined,
  searchPath: process.env['PATH'] ?? '',
  tapUid: 65_534,
  availabilityZones: 'nova',
  metadataUrl: undefined,
  metadataSecret: undefined,
  guestIngress: undefined,
  guestProxyProtocol: false,
  ...changes,
});

const ip = async (...args: readonly string[]): Promise<string> => {
  const { stdout } = await runProgram('/usr/sbin/ip', args, { timeoutMs: 5_000 });
  return stdout.toString();
};
const links = (): Promise<string> => ip('-o', 'link');

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cumulet-choice-'));
});
afterAll(() => rm(dataDir, { recursive: true }));

let running: ChosenDataPlane | undefined;

const choose = async (wanted: DataPlaneSettings): Promise<ChosenDataPlane> =>
  (running = await chooseDataPlane(wanted, logger));

async function end(): Promise<void> {
  await running?.onModuleDestroy();
  running = undefined;
}

afterEach(end);

describe('chooseDataPlane', () => {
  it('chooses OVN where it can run, reports what it created, and removes it again', async () => {
    const chosen = await choose(settings());
    const { reason } = chosen;
    expect(reason).toMatch(/^OVN \d+\.\d+\.\d+ with Open vSwitch \d+\.\d+\.\d+ in userspace/);
    const [, namespace = '?'] = /network namespace (cumulet-\w+)/.exec(reason) ?? [];
    const [, device = '?'] = /public is (cumulet\w+)/.exec(reason) ?? [];
    expect(await readdir('/run/netns')).toContain(namespace);
    expect(await links()).toContain(device);
    await end();
    expect(await readdir('/run/netns')).not.toContain(namespace);
    expect(await links()).not.toContain(device);
  });

  it('assigns the address of an uplink, also of one that was left behind', async () => {
    const address = `198.18.${randomInt(256)}.1/24`;
    const uplinkAddresses = new Map([['public', address]]);
    const first = await choose(settings());
    const [, device = '?'] = /public is (cumulet\w+)/.exec(first.reason) ?? [];
    await end();
    await ip('link', 'add', device, 'type', 'veth');
    await ip('address', 'add', address, 'dev', device);
    const chosen = await choose(settings({ uplinkAddresses }));
    expect(chosen.reason).toContain(`public is ${device} with ${address}`);
    expect(await ip('address', 'show', 'dev', device)).toContain(`inet ${address} `);
    await end();
    expect(await ip('route')).not.toContain(device);
  });

  it('gives an uplink the same MAC address at each start, since routers cache it', async () => {
    const macs: (string | undefined)[] = [];
    for (let start = 0; start < 2; start += 1) {
      const chosen = await choose(settings());
      const [, device = '?'] = /public is (cumulet\w+)/.exec(chosen.reason) ?? [];
      macs.push(/ether (\S+)/.exec(await ip('link', 'show', 'dev', device))?.[1]);
      await end();
    }
    expect(macs).toEqual([expect.stringMatching(/^02:/), macs[0]]);
  });

  it('leaves an uplink without an address that the machine already routes elsewhere', async () => {
    const uplinkAddresses = new Map([['public', '127.24.4.1/24']]);
    const chosen = await choose(settings({ uplinkAddresses }));
    const [, device = '?'] = /public is (cumulet\w+)/.exec(chosen.reason) ?? [];
    expect(chosen.reason).toContain(
      `${device} without 127.24.4.1/24 (the machine has a route to 127.0.0.0/8 by lo)`,
    );
    expect(await ip('address', 'show', 'dev', device)).not.toContain('inet ');
    await end();
  });

  it.each<[string, Partial<DataPlaneSettings>, RegExp]>([
    [
      'an address for an unknown physical network',
      { uplinkAddresses: new Map([['publik', '198.18.0.1/24']]) },
      /^NETWORK_UPLINK_ADDRESSES has an address for publik, /,
    ],
    [
      'a device for an unknown physical network',
      { physicalDevices: new Map([['publik', 'eth1']]) },
      /^NETWORK_PHYSICAL_DEVICES has a device for publik, /,
    ],
    [
      'both for one',
      {
        uplinkAddresses: new Map([['public', '198.18.0.1/24']]),
        physicalDevices: new Map([['public', 'eth1']]),
      },
      /remove it from NETWORK_UPLINK_ADDRESSES$/,
    ],
    [
      'a device that does not exist, instead of another data plane',
      { physicalDevices: new Map([['public', '203.0.113.0/24']]) },
      /^NETWORK_PHYSICAL_DEVICES gives .* an address of 203.0.113.0\/24, which this host does not have$/,
    ],
  ])('refuses %s', async (_, changes, message) => {
    await expect(chooseDataPlane(settings(changes), logger)).rejects.toThrow(message);
  });

  describe('after a killed process has left a daemon', () => {
    let left: ChildProcess;

    const leave = async (more: readonly string[]): Promise<void> => {
      await choose(settings());
      await end();
      const programs = await findOvnPrograms(PROGRAM_ROOTS);
      if (typeof programs === 'string') throw new Error(programs);
      const folder = join(dataDir, 'ovn');
      const [file, ...args] = commandOf('northbound', { programs, folder }, more);
      left = spawn(file, args, { cwd: folder, env: DAEMON_ENVIRONMENT, stdio: 'ignore' });
      await eventually('it is the daemon', async () => {
        const found = await daemonsIn(folder, DAEMON_NAMES);
        return found.some(({ pid, argv }) => pid === left.pid && argv[0] !== 'setpriv');
      });
    };

    it('adopts it, and stops it in the end', async () => {
      await leave([]);
      const ended = once(left, 'exit');
      await choose(settings());
      expect(left.exitCode).toBeNull();
      await end();
      expect(await ended).toEqual([null, 'SIGTERM']);
    });

    it('stops it at once if its arguments have changed', async () => {
      await leave(['--remote=ptcp:0:127.0.0.1']);
      const ended = once(left, 'exit');
      const chosen = await choose(settings());
      expect(chosen.reason).toMatch(/^OVN/);
      expect(await ended).toEqual([null, 'SIGKILL']);
    });
  });

  it('leaves all of it while a program is plugged in, and the next one adopts and removes it', async () => {
    const folder = join(dataDir, 'ovn');
    await choose(settings());
    const program = await serveIn(namespaceOf(folder), 80);
    const daemons = async () => (await daemonsIn(folder, DAEMON_NAMES)).map(({ pid }) => pid);
    const before = await daemons();
    await end();
    expect(await daemons()).toEqual(before);
    await choose(settings());
    expect(await daemons()).toEqual(before);
    program.kill('SIGKILL');
    await once(program, 'exit');
    await end();
    expect(await daemons()).toEqual([]);
    expect(await namespacesOfHost(namespaceOf(folder))).toEqual([]);
  });

  it.each(['nb', 'sb', 'switch'])('recreates a damaged %s.db', async (name) => {
    await choose(settings());
    await end();
    const path = join(dataDir, 'ovn', `${name}.db`);
    await truncate(path, 1_000);
    const chosen = await choose(settings());
    expect(chosen.reason).toMatch(/^OVN/);
    expect(isWholeLog(await readFile(path))).toBe(true);
  });

  it("falls back to QEMU's user-mode network, and says why", async () => {
    const { driver, reason } = await chooseDataPlane(settings(), logger, ['/nowhere']);
    expect(driver).toBeInstanceOf(UserDataPlane);
    expect(reason).toMatch(/^user, .* nothing can reach them \(no OVN: ovsdb-tool, .*not found\)$/);
  });

  it('falls back to the simulation without QEMU, and says what is missing', async () => {
    const nowhere = settings({ searchPath: '/nowhere' });
    const { reason } = await chooseDataPlane(nowhere, logger, ['/nowhere']);
    expect(reason).toMatch(
      /^simulated, no packets are carried \(no OVN: ovsdb-tool, .*not found; no user-mode network: qemu-system-x86_64 not found on PATH\)$/,
    );
  });

  it('does not use a QEMU that was built without user-mode networks', async () => {
    const folder = await mkdtemp(join(dataDir, 'bin-'));
    const qemu = join(folder, 'qemu-system-x86_64');
    await writeFile(qemu, '#!/bin/sh\necho socket; echo tap\n', { mode: 0o755 });
    const { reason } = await chooseDataPlane(settings({ searchPath: folder }), logger, [
      '/nowhere',
    ]);
    expect(reason).toContain(`no user-mode network: ${qemu} was built without user-mode networks`);
  });

  it("uses QEMU's user-mode network on request", async () => {
    const { reason } = await choose(settings({ dataPlane: 'user', searchPath: '/nowhere' }));
    expect(reason).toMatch(/^user, .* nothing can reach them \(the settings ask for it\)$/);
  });

  it('does not fall back if OVN is requested', async () => {
    const choice = chooseDataPlane(settings({ dataPlane: 'ovn' }), logger, ['/nowhere']);
    await expect(choice).rejects.toThrow(/^OVN cannot run: .*not found/);
  });

  it('uses an existing OVN by its addresses, and starts nothing', async () => {
    const ovnNorthbound = `unix:${join(dataDir, 'nb.sock')}`;
    const ovnSouthbound = 'tcp:127.0.0.1:6642';
    const { reason } = await choose(settings({ ovnNorthbound, ovnSouthbound }));
    expect(reason).toBe(
      `the OVN at ${ovnNorthbound} and ${ovnSouthbound}, which this process does not run`,
    );
    expect(await daemonsIn(join(dataDir, 'ovn'), DAEMON_NAMES)).toEqual([]);
  });

  it.each([
    [
      { ovnNorthbound: 'tcp:127.0.0.1:6641' },
      /^NETWORK_OVN_NORTHBOUND and .* must be set together$/,
    ],
    [{ tunnelDevice: 'eth0' }, /^NETWORK_TUNNEL_ADDRESS is required where /],
    [{ tunnelAddress: '192.0.2.1/24' }, /^NETWORK_TUNNEL_DEVICE is required where /],
  ])('refuses incomplete settings: %j', async (half, message) => {
    await expect(chooseDataPlane(settings(half), logger)).rejects.toThrow(message);
  });

  it('uses the simulation on request', async () => {
    const { reason } = await choose(settings({ dataPlane: 'simulated' }));
    expect(reason).toContain('the settings ask for it');
  });
});
