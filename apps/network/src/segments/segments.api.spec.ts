import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { refusalOf, startNetwork, type NetworkFixture, type Wire } from '../network.fixture.js';

let network: NetworkFixture;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaNetworks: -1 } });
});
afterAll(() => network.stop());

const VLAN = {
  'provider:network_type': 'vlan',
  'provider:physical_network': 'public',
  'provider:segmentation_id': 77,
};
const get = (path: string, token = network.admin) =>
  network.client.get(`/v2.0/segments${path}`, { token });
const put = (id: string, fields: object, headers = {}) =>
  network.client.put(`/v2.0/segments/${id}`, {
    token: network.admin,
    body: { segment: fields },
    headers,
  });
const post = (fields: object) =>
  network.client.post('/v2.0/segments', { token: network.admin, body: { segment: fields } });
const listed = async (query: string): Promise<string[]> =>
  (await network.list(`segments${query}`, network.admin)).map(({ id }) => id);

describe('a segment', () => {
  it('is where the packets of a network travel', async () => {
    const { id: network_id } = await network.create('networks', VLAN, network.admin);
    const [segment] = await network.list(`segments?network_id=${network_id}`, network.admin);
    expect(segment).toMatchObject({
      network_id,
      network_type: 'vlan',
      physical_network: 'public',
      segmentation_id: 77,
      name: null,
      description: null,
    });
    expect((await get(`/${segment?.id ?? ''}`)).body).toEqual({ segment });
    expect(await listed('?network_type=vlan&segmentation_id=77')).toEqual([segment?.id]);
    expect(await listed('?network_type=flat')).toEqual([]);
    await network.client.delete(`/v2.0/networks/${network_id}`, { token: network.admin });
    expect(refusalOf(await get(`/${segment?.id ?? ''}`))).toEqual([404, 'SegmentNotFound']);
  });

  it('has a name and a description of its own', async () => {
    const { id } = await network.create('networks', { name: 'net' });
    const named = await put(id, { name: 'rack', description: 'left' });
    expect(named.body).toMatchObject({ segment: { name: 'rack', description: 'left' } });
    expect(await network.show('networks', id)).toMatchObject({ name: 'net', description: '' });
    expect(await listed('?name=rack')).toEqual([id]);
    const { revision_number: revision } = (named.body as { segment: Wire }).segment;
    const stale = await put(id, { name: null }, { 'if-match': `revision_number=${revision - 1}` });
    expect(refusalOf(stale)).toEqual([412, 'RevisionNumberConstraintFailed']);
    expect((await put(id, { name: null })).body).toMatchObject({ segment: { name: null } });
  });

  it('cannot be deleted before its network', async () => {
    const { id } = await network.create('networks', {});
    const token = network.admin;
    const answer = await network.client.delete(`/v2.0/segments/${id}`, { token });
    expect(refusalOf(answer)).toEqual([409, 'SegmentInUse']);
    const fixed = await put(id, { segmentation_id: 9 });
    expect(refusalOf(fixed)).toEqual([400, 'HTTPBadRequest']);
  });

  it('is the only one of its network', async () => {
    const { id: network_id } = await network.create('networks', {});
    expect(refusalOf(await post({ network_id, network_type: 'geneve' }))).toEqual([
      501,
      'HTTPNotImplemented',
    ]);
    const ghost = await post({ network_id: newId(), network_type: 'geneve' });
    expect(refusalOf(ghost)).toEqual([404, 'NetworkNotFound']);
    const odd = await post({ network_id, network_type: 'pigeon' });
    expect(refusalOf(odd)).toEqual([400, 'HTTPBadRequest']);
    expect(await listed(`?network_id=${network_id}`)).toHaveLength(1);
  });

  it('is visible to administrators only', async () => {
    expect((await get('', network.member)).status).toBe(403);
    expect(refusalOf(await get('/odd'))).toEqual([404, 'SegmentNotFound']);
    expect(refusalOf(await get(`?limit=1&marker=${newId()}`))).toEqual([404, 'SegmentNotFound']);
  });
});
