import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { errorOf } from '../../images.fixture.js';
import { TestMetadefs, type Wire } from '../metadefs.fixture.js';

const IMAGE = 'OS::Glance::Image';
const FLAVOR = 'OS::Nova::Flavor';

let metadefs: TestMetadefs;

beforeAll(async () => {
  metadefs = await TestMetadefs.start();
  const { project: owner } = metadefs.images;
  const types = (...names: string[]) => ({
    resource_type_associations: names.map((name) => ({ name })),
  });
  await metadefs.namespace({ namespace: 'b public', ...types(IMAGE), display_name: 'Z' });
  await metadefs.namespace({ namespace: 'a own', visibility: 'private', owner });
  await metadefs.namespace({ namespace: 'd own public', owner, ...types(FLAVOR, IMAGE) });
  await metadefs.namespace({
    namespace: 'c foreign',
    visibility: 'private',
    owner: newId(),
    ...types(FLAVOR),
  });
});
afterAll(() => metadefs.stop());

async function names(query: string, token?: string): Promise<string[]> {
  const { namespaces } = await metadefs.get(`/namespaces?${query}`, token);
  return (namespaces as { namespace: string }[]).map(({ namespace }) => namespace);
}

const BY_NAME = 'sort_key=namespace&sort_dir=asc';

describe('visibility of namespaces', () => {
  const own = ['a own', 'b public', 'd own public'];
  const published = ['b public', 'd own public'];
  const all = ['a own', 'b public', 'c foreign', 'd own public'];
  const table = [
    { who: 'reader', sees: own },
    { who: 'member', sees: own },
    { who: 'stranger', sees: published },
    { who: 'service', sees: published },
    { who: 'admin', sees: all },
  ] as const;

  it.each(table)('$who lists $sees', async ({ who, sees }) => {
    expect(await names(BY_NAME, metadefs.images[who])).toEqual(sees);
  });

  const paths = ['', '/objects', '/properties', '/tags', '/resource_types'];

  it.each(table)('$who reads those, and gets 404 for others', async ({ who, sees }) => {
    for (const name of all) {
      const statuses = paths.map(async (path) => {
        const token = metadefs.images[who];
        return (await metadefs.send('GET', `/namespaces/${name}${path}`, { token })).status;
      });
      const expected = (sees as readonly string[]).includes(name) ? 200 : 404;
      expect(await Promise.all(statuses)).toEqual(paths.map(() => expected));
    }
  });
});

describe('GET /v2/metadefs/namespaces', () => {
  it('lists them with their resource types, and links', async () => {
    const list = await metadefs.get(`/namespaces?${BY_NAME}`);
    expect(list).toMatchObject({
      schema: '/v2/schemas/metadefs/namespaces',
      first: `/v2/metadefs/namespaces?${BY_NAME}`,
    });
    expect(list).not.toHaveProperty('next');
    const [own, published, both] = list['namespaces'] as Wire[];
    expect(own).not.toHaveProperty('resource_type_associations');
    expect(published).toMatchObject({
      self: '/v2/metadefs/namespaces/b public',
      resource_type_associations: [{ name: IMAGE }],
    });
    expect(both).toMatchObject({ resource_type_associations: [{ name: IMAGE }, { name: FLAVOR }] });
  });

  it.each([
    ['visibility=public', ['b public', 'd own public']],
    ['visibility=private', ['a own']],
    [`resource_types=${IMAGE}`, ['b public', 'd own public']],
    [`resource_types=${FLAVOR}`, ['d own public']],
    [`resource_types=OS::No::Such,${FLAVOR},${IMAGE}`, ['b public', 'd own public']],
    ['resource_types=OS::No::Such', []],
    ['resource_types=', []],
    ['limit=0', []],
    ['colour=red', ['a own', 'b public', 'd own public']],
  ])('knows the filter %s', async (filter, expected) => {
    expect(await names(`${BY_NAME}&${filter}`)).toEqual(expected);
  });

  it.each([
    'created_at',
    'updated_at',
    'namespace',
    'display_name',
    'description',
    'visibility',
    'protected',
    'owner',
    'id',
  ])('pages in the order of %s, in both directions', async (key) => {
    for (const direction of ['asc', 'desc']) {
      const query = `sort_key=${key}&sort_dir=${direction}`;
      const whole = await names(query);
      expect(whole).toHaveLength(3);
      const pages: string[] = [];
      let next: string | undefined = `/v2/metadefs/namespaces?limit=1&${query}`;
      while (next !== undefined) {
        const page: Wire = await metadefs.get(next.slice('/v2/metadefs'.length));
        pages.push(...(page['namespaces'] as { namespace: string }[]).map((n) => n.namespace));
        expect(page['first']).toBe(`/v2/metadefs/namespaces?limit=1&${query}`);
        next = page['next'] as string | undefined;
      }
      expect(pages).toEqual(whole);
    }
  });

  it('sorts in descending order by default', async () => {
    expect(await names('')).toEqual((await names('sort_dir=asc')).reverse());
  });

  it.each([
    'limit=-1',
    'limit=x',
    'sort_key=colour',
    'sort_dir=up',
    'visibility=shared',
    'marker=a&marker=b',
    'marker=%00',
  ])('answers 400 to %s', async (query) => {
    const response = await metadefs.send('GET', `/namespaces?${query}`);
    expect(response.status).toBe(400);
    expect(errorOf(response).message).toContain(query.split('=')[0]);
  });

  it.each(['nobody', 'c foreign'])('answers 404 for the marker %s', async (marker) => {
    const { reader: token } = metadefs.images;
    const response = await metadefs.send('GET', `/namespaces?marker=${marker}`, { token });
    expect(errorOf(response)).toMatchObject({
      code: 404,
      message: `No metadata definition namespace '${marker}' found.`,
    });
  });
});
