/** What a cloud that was killed leaves on the machine, in the way of the next one. */
import { randomInt } from 'node:crypto';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processesUsing } from '@cumulet/common/programs/processes-using';
import { TestProcess } from '@cumulet/testing/process/child-process';
import { eventually } from '@cumulet/testing/settle';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { namespaceOf } from '../host-settings.js';
import { look } from './leftover-uplinks.js';
import { killProcess } from '../supervisor.js';
import { removeNamespace, run } from '../switch-namespace.js';
import { TestHost } from '../test-host.fixture.js';
import { deviceOf } from './uplink-mark.js';
import { removeUplink } from './uplinks.js';

// For tests of devices (RFC 2544), and one of many: other tests may run on this machine.
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

/** Those of this folder alone. */
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

/** Starts another cloud with the same network outside. @returns its uplink's addresses, and the clash */
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

it('a living cloud keeps all it has, and the next one says whose it is', async () => {
  expect(await look(device())).toMatchObject({ doesMakerRun: true, mark: { folder: ovn() } });
  const { addresses, owner } = await startNext();
  expect(addresses).not.toContain(NETWORK);
  expect(owner).toMatch(new RegExp(`^of the cloud in ${data}, which runs \\(pid \\d+\\)$`));
  expect([await hasDevice(), await hasNamespace()]).toEqual([true, true]);
});

it('of a killed cloud whose processes go on, the next one says which it is and what ends it', async () => {
  await killed.kill();
  const { addresses, owner } = await startNext();
  expect(addresses).not.toContain(NETWORK);
  expect(owner).toContain(`of the cloud in ${data}, which was killed`);
  expect(owner).toContain(`npm run cumulet -- destroy ${data}`);
  expect([await hasDevice(), await hasNamespace()]).toEqual([true, true]);

  // Its processes go on, and may write a file into a folder that is being removed.
  await rm(data, { recursive: true, maxRetries: 20 });
  expect((await startNext()).owner).toContain('whose folder is gone');
  expect([await hasDevice(), await hasNamespace()]).toEqual([true, true]);
});

it('of a killed cloud of which nothing runs, the next one takes the address', async () => {
  await killed.kill();
  await endDaemons();
  expect(await startNext()).toEqual({
    addresses: expect.stringContaining(`${NETWORK}.1/24`),
    owner: undefined,
  });
  // Its folder is there: a start in it goes on with the namespace.
  expect([await hasDevice(), await hasNamespace()]).toEqual([false, true]);
});

it('of a cloud whose folder was deleted and of which nothing runs, the start leaves nothing', async () => {
  await killed.kill();
  await endDaemons();
  await rm(data, { recursive: true });
  expect((await startNext()).addresses).toContain(`${NETWORK}.1/24`);
  expect([await hasDevice(), await hasNamespace()]).toEqual([false, false]);
});

it('the device says to whoever looks which cloud has made it', async () => {
  const alias = await readFile(`/sys/class/net/${device()}/ifalias`, 'utf8');
  expect(alias).toContain(`to=public folder=${ovn()}`);
});
