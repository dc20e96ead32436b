/**
 * Mixed operations while the cloud's process and its Postgres are killed every few seconds: nothing
 * is stuck, lost or orphaned, and nothing answers 500. `npm run chaos`; CHAOS_OPERATIONS says how
 * many operations (5,000).
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { RunningCloud } from '../support/running-cloud.js';
import { bootable } from './bootable-image.js';
import { CloudClient } from './cloud-client.js';
import { KINDS, rowsOf, type Facts, type Row } from './kinds.js';
import { SIMULATED } from './settings.js';
import { nothingKnown, operate, remove, type Known } from './work.js';

const OPERATIONS = Number(process.env['CHAOS_OPERATIONS'] ?? 5_000);
const CLIENTS = 8;
const HOUR = 3_600_000;
/** After the last restart, nothing is under way for longer. */
const SETTLED_MS = 60_000;
/** The least and the most operations between two kills: a few seconds' worth. */
const KILL_AFTER = [100, 300] as const;

const SETTINGS = {
  ...SIMULATED,
  IDENTITY_PASSWORD_MEMORY: '8',
  IDENTITY_PASSWORD_PASSES: '1',
};

describe('a cloud that is killed again and again', () => {
  const knowns = Array.from({ length: CLIENTS }, nothingKnown);
  const kills = { process: 0, postgres: 0 };
  let left = OPERATIONS;
  let cloud: RunningCloud;
  let client: CloudClient;
  let facts: Facts;

  beforeAll(async () => {
    cloud = await RunningCloud.start(SETTINGS);
    client = new CloudClient(cloud);
    await client.logIn();
    facts = await prepared(client);
  }, HOUR);
  afterAll(() => cloud.remove(), HOUR);

  const all = <T>(pick: (known: Known) => Iterable<T>): T[] =>
    knowns.flatMap((known) => [...pick(known)]);

  /** Every row of the run by id; undefined while the cloud does not answer. */
  const rows = async (): Promise<Map<string, Row> | undefined> => {
    const lists = await Promise.all(KINDS.map((kind) => rowsOf(client, kind)));
    if (lists.some((list) => list === undefined)) return undefined;
    return new Map(lists.flatMap((list) => list ?? []).map((row) => [row.id, row]));
  };

  it(
    'carries out what it is asked meanwhile, and never answers 500',
    async () => {
      const working = knowns.map(async (known) => {
        while (left > 0) {
          if (await operate(client, known, facts)) left -= 1;
          else await client.reach();
        }
      });
      const done = Promise.all(working);
      await Promise.all([done, killMeanwhile()]);
      expect(client.failures).toEqual([]);
    },
    HOUR,
  );

  it(
    'has settled everything within a minute of its last restart',
    async () => {
      let waitedFor: readonly Row[] = [];
      await eventually('everything settled', SETTLED_MS, async () => {
        const found = await rows();
        const leaving = new Set(all(({ gone }) => gone));
        waitedFor = [...(found?.values() ?? [])].filter(
          (row) =>
            leaving.has(row.id) || KINDS.some((one) => one === kindOf(row) && !one.isSettled(row)),
        );
        return found && waitedFor.length === 0 ? true : undefined;
      }).catch((error: unknown) => {
        throw new Error(`These did not settle: ${JSON.stringify(waitedFor)}`, { cause: error });
      });
      function kindOf(row: Row): unknown {
        return all(({ there }) => there).find(([id]) => id === row.id)?.[1];
      }
    },
    HOUR,
  );

  it('has lost nothing, and made nothing twice', async () => {
    const found = (await rows()) as Map<string, Row>;
    const there = all(({ there }) => there.keys());
    expect(there.filter((id) => !found.has(id))).toEqual([]);
    const known = new Set([...there, ...all(({ leaving }) => leaving)]);
    const unknown = [...found.values()].filter(({ id }) => !known.has(id));
    const unanswered = new Set(all((one) => one.unanswered));
    expect(unknown.filter(({ name }) => !unanswered.has(name))).toEqual([]);
    const names = unknown.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });

  it(
    'keeps the data of its images, and no other',
    async () => {
      await eventually('as many objects as images with data', SETTLED_MS, async () => {
        const { body } = await client.send('GET', '/image/v2/images?limit=1000');
        const images = (body as { images?: { size: number | null }[] } | undefined)?.images ?? [];
        const withData = images.filter(({ size }) => size !== null).length;
        return (await objects(cloud)).length === withData ? true : undefined;
      });
    },
    HOUR,
  );

  it(
    'leaves nothing of what is deleted',
    async () => {
      for (const kind of KINDS)
        for (const { id } of (await rowsOf(client, kind)) ?? [])
          await remove(client, nothingKnown(), kind, id);
      await client.send('DELETE', `/image/v2/images/${facts.imageId}`);
      await eventually('nothing left', SETTLED_MS, async () =>
        (await rows())?.size === 0 && (await objects(cloud)).length === 0 ? true : undefined,
      );
      const answers = [...client.statuses].sort().map(([status, times]) => `${status}: ${times}`);
      console.log(
        `${OPERATIONS} operations; killed: process ${kills.process} times, Postgres ${kills.postgres} times; answers by status (0: none): ${answers.join(', ')}`,
      );
    },
    HOUR,
  );

  /** Kills the process, which it starts again, or Postgres, each time that so much was done. */
  async function killMeanwhile(): Promise<void> {
    for (;;) {
      const [least, most] = KILL_AFTER;
      const next = left - least - Math.random() * (most - least);
      await eventually('further operations', HOUR, () =>
        Promise.resolve(left <= Math.max(next, 0) || undefined),
      );
      if (left <= 0) return;
      if (Math.random() < 0.5) {
        await cloud.kill();
        kills.process += 1;
        await cloud.start();
      } else {
        process.kill(await postmaster(cloud), 'SIGKILL');
        kills.postgres += 1;
        await eventually('an answer without a restart of ours', SETTLED_MS, rows);
      }
    }
  }
});

/** An image that servers boot, and a user that credentials belong to. */
async function prepared(client: CloudClient): Promise<Facts> {
  const imageId = await bootable(client);
  const owner = { user: { name: 'owner', password: 'of credentials' } };
  const user = await client.send('POST', '/identity/v3/users', { as: 'admin', json: owner });
  return { imageId, userId: (user.body as { user: { id: string } }).user.id };
}

async function postmaster(cloud: RunningCloud): Promise<number> {
  const file = join(cloud.folder, 'postgres', 'data', 'postmaster.pid');
  return Number((await readFile(file, 'utf8')).split('\n')[0]);
}

/** The files in which the store keeps images' data. */
async function objects(cloud: RunningCloud): Promise<string[]> {
  const folder = join(cloud.folder, 'images', 'objects');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
