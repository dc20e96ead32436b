import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { membersOf, ODD_KEYS, oddMap, pollution } from '@cumulet/testing/odd-keys';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';

let compute: ComputeFixture;
let admin: string;

beforeAll(async () => {
  compute = await startCompute();
  admin = await compute.tokens.issue(['admin']);
});
afterAll(() => compute.stop());

const all = (value: string): Record<string, string> => oddMap(() => value);
const send = async (method: string, path: string, body?: unknown): Promise<TestResponse> =>
  compute.client.send(method, path, { token: admin, body });
/** The members of a map in an answer's body. */
const mapIn = ({ body }: TestResponse, ...names: readonly string[]): unknown =>
  membersOf(names.reduce((at, name) => (at as Record<string, unknown>)[name], body));

describe('keys that every object has', () => {
  it('are kept in the metadata of servers', async () => {
    const hints = { 'os:scheduler_hints': oddMap((key) => key) };
    const id = await compute.buildServer({ metadata: all('one') });
    const path = `/servers/${id}`;
    expect(mapIn(await send('GET', path), 'server', 'metadata')).toEqual(membersOf(all('one')));
    const list = (await send('GET', '/servers/detail?all_tenants=1')).body as {
      servers: { metadata: object }[];
    };
    expect(list.servers.map(({ metadata }) => membersOf(metadata))).toEqual([
      membersOf(all('one')),
    ]);
    for (const key of ODD_KEYS) {
      const item = `${path}/metadata/${key}`;
      expect(mapIn(await send('GET', item), 'meta')).toEqual([[key, 'one']]);
      const meta = Object.fromEntries([[key, 'two']]);
      expect(mapIn(await send('PUT', item, { meta }), 'meta')).toEqual([[key, 'two']]);
    }
    const shown = (): Promise<TestResponse> => send('GET', `${path}/metadata`);
    expect(mapIn(await shown(), 'metadata')).toEqual(membersOf(all('two')));
    for (const key of ODD_KEYS) {
      const item = `${path}/metadata/${key}`;
      expect((await send('DELETE', item)).status).toBe(204);
      expect((await send('GET', item)).status).toBe(404);
    }
    await send('POST', `${path}/metadata`, { metadata: all('three') });
    await send('PUT', `${path}/metadata`, { metadata: all('four') });
    expect(mapIn(await shown(), 'metadata')).toEqual(membersOf(all('four')));
    const server = { name: 'b', imageRef: compute.images.bootable, flavorRef: '1' };
    const body = { server, ...hints };
    expect((await compute.client.post('/servers', { token: compute.token, body })).status).toBe(
      202,
    );
  });

  it('are kept in the extra specs of flavors', async () => {
    const flavor = { name: 'odd', ram: 64, vcpus: 1, disk: 1 };
    const made = (await send('POST', '/flavors', { flavor })).body as { flavor: { id: string } };
    const path = `/flavors/${made.flavor.id}/os-extra_specs`;
    for (const key of ODD_KEYS) expect((await send('GET', `${path}/${key}`)).status).toBe(404);
    const added = await send('POST', path, { extra_specs: all('one') });
    expect(mapIn(added, 'extra_specs')).toEqual(membersOf(all('one')));
    for (const key of ODD_KEYS) {
      expect(mapIn(await send('GET', `${path}/${key}`))).toEqual([[key, 'one']]);
      await send('PUT', `${path}/${key}`, Object.fromEntries([[key, 'two']]));
    }
    expect(mapIn(await send('GET', path), 'extra_specs')).toEqual(membersOf(all('two')));
    for (const key of ODD_KEYS) expect((await send('DELETE', `${path}/${key}`)).status).toBe(200);
    expect(mapIn(await send('GET', path), 'extra_specs')).toEqual([]);
  });

  it('are kept in the metadata of aggregates', async () => {
    const made = await send('POST', '/os-aggregates', { aggregate: { name: 'odd' } });
    const { id } = (made.body as { aggregate: { id: number } }).aggregate;
    const set = (metadata: object): Promise<TestResponse> =>
      send('POST', `/os-aggregates/${id}/action`, { set_metadata: { metadata } });
    expect(mapIn(await set(all('one')), 'aggregate', 'metadata')).toEqual(membersOf(all('one')));
    const shown = await send('GET', `/os-aggregates/${id}`);
    expect(mapIn(shown, 'aggregate', 'metadata')).toEqual(membersOf(all('one')));
    const emptied = await set(oddMap(() => null));
    expect(mapIn(emptied, 'aggregate', 'metadata')).toEqual([]);
  });

  it('do not name an extension', async () => {
    for (const key of ODD_KEYS) expect((await send('GET', `/extensions/${key}`)).status).toBe(404);
    expect(pollution()).toEqual([]);
  });
});
