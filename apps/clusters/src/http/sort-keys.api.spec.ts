/** Lists can be sorted by all of Magnum's columns, and their pages are complete in each order. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { A_TEMPLATE, type ClustersFixture, messageOf, startClusters } from '../clusters.fixture.js';

interface Listed {
  readonly uuid: string;
}

let fixture: ClustersFixture;
let token: string;
let cluster: string;

/** Columns that are null in some rows only. */
const TEMPLATES = [{ tags: 'a,b', docker_volume_size: 6 }, { keypair_id: 'mine' }, {}];
const CLUSTERS = [{ docker_volume_size: 5 }, { keypair: 'mine' }, { discovery_url: 'http://x' }];

beforeAll(async () => {
  fixture = await startClusters({ config: { role: 'api' } });
  token = await fixture.tokens.issue(['member'], { projectId: newId() });
  const made = async (path: string, body: object): Promise<string> =>
    ((await fixture.ask('POST', path, body, { token })).body as Listed).uuid;
  let template = '';
  for (const fields of TEMPLATES)
    template = await made('/v1/clustertemplates', { ...A_TEMPLATE, ...fields });
  for (const fields of CLUSTERS)
    cluster = await made('/v1/clusters', { cluster_template_id: template, ...fields });
});
afterAll(() => fixture.stop());

it.each<[string, () => string, number, string[]]>([
  [
    'clustertemplates',
    () => '/v1/clustertemplates',
    TEMPLATES.length,
    ['public', 'hidden', 'tags', 'server_type', 'network_driver', 'keypair_id', 'project_id'],
  ],
  [
    'clusters',
    () => '/v1/clusters',
    CLUSTERS.length,
    ['keypair', 'user_id', 'stack_id', 'master_flavor_id', 'create_timeout', 'api_address'],
  ],
  [
    'nodegroups',
    () => `/v1/clusters/${cluster}/nodegroups`,
    2,
    ['is_default', 'min_node_count', 'max_node_count', 'project_id', 'docker_volume_size'],
  ],
])('%s are', async (collection, pathOf, count, some) => {
  const path = pathOf();
  const page = async (query: string): Promise<string[]> => {
    const { body } = await fixture.ask('GET', `${path}?${query}`, undefined, { token });
    return (body as Record<string, Listed[]>)[collection]?.map(({ uuid }) => uuid) ?? [];
  };
  const refusal = await fixture.ask('GET', `${path}?sort_key=none`, undefined, { token });
  const keys =
    messageOf(refusal)
      ?.match(/is not one of (.*)\.$/)?.[1]
      ?.split(', ') ?? [];
  expect(keys).toEqual(expect.arrayContaining(some));
  for (const key of keys) {
    for (const direction of ['asc', 'desc']) {
      const order = `sort_key=${key}&sort_dir=${direction}`;
      const all = await page(order);
      expect([order, all.length]).toEqual([order, count]);
      const rest = await page(`${order}&marker=${all[0] ?? ''}`);
      expect([order, rest]).toEqual([order, all.slice(1)]);
    }
  }
});
