import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusalOf, startNetwork, type NetworkFixture } from '../network.fixture.js';

let network: NetworkFixture;

beforeAll(async () => {
  network = await startNetwork();
});
afterAll(() => network.stop());

const scope = (fields: object = {}, token = network.member) =>
  network.create('address_scopes', { name: 'one', ip_version: 4, ...fields }, token);

const send = (method: 'PUT' | 'DELETE', id: string, fields?: object, token = network.member) =>
  network.client.send(method, `/v2.0/address-scopes/${id}`, {
    token,
    body: fields && { address_scope: fields },
  });

describe('an address scope', () => {
  it('belongs to its project, and can be renamed and deleted', async () => {
    const { id } = await scope();
    expect(await network.show('address_scopes', id)).toMatchObject({
      ip_version: 4,
      shared: false,
      project_id: network.project,
    });
    expect((await send('PUT', id, { name: 'two' })).body).toMatchObject({
      address_scope: { name: 'two', revision_number: 1 },
    });
    expect(await network.list('address-scopes?name=two&ip_version=4')).toMatchObject([{ id }]);
    expect((await send('DELETE', id)).status).toBe(204);
    expect(refusalOf(await send('DELETE', id))).toEqual([404, 'AddressScopeNotFound']);
  });

  it.each([
    [400, 'HTTPBadRequest', { name: 'one' }],
    [400, 'HTTPBadRequest', { ip_version: 5 }],
    [403, 'PolicyNotAuthorized', { ip_version: 4, shared: true }],
  ])('is refused with %d %s: %j', async (status, type, address_scope) => {
    const answer = await network.client.post('/v2.0/address-scopes', {
      token: network.member,
      body: { address_scope },
    });
    expect(refusalOf(answer)).toEqual([status, type]);
  });

  it('is shared by administrators, so that others see but cannot change it', async () => {
    const { id } = await scope({ shared: true }, network.admin);
    expect(await network.show('address_scopes', id)).toMatchObject({ shared: true });
    expect(refusalOf(await send('PUT', id, { name: 'mine' }))).toEqual([
      403,
      'PolicyNotAuthorized',
    ]);
    const unshared = await send('PUT', id, { shared: false }, network.admin);
    expect(refusalOf(unshared)).toEqual([400, 'AddressScopeUpdateError']);
  });

  it('cannot change its IP version', async () => {
    const { id } = await scope();
    expect(refusalOf(await send('PUT', id, { ip_version: 6 }))).toEqual([400, 'HTTPBadRequest']);
  });

  it('is not deleted while a pool is in it', async () => {
    const { id } = await scope();
    const pool = await network.create('subnetpools', {
      name: 'pool',
      prefixes: ['10.0.0.0/8'],
      address_scope_id: id,
    });
    expect(refusalOf(await send('DELETE', id))).toEqual([409, 'AddressScopeInUse']);
    await network.client.delete(`/v2.0/subnetpools/${pool.id}`, { token: network.member });
    expect((await send('DELETE', id)).status).toBe(204);
  });
});
