import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runProgram } from '@cumulet/common/programs/run-program';
import { eventually } from '@cumulet/testing/settle';
import { chooseDataPlane, type DataPlaneSettings } from './choose-data-plane.js';
import { commandOf, DAEMON_ENVIRONMENT } from './ovn/host/daemons.js';
import { findOvnPrograms, PROGRAM_ROOTS } from './ovn/host/ovn-programs.js';
import { daemonsIn } from './ovn/host/switch-namespace.js';

let dataDir: string;
const logger = { warn: () => undefined };

const settings = (changes: Partial<DataPlaneSettings> = {}): DataPlaneSettings => ({
  ...{ dataPlane: 'auto', dataDir, host: 'here', physicalNetworks: 'public' },
  ...changes,
});

const links = async (): Promise<string> => {
  const { stdout } = await runProgram('/usr/sbin/ip', ['-o', 'link'], { timeoutMs: 5_000 });
  return stdout.toString();
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cumulet-choice-'));
});
afterAll(() => rm(dataDir, { recursive: true }));

describe('chooseDataPlane', () => {
  it('takes OVN where it can run, says what it has made, and leaves nothing of that', async () => {
    const chosen = await chooseDataPlane(settings(), logger);
    const { reason } = chosen;
    expect(reason).toMatch(/^OVN \d+\.\d+\.\d+ with Open vSwitch \d+\.\d+\.\d+ in userspace/);
    const [, namespace = '?'] = /network namespace (cumulet-\w+)/.exec(reason) ?? [];
    const [, device = '?'] = /public is (cumulet\w+)/.exec(reason) ?? [];
    expect(await readdir('/run/netns')).toContain(namespace);
    expect(await links()).toContain(device);
    await chosen.onModuleDestroy();
    expect(await readdir('/run/netns')).not.toContain(namespace);
    expect(await links()).not.toContain(device);
  });

  it('ends the daemons that a killed process has left', async () => {
    await (await chooseDataPlane(settings(), logger)).onModuleDestroy();
    const programs = await findOvnPrograms(PROGRAM_ROOTS);
    if (typeof programs === 'string') throw new Error(programs);
    const folder = join(dataDir, 'ovn');
    const options = { programs, folder, host: 'here', physicalNetworks: [] };
    const [file, ...args] = commandOf('northbound', options);
    const left = spawn(file, args, { cwd: folder, env: DAEMON_ENVIRONMENT, stdio: 'ignore' });
    const end = once(left, 'exit');
    await eventually('it runs', async () => (await daemonsIn(folder)).includes(left.pid ?? 0));
    const chosen = await chooseDataPlane(settings(), logger);
    expect(chosen.reason).toMatch(/^OVN/);
    expect(await end).toEqual([null, 'SIGKILL']);
    await chosen.onModuleDestroy();
  });

  it('falls back to the simulation, and says what is missing', async () => {
    const { reason } = await chooseDataPlane(settings(), logger, ['/nowhere']);
    expect(reason).toMatch(/^simulated, no packet is really carried \(ovsdb-tool, .*not found\)$/);
  });

  it('does not fall back where OVN is asked for', async () => {
    const choice = chooseDataPlane(settings({ dataPlane: 'ovn' }), logger, ['/nowhere']);
    await expect(choice).rejects.toThrow(/^OVN cannot run: .*not found/);
  });

  it('takes the simulation where it is asked for', async () => {
    const { reason } = await chooseDataPlane(settings({ dataPlane: 'simulated' }), logger);
    expect(reason).toContain('the settings ask for it');
  });
});
