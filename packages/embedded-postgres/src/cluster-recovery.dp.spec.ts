import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import pg from 'pg';

import {
  type ClusterFolders,
  type Keeper,
  createClusterFolders,
  query,
  startKeeper,
} from './cluster.fixture.js';
import { processesIn } from './leftover-processes.js';

describe('a cluster whose last run was cut off', () => {
  let folders: ClusterFolders;
  beforeAll(async () => {
    folders = await createClusterFolders();
  });
  afterAll(() => folders.removeAll());

  /** A keeper with a running cluster and one committed row. */
  async function keepRow(folder: string): Promise<{ keeper: Keeper; postmaster: number }> {
    const keeper = startKeeper(folder);
    const { url, postmaster } = await keeper.saw((event) => event.url !== undefined);
    await query(String(url), `INSERT INTO kept VALUES ('row')`);
    return { keeper, postmaster: Number(postmaster) };
  }

  async function expectRow(folder: string): Promise<string[]> {
    const { cluster, log } = await folders.start(folder);
    expect(await query(cluster.url('postgres'), 'SELECT value FROM kept')).toEqual(['row']);
    return log;
  }

  it('takes over from a server whose keeper was killed', async () => {
    const folder = folders.withCluster();
    const { keeper, postmaster } = await keepRow(folder);
    await keeper.kill();

    const log = await expectRow(folder);

    expect(log).toEqual([`Stopping the Postgres of an earlier run (pid ${postmaster})`]);
    expect(processesIn(join(folder, 'data'))).not.toContain(postmaster);
  });

  it('takes over from a server that is just shutting down', async () => {
    const folder = folders.withCluster();
    const { keeper, postmaster } = await keepRow(folder);
    const { url } = await keeper.saw((event) => event.url !== undefined);
    const client = new pg.Client({ connectionString: String(url) });
    client.on('error', () => undefined);
    await client.connect();
    await keeper.kill();
    // A smart shutdown waits for its clients, here forever.
    process.kill(postmaster, 'SIGTERM');

    await expectRow(folder);
  });

  it('recovers what was committed when keeper and server were killed', async () => {
    const folder = folders.withCluster();
    const { keeper, postmaster } = await keepRow(folder);
    process.kill(postmaster, 'SIGKILL');
    await keeper.kill();

    await expectRow(folder);
  });

  it('ends a query that outlived its killed server', async () => {
    const folder = folders.withCluster();
    const { keeper, postmaster } = await keepRow(folder);
    const { url } = await keeper.saw((event) => event.url !== undefined);
    const endless = query(String(url), 'SELECT count(*) FROM generate_series(1, 1e12)');
    const failure = expect(endless).rejects.toThrow();
    const state = `SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%1e12)' AND state = 'active'`;
    while ((await query(String(url), state))[0] !== '1');
    await keeper.kill();
    process.kill(postmaster, 'SIGKILL');

    await expectRow(folder);
    await failure;
  });

  it('starts a server anew, in the same place, that was killed under its keeper', async () => {
    const { cluster, log } = await folders.start(folders.withCluster());
    const [pid, url] = [cluster.pid(), cluster.url('postgres')];
    process.kill(pid, 'SIGKILL');

    await untilItAnswers(url);
    await untilSucceeded(cluster, pid);

    expect(log).toEqual(['Postgres died (signal SIGKILL); starting it again']);
  });

  it('is started again however often it dies, and says so', async () => {
    const { cluster, log } = await folders.start(folders.withCluster());
    for (let death = 1; death <= 5; death += 1) {
      const dead = cluster.pid();
      process.kill(dead, 'SIGKILL');
      await untilItAnswers(cluster.url('postgres'));
      await untilSucceeded(cluster, dead);
    }
    expect(log.map((line) => line.split(' (')[0])).toEqual([
      ...new Array<string>(3).fill('Postgres died'),
      ...new Array<string>(2).fill('Postgres keeps dying'),
    ]);
  });

  it('ignores a pid file whose number now belongs to another program', async () => {
    const folder = folders.withCluster();
    const { keeper, postmaster } = await keepRow(folder);
    process.kill(postmaster, 'SIGKILL');
    await keeper.kill();
    const pidFile = join(folder, 'data', 'postmaster.pid');
    const [, ...rest] = (await readFile(pidFile, 'utf8')).split('\n');
    await writeFile(pidFile, [process.ppid, ...rest].join('\n'));

    await expectRow(folder);
  });

  it('starts over when it was killed while it was being created', async () => {
    const folder = folders.empty();
    const parent = dirname(folder);
    const keeper = startKeeper(folder);
    await keeper.saw((event) => event.locked === true);
    const isUnderWay = async (): Promise<boolean> => {
      const [name] = (await readdir(parent)).filter((each) => each.includes('.new-'));
      return name !== undefined && existsSync(join(parent, name, 'data', 'base'));
    };
    while (!(await isUnderWay()));
    await keeper.kill();
    expect(existsSync(folder)).toBe(false);

    const { cluster } = await folders.start(folder);

    expect(await query(cluster.url('postgres'), 'SELECT 1')).toEqual(['1']);
    expect((await readdir(parent)).sort()).toEqual(['lock', 'postgres']);
  });

  it('lets one process have a folder, and names it to the second', async () => {
    const folder = folders.withCluster();
    const first = startKeeper(folder);
    await first.saw((event) => event.url !== undefined);
    const second = startKeeper(folder);

    expect(await second.exited).toBe(1);
    expect(second.events).toEqual([
      { error: expect.stringMatching(/^The folder .* is in use by another process \(pid \d+\)$/) },
    ]);
    expect(await first.stop()).toBe(0);
  });

  it('gives the folder to exactly one of two that start after a kill', async () => {
    const folder = folders.withCluster();
    const { keeper } = await keepRow(folder);
    await keeper.kill();

    const both = [startKeeper(folder), startKeeper(folder)];
    const outcomes = await Promise.all(
      both.map((each) => each.saw((event) => Boolean(event.url ?? event.error))),
    );

    expect(outcomes.map((event) => event.error === undefined).sort()).toEqual([false, true]);
    await Promise.all(both.map((each) => each.stop()));
  });
});

/** Connects until a server answers; the test's own time limit is the deadline. */
async function untilItAnswers(url: string): Promise<void> {
  for (;;) {
    const answered = await query(url, 'SELECT 1').then(
      () => true,
      () => false,
    );
    if (answered) return;
  }
}

/** A server answers a moment before its keeper knows it for the successor of the dead one. */
async function untilSucceeded(cluster: { pid(): number }, dead: number): Promise<void> {
  while (cluster.pid() === dead) await new Promise((resolve) => setImmediate(resolve));
}
