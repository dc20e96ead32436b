/** A killed cloud's leftovers on the machine, which conflict with the next cloud. */
import { randomInt } from 'node:crypto';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processesUsing } from '@cumulet/common/programs/processes-using';
import { TestProcess } from '@cumulet/testing/process/child-process';
import { eventually } from '@cumulet/testing/settle';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { namespaceOf } from '../host-settings.js';
import { inspectUplink } from './leftover-uplinks.js';
import { killProcess } from '../supervisor.js';
import { removeNamespace, run } from '../switch-namespace.js';
import { TestHost } from '../test-host.fixture.js';
import { deviceOf } from './uplink-mark.js';
import { removeUplink } from './uplinks.js';

// An address range for tests (RFC 2544), random since other tests may run on this machine.
const NETWORK = `198.19.${randomInt(256)}`;

let data: string;
let killed: TestProcess;
const ovn = (): string => join(data, 'ovn');
const device = (): string => deviceOf({ folder: ovn(), leadsTo: 'public' });

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'cumulet-left-'));
  killed = TestProcess.start(new URL('../ovn-process.fixture.ts', import.meta.url), [
    ovn(),
    `public=${NETWORK}.1/24`,
  ]);
  await killed.printed('ready');
});
afterEach(async () => {
  await killed.kill();
  await endDaemons();
  await removeUplink({ device: device() });
  await removeNamespace(namespaceOf(ovn()));
  await rm(data, { recursive: true, force: true });
});

/** Stops the daemons of this folder only. */
async function endDaemons(): Promise<void> {
  for (const { pid } of (await processesUsing(data)).processes) killProcess(pid, 'SIGKILL');
  await eventually('they have ended', async () => {
    return (await processesUsing(data)).processes.length === 0;
  });
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
const hasDevice = (): Promise<boolean> => isThere(`/sys/class/net/${device()}`);
const hasNamespace = (): Promise<boolean> => isThere(`/run/netns/${namespaceOf(ovn())}`);

/**
 * Starts another cloud with the same external network.
 * @returns its uplink's addresses, and the conflict
 */
async function startNext(): Promise<{ addresses: string; owner: string | undefined }> {
  const next = await TestHost.start({ uplinkAddresses: new Map([['public', `${NETWORK}.1/24`]]) });
  try {
    const [uplink] = next.host.chassis.uplinks;
    if (!uplink) throw new Error('there is no uplink');
    return {
      addresses: await run('ip', ['-4', '-brief', 'address', 'show', 'dev', uplink.device]),
      owner: next.host.chassis.clashOf(uplink)?.owner,
    };
  } finally {
    await next.stop();
  }
}

it('a running cloud keeps its uplink, and the next one reports the owner', async () => {
  expect(await inspectUplink(device())).toMatchObject({
    doesMakerRun: true,
    mark: { folder: ovn() },
  });
  const { addresses, owner } = await startNext();
  expect(addresses).not.toContain(NETWORK);
  expect(owner).toMatch(new RegExp(`^of the cloud in ${data}, which runs \\(pid \\d+\\)$`));
  expect([await hasDevice(), await hasNamespace()]).toEqual([true, true]);
});

it('a killed cloud with running processes keeps its uplink, and the next one reports how to remove it', async () => {
  await killed.kill();
  const { addresses, owner } = await startNext();
  expect(addresses).not.toContain(NETWORK);
  expect(owner).toContain(`of the cloud in ${data}, which was killed`);
  expect(owner).toContain(`npm run cumulet -- destroy ${data}`);
  expect([await hasDevice(), await hasNamespace()]).toEqual([true, true]);

  // Its processes are running, and may write a file into a folder that is being removed.
  await rm(data, { recursive: true, maxRetries: 20 });
  expect((await startNext()).owner).toContain('whose folder is gone');
  expect([await hasDevice(), await hasNamespace()]).toEqual([true, true]);
});

it('the address of a killed cloud without processes is taken by the next one', async () => {
  await killed.kill();
  await endDaemons();
  expect(await startNext()).toEqual({
    addresses: expect.stringContaining(`${NETWORK}.1/24`),
    owner: undefined,
  });
  // Its folder exists, and a start in it uses the namespace.
  expect([await hasDevice(), await hasNamespace()]).toEqual([false, true]);
});

it('a cloud whose folder was deleted and that has no processes is removed completely at the next start', async () => {
  await killed.kill();
  await endDaemons();
  await rm(data, { recursive: true });
  expect((await startNext()).addresses).toContain(`${NETWORK}.1/24`);
  expect([await hasDevice(), await hasNamespace()]).toEqual([false, false]);
});

it('the device shows which cloud created it', async () => {
  const alias = await readFile(`/sys/class/net/${device()}/ifalias`, 'utf8');
  expect(alias).toContain(`to=public folder=${ovn()}`);
});
