/** A cloud that was killed is ended from outside, also once its folder is gone. */
import 'reflect-metadata';
import { spawn, type ChildProcess } from 'node:child_process';
import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processesUsing } from '@cumulet/common/programs/processes-using';
import { uplinksMadeBelow } from '@cumulet/network/data-plane/ovn/host/uplinks/leftover-uplinks';
import { namespaceOf } from '@cumulet/network/data-plane/ovn/host/host-settings';
import { TestProcess } from '@cumulet/testing/process/child-process';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { destroyCloud } from './destroy-cloud.js';

let folder: string;
let cloud: TestProcess;
let shell: ChildProcess | undefined;
let said: string[];
const say = (line: string): void => void said.push(line);

beforeEach(async () => {
  said = [];
  shell = undefined;
  folder = await mkdtemp(join(tmpdir(), 'cumulet-destroyed-'));
  cloud = TestProcess.start(new URL('./cloud-process.fixture.ts', import.meta.url), [folder]);
  await cloud.printed('ready');
});
afterEach(async () => {
  shell?.kill('SIGKILL');
  await cloud.kill();
  await destroyCloud(folder, say);
  await rm(folder, { recursive: true, force: true });
});

const programs = async (): Promise<string[]> => {
  const { processes } = await processesUsing(folder);
  return [...new Set(processes.map(({ program }) => program))].sort();
};
const hasNamespace = (): Promise<boolean> =>
  access(`/run/netns/${namespaceOf(join(folder, 'network', 'ovn'))}`).then(
    () => true,
    () => false,
  );

it('destroying a running cloud is refused, and changes nothing', async () => {
  const before = await programs();
  await expect(destroyCloud(folder, say)).rejects.toThrow(/in use by another Cumulet \(pid \d+\)/);
  expect([await programs(), await hasNamespace(), said]).toEqual([before, true, []]);

  // Not even its lock can be found by its name any more.
  await rm(folder, { recursive: true });
  await expect(destroyCloud(folder, say)).rejects.toThrow(/runs \(pid \d+\): stop it first/);
  expect([await programs(), await hasNamespace(), said]).toEqual([before, true, []]);
});

it('destroying a killed cloud stops everything that it started, and keeps its data and other processes', async () => {
  await cloud.kill();
  expect(await programs()).toEqual(
    expect.arrayContaining(['ovn-controller', 'ovs-vswitchd', 'ovsdb-server', 'postgres']),
  );
  shell = spawn('sleep', ['1000'], { cwd: folder, stdio: 'ignore' });
  await destroyCloud(folder, say);
  expect(await programs()).toEqual(['sleep']);
  expect(await hasNamespace()).toBe(false);
  expect(await uplinksMadeBelow(folder)).toEqual([]);
  expect(await readdir(folder)).toEqual(expect.arrayContaining(['network', 'postgres']));
  expect(said).toContain(`sleep (pid ${shell.pid}) is in the folder, and is left alone`);
});

it('destroying a cloud whose folder was deleted leaves nothing behind', async () => {
  await cloud.kill();
  // The programs of the cloud still run, and may write a file into a folder that is being removed.
  await rm(folder, { recursive: true, maxRetries: 20 });
  await destroyCloud(folder, say);
  expect([await programs(), await hasNamespace()]).toEqual([[], false]);
  expect(await uplinksMadeBelow(folder)).toEqual([]);
  said = [];
  await destroyCloud(folder, say);
  expect(said).toEqual([`No cloud of ${folder} is running`]);
});
