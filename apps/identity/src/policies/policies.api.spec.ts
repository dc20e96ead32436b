import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pick, startCatalog, type CatalogWorld } from '../catalog/catalog.fixture.js';
import { messageOf } from '../identity.fixture.js';

const POLICY = { type: 'application/json', blob: '{"compute:start": "role:member"}' };

let world: CatalogWorld;

beforeAll(async () => {
  world = await startCatalog();
});
afterAll(() => world.identity.stop());

describe('/v3/policies', () => {
  it('creates a policy with further properties, changes and deletes it', async () => {
    const policy = await world.made('policies', 'policy', { ...POLICY, about: 'servers' });
    const path = `policies/${String(policy['id'])}`;
    expect(policy).toEqual({
      ...POLICY,
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      about: 'servers',
      links: { self: `${world.identity.client.baseUrl}/v3/${path}` },
    });
    expect((await world.ask('GET', path)).body).toEqual({ policy });
    const changed = await world.ask('PATCH', path, { policy: { type: 'text/plain' } });
    expect(changed.body).toEqual({ policy: { ...policy, type: 'text/plain' } });
    expect((await world.ask('DELETE', path)).status).toBe(204);
    const gone = await world.ask('GET', path);
    expect([gone.status, messageOf(gone)]).toEqual([
      404,
      `Could not find policy: ${String(policy['id'])}.`,
    ]);
  });

  it('lists them by type', async () => {
    await world.made('policies', 'policy', { ...POLICY, type: 'a' });
    await world.made('policies', 'policy', { ...POLICY, type: 'b' });
    const all = await world.ask('GET', 'policies', undefined, world.systemReader);
    expect(pick(all, 'policies', 'type')).toEqual(expect.arrayContaining(['a', 'b']));
    expect(pick(await world.ask('GET', 'policies?type=b'), 'policies', 'type')).toEqual(['b']);
  });

  it.each([
    [{ blob: 'x' }],
    [{ type: 'x' }],
    [{ ...POLICY, type: 'x'.repeat(256) }],
    [{ ...POLICY, blob: {} }],
  ])('refuses %j', async (policy) => {
    expect((await world.ask('POST', 'policies', { policy })).status).toBe(400);
  });

  it('is allowed for administrators, and read by readers of the system', async () => {
    for (const token of [world.systemReader, world.member])
      expect((await world.ask('POST', 'policies', { policy: POLICY }, token)).status).toBe(403);
    expect((await world.ask('GET', 'policies', undefined, world.member)).status).toBe(403);
  });
});
