/** OVN's central part as a process of its own, by a user who is not root. */
import { randomInt } from 'node:crypto';
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestProcess } from '@cumulet/testing/process/child-process';
import { eventually } from '@cumulet/testing/settle';
import { OvsdbClient } from '../data-plane/ovsdb/ovsdb-client.js';
import { CENTRAL_DAEMONS } from '../data-plane/ovn/host/daemons.js';
import { NORTHBOUND_PORT } from '../data-plane/ovn/host/ovn-central.js';
import { daemonsIn } from '../data-plane/ovn/host/supervisor.js';
import { NORTHBOUND, NORTHBOUND_TABLES } from '../data-plane/ovn/rows/northbound.js';

const USER = 1_865_000_002;
// A random address, since other tests may run on this machine.
const LISTEN = `127.${randomInt(1, 255)}.${randomInt(256)}.1`;

let dataDir: string;
let central: TestProcess | undefined;

const start = (command = ''): TestProcess =>
  TestProcess.start(new URL('central-process.fixture.ts', import.meta.url), [
    String(USER),
    command,
    `NETWORK_DATA_DIR=${dataDir}`,
    `NETWORK_OVN_LISTEN=${LISTEN}`,
    'CUMULET_LOG_LEVEL=silent',
  ]);
const healthy = async (): Promise<boolean> => (await start('healthy').ended()) === 0;
const daemons = () => daemonsIn(join(dataDir, 'ovn'), CENTRAL_DAEMONS);

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cumulet-central-'));
  await chown(dataDir, USER, USER);
});
afterAll(async () => {
  await central?.terminate();
  await rm(dataDir, { recursive: true });
});

describe("OVN's central part", () => {
  it('runs as the user who starts it, and answers at its address', async () => {
    expect(await healthy()).toBe(false);
    central = start();
    await central.printed('ready');
    await eventually('it is healthy', healthy);
    const all = await daemons();
    expect(all).toHaveLength(CENTRAL_DAEMONS.length);
    for (const { pid } of all)
      expect(await readFile(`/proc/${pid}/status`, 'utf8')).toMatch(
        new RegExp(`^Uid:\\s+${USER}\\s`, 'm'),
      );
    const client = new OvsdbClient({
      address: `tcp:${LISTEN}:${NORTHBOUND_PORT}`,
      database: NORTHBOUND,
      tables: NORTHBOUND_TABLES,
    });
    client.start();
    await client.ready();
    client.stop();
  });

  it('ends its daemons on SIGTERM', async () => {
    expect(await central?.terminate()).toBe(0);
    expect(await daemons()).toEqual([]);
    expect(await healthy()).toBe(false);
  });
});
