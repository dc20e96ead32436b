/** The whole process is killed while ten servers build: nothing is stuck, nothing is left. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { haltingDisk } from '@cumulet/testing/halting-disk';
import { eventually } from '../support/eventually.js';
import { RunningCloud } from '../support/running-cloud.js';

const SERVERS = 10;
const MINUTES = 60_000;
/** Ends a test that hangs. */
const SETTLED_MS = 10 * MINUTES;

interface ServerFields {
  readonly id: string;
  readonly status: string;
  readonly fault?: { readonly message: string };
}

describe('killing the cloud while ten servers build', () => {
  let cloud: RunningCloud;
  let token: string;

  const ask = async (method: string, path: string, body?: object): Promise<Response> =>
    fetch(cloud.url + path, {
      method,
      headers: { 'X-Auth-Token': token, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const list = async (): Promise<ServerFields[]> => {
    const response = await ask('GET', '/compute/v2.1/servers/detail');
    return ((await response.json()) as { servers: ServerFields[] }).servers;
  };
  /** @returns the id of an image */
  const halting = async (): Promise<string> => {
    const fields = { name: 'halting', disk_format: 'raw', container_format: 'bare' };
    const { id } = (await (await ask('POST', '/image/v2/images', fields)).json()) as { id: string };
    const headers = { 'X-Auth-Token': token, 'Content-Type': 'application/octet-stream' };
    await fetch(`${cloud.url}/image/v2/images/${id}/file`, {
      method: 'PUT',
      headers,
      body: haltingDisk(),
    });
    return id;
  };
  const create = async (name: string, imageRef: string): Promise<void> => {
    const server = { name, imageRef, flavorRef: '42' };
    expect((await ask('POST', '/compute/v2.1/servers', { server })).status).toBe(202);
  };
  const folders = (): Promise<string[]> => readdir(join(cloud.folder, 'compute', 'guests'));

  beforeAll(async () => {
    cloud = await RunningCloud.startAgain({ CUMULET_SEED_MICRO: 'false' });
    token = await logIn(cloud);
  }, 5 * MINUTES);

  afterAll(() => cloud.remove(), 5 * MINUTES);

  it(
    'has none of them settled when it dies',
    async () => {
      const imageRef = await halting();
      await Promise.all(Array.from({ length: SERVERS }, (_, at) => create(`n-${at}`, imageRef)));
      const building = (await list()).filter(({ status }) => status === 'BUILD');
      await cloud.kill();
      expect(building.length).toBeGreaterThan(0);
    },
    10 * MINUTES,
  );

  it(
    'settles every one of them after the restart',
    async () => {
      await cloud.start();
      token = await logIn(cloud);
      const servers = await eventually('ten settled servers', SETTLED_MS, async () => {
        const found = await list();
        return found.every(({ status }) => status === 'ACTIVE' || status === 'ERROR')
          ? found
          : undefined;
      });
      expect(servers).toHaveLength(SERVERS);
      expect(servers.filter(({ status }) => status === 'ERROR')).toEqual([]);
    },
    12 * MINUTES,
  );

  it(
    'has exactly one process and one folder for each',
    async () => {
      const ids = (await list()).map(({ id }) => id).sort();
      expect([...(await cloud.guests()).values()].sort()).toEqual(ids);
      expect((await folders()).sort()).toEqual(ids);
    },
    10 * MINUTES,
  );

  it(
    'leaves nothing when they are deleted and it dies again meanwhile',
    async () => {
      const answers = await Promise.all(
        (await list()).map(({ id }) => ask('DELETE', `/compute/v2.1/servers/${id}`)),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204));
      await cloud.kill();
      await cloud.start();
      token = await logIn(cloud);
      await eventually('no servers', SETTLED_MS, async () =>
        (await list()).length === 0 ? true : undefined,
      );
      expect(await cloud.guestProcesses()).toEqual([]);
      expect(await folders()).toEqual([]);
    },
    12 * MINUTES,
  );
});

/** Names and passwords as the cloud wrote them for clients. */
async function logIn(cloud: RunningCloud): Promise<string> {
  const yaml = await readFile(cloud.cloudsYaml, 'utf8');
  const password = /cumulet:[\s\S]*?password: "([^"]+)"/.exec(yaml)?.[1];
  const domain = { id: 'default' };
  const response = await fetch(`${cloud.url}/identity/v3/auth/tokens`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      auth: {
        identity: { methods: ['password'], password: { user: { name: 'demo', domain, password } } },
        scope: { project: { name: 'demo', domain } },
      },
    }),
  });
  return response.headers.get('x-subject-token') ?? '';
}
