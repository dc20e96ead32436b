import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { accountForNewCluster } from './account.js';
import { type ClusterFolders, createClusterFolders, query } from './cluster.fixture.js';
import { startCluster } from './cluster.js';
import { LOOPBACK, findFreePort } from './free-port.js';
import { processesIn } from './leftover-processes.js';

describe('a cluster', () => {
  let folders: ClusterFolders;
  beforeAll(async () => {
    folders = await createClusterFolders();
  });
  afterAll(() => folders.removeAll());

  it('keeps its data, its port and its password from one start to the next', async () => {
    const folder = folders.empty();
    const first = await folders.start(folder);
    await first.cluster.ensureDatabases(['identity']);
    await query(first.cluster.url('identity'), 'CREATE TABLE kept AS SELECT 7 AS value');
    await first.cluster.stop();

    const second = await folders.start(folder);

    expect(second.cluster.url('identity')).toBe(first.cluster.url('identity'));
    expect(await query(second.cluster.url('identity'), 'SELECT value FROM kept')).toEqual(['7']);
    expect([...first.log, ...second.log]).toEqual([]);
  });

  it('is created where only this user may enter, and is closed to others', async () => {
    const folder = folders.withCluster();

    const { uid } = await accountForNewCluster();
    expect((await stat(join(folder, '..', '..'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'data'))).uid).toBe(uid ?? process.getuid?.());
    expect((await stat(join(folder, 'data'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'password'))).mode & 0o777).toBe(0o600);
  });

  it('listens on the loopback address alone', async () => {
    const { cluster } = await folders.start(folders.withCluster());

    const listening = await listeningAddresses(cluster.port);

    expect(listening).toEqual([LOOPBACK]);
    expect(await query(cluster.url('postgres'), 'SHOW unix_socket_directories')).toEqual(['']);
  });

  it('refuses a wrong password', async () => {
    const { cluster } = await folders.start(folders.withCluster());
    const url = new URL(cluster.url('postgres'));
    url.password = 'guessed';

    await expect(query(url.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
  });

  it('creates a database once, however often it is asked for', async () => {
    const { cluster } = await folders.start(folders.withCluster());

    await Promise.all([1, 2, 3].map(() => cluster.ensureDatabases(['a "b"'])));

    expect(await query(cluster.url('a "b"'), 'SELECT current_database()')).toEqual(['a "b"']);
  });

  it('writes to disk before it confirms, unless its data is disposable', async () => {
    const durable = await folders.start(folders.withCluster());
    const options = { folder: folders.withCluster(), durable: false, log: () => undefined };
    const fast = await startCluster(options);

    expect(await query(durable.cluster.url('postgres'), 'SHOW fsync')).toEqual(['on']);
    expect(await query(fast.url('postgres'), 'SHOW fsync')).toEqual(['off']);
    await fast.stop();
  });

  it('moves to another port when its own was taken while it was down', async () => {
    const folder = folders.withCluster();
    const other = createServer().listen(0, LOOPBACK);
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    await writeFile(join(folder, 'port'), `${port}\n`);

    const { cluster } = await folders.start(folder);
    other.close();

    expect(cluster.port).not.toBe(port);
    expect(Number(await readFile(join(folder, 'port'), 'utf8'))).toBe(cluster.port);
  });

  it('listens on the port that it is given', async () => {
    const port = await findFreePort();

    const { cluster } = await folders.start(folders.withCluster(), port);

    expect(new URL(cluster.url('postgres')).port).toBe(String(port));
  });

  it('says so when the port that it is given is in use', async () => {
    const other = createServer().listen(0, LOOPBACK);
    await once(other, 'listening');
    const { port } = other.address() as { port: number };

    const start = folders.start(folders.withCluster(), port);

    await expect(start).rejects.toThrow(`Port ${port} of 127.0.0.1`);
    other.close();
  });

  it('says which folder it may not create', async () => {
    const start = folders.start('/dev/null/postgres');

    await expect(start).rejects.toThrow('The database folder /dev/null/postgres cannot be used');
  });

  it('may be stopped twice, and leaves no process', async () => {
    const folder = folders.withCluster();
    const { cluster } = await folders.start(folder);

    await Promise.all([cluster.stop(), cluster.stop()]);
    await cluster.stop();

    expect(processesIn(join(folder, 'data'))).toEqual([]);
  });
});

/** Where the port is listened on, of IPv4 and IPv6, as the kernel lists it (proc(5), net/tcp). */
async function listeningAddresses(port: number): Promise<string[]> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  );
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address, , state]) => state === '0A' && address?.endsWith(local))
    .map(([, address]) => (address?.split(':')[0] === '0100007F' ? LOOPBACK : String(address)));
}
