/** Creating, listing and showing clusters. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import type { TestResponse } from '@cumulet/testing/http-client';
import {
  A_TEMPLATE,
  type AskOptions,
  type ClustersFixture,
  messageOf,
  startClusters,
} from '../clusters.fixture.js';

const PATH = '/v1/clusters';
const OVERLAPPING = { flannel_network_cidr: '10.0.0.0/16' };
const WITHIN = { fixed_subnet_cidr: '10.100.3.0/24' };
const OTHERS = { fixed_network: 'public', fixed_subnet: 'private-subnet' };
let fixture: ClustersFixture;
let template: string;

beforeAll(async () => {
  fixture = await startClusters({ config: { role: 'api', clusterQuota: 60 } });
  template = await fixture.createTemplate({
    keypair_id: 'mine',
    labels: { availability_zone: 'nova', kube_tag: 'v1.35.4' },
    docker_volume_size: 5,
  });
});
afterAll(() => fixture.stop());

const create = (fields: object, options: AskOptions = {}): Promise<TestResponse> =>
  fixture.ask('POST', PATH, { cluster_template_id: template, ...fields }, options);

const idOf = ({ body }: TestResponse): string => (body as { uuid: string }).uuid;

async function rowsOf(path: string, options?: AskOptions): Promise<Record<string, unknown>[]> {
  const { body } = await fixture.ask('GET', path, undefined, options);
  return (body as { clusters: Record<string, unknown>[] }).clusters;
}

describe('a new cluster', () => {
  it('defaults to its template', async () => {
    const answer = await create({});
    expect([answer.status, answer.body]).toEqual([202, { uuid: expect.any(String) }]);
    expect(await fixture.show(idOf(answer))).toMatchObject({
      name: expect.stringMatching(/^[a-z]+-\d+-cluster$/),
      project_id: fixture.projectId,
      status: 'CREATE_IN_PROGRESS',
      cluster_template_id: template,
      keypair: 'mine',
      flavor_id: 'm1.small',
      master_flavor_id: 'm1.medium',
      docker_volume_size: 5,
      labels: { availability_zone: 'nova', kube_tag: 'v1.35.4' },
      labels_overridden: {},
      labels_added: {},
      labels_skipped: {},
      node_count: 1,
      master_count: 1,
      create_timeout: 60,
      floating_ip_enabled: true,
      master_lb_enabled: true,
      api_address: null,
      coe_version: null,
      cluster_id: null,
      discovery_url: null,
      health_status: null,
      node_addresses: [],
    });
  });

  it("takes what Magnum's client sends", async () => {
    const answer = await create({
      name: 'web',
      create_timeout: 60,
      discovery_url: null,
      keypair: null,
      master_count: 1,
      node_count: 1,
      fixed_network: null,
      fixed_subnet: null,
      labels: {},
      floating_ip_enabled: null,
      master_lb_enabled: null,
      docker_volume_size: '7',
    });
    expect(answer.status).toBe(202);
    expect(await fixture.show(idOf(answer))).toMatchObject({ docker_volume_size: 7 });
  });

  it("has its own labels instead of its template's", async () => {
    const id = idOf(await create({ labels: { availability_zone: 'az2', own: 'x' } }));
    expect(await fixture.show(id)).toMatchObject({
      labels: { availability_zone: 'az2', own: 'x' },
      labels_overridden: { availability_zone: 'nova' },
      labels_added: { own: 'x' },
      labels_skipped: { kube_tag: 'v1.35.4' },
    });
  });

  it("merges its own labels with its template's on request", async () => {
    const fields = { labels: { availability_zone: 'az2' }, merge_labels: true };
    const id = idOf(await create(fields));
    expect(await fixture.show(id)).toMatchObject({
      labels: { availability_zone: 'az2', kube_tag: 'v1.35.4' },
      labels_skipped: {},
    });
  });

  it('may have a network of its own', async () => {
    const id = idOf(await create({ labels: { fixed_subnet_cidr: '10.20.0.0/24' } }));
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({ status: 'CREATE_COMPLETE' });
  });

  it('may be on an existing network', async () => {
    const id = idOf(await create({ fixed_network: 'private', fixed_subnet: 'private-subnet' }));
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({
      status: 'CREATE_COMPLETE',
      fixed_network: 'private',
    });
  });

  it('may have no worker', async () => {
    const id = idOf(await create({ node_count: 0 }));
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({ status: 'CREATE_COMPLETE', node_count: 0 });
  });

  it('may have three masters', async () => {
    const id = idOf(await create({ master_count: 3 }));
    await fixture.work(id);
    const shown = await fixture.show(id);
    expect(shown).toMatchObject({ status: 'CREATE_COMPLETE', master_count: 3 });
    expect(shown['master_addresses']).toHaveLength(3);
    const founders = (await fixture.nodesOf(id)).filter(({ isFounder }) => isFounder);
    expect(founders).toHaveLength(1);
  });

  it.each<[string, object, number, string]>([
    ['an unknown template', { cluster_template_id: 'none' }, 404, 'ClusterTemplate none'],
    ['no template', { cluster_template_id: undefined }, 400, 'cluster_template_id'],
    ['fewer than no workers', { node_count: -1 }, 400, 'node_count'],
    ['half a worker', { node_count: 0.5 }, 400, 'node_count'],
    ['no master', { master_count: 0 }, 400, 'master_count'],
    ['two masters', { master_count: 2 }, 400, 'master nodegroup size of 2 is invalid'],
    ['too many masters', { master_count: 9 }, 400, 'master_count'],
    ['masters without an address', { master_count: 3, master_lb_enabled: false }, 400, 'must be 1'],
    ['more than the quota', { node_count: 500 }, 403, 'Quota exceeded for Node'],
    ['an unknown flavor', { flavor_id: 'aaa' }, 400, 'Unable to find flavor aaa.'],
    ['an unknown key pair', { keypair: 'nobody' }, 404, 'Unable to find keypair nobody.'],
    ['an unknown network', { fixed_network: 'none' }, 400, 'fixed network none.'],
    ['an unknown subnet', { fixed_subnet: 'none' }, 400, 'fixed subnet none.'],
    ['a network and another’s subnet', OTHERS, 400, 'does not belong to the fixed_network public'],
    ['a name without a letter', { name: '1web' }, 400, 'name'],
    ['a name that is too long', { name: 'a'.repeat(243) }, 400, 'name'],
    ['a label that is a mistake', { labels: { auto_healing_on: 'true' } }, 400, 'auto_healing_on'],
    ['a label with a wrong value', { labels: { min_node_count: 'few' } }, 400, 'min_node_count'],
    ['what is not to be had', { labels: { boot_volume_size: '9' } }, 400, 'no volume service'],
    ['another version', { labels: { kube_tag: 'v1.34.4' } }, 400, 'carries v1.35.4'],
    ['another way to be a node', { labels: { node_bootstrap: 'k3s' } }, 400, 'not supported'],
    ['networks that overlap', { labels: OVERLAPPING }, 400, 'of pods (10.0.0.0/16) and of nodes'],
    ['a network within that of pods', { labels: WITHIN }, 400, 'and of nodes (10.100.3.0/24)'],
    ['no time at all', { create_timeout: -1 }, 400, 'create_timeout'],
    ['a stack of its own', { stack_id: 'x' }, 400, 'stack_id'],
    ['what is no field', { zzz: 1 }, 400, 'zzz'],
  ])('may not have %s, and leaves nothing behind', async (_, fields, status, words) => {
    const [rows, trusts] = [(await rowsOf(PATH)).length, fixture.trusts.given.size];
    const answer = await create(fields);
    expect([answer.status, messageOf(answer)]).toEqual([status, expect.stringContaining(words)]);
    expect([(await rowsOf(PATH)).length, fixture.trusts.given.size]).toEqual([rows, trusts]);
  });

  it('may not have an API port of its own without a load balancer', async () => {
    const another = await fixture.createTemplate({ apiserver_port: 8_443 });
    expect((await create({ cluster_template_id: another })).status).toBe(202);
    const fields = { cluster_template_id: another, master_lb_enabled: false };
    const answer = await create(fields);
    expect([answer.status, messageOf(answer)]).toEqual([
      400,
      expect.stringContaining('apiserver_port 8443 needs master_lb_enabled'),
    ]);
  });

  it("may not use another project's template", async () => {
    const answer = await create({}, { token: fixture.stranger });
    expect([answer.status, messageOf(answer)]).toEqual([
      404,
      `ClusterTemplate ${template} could not be found.`,
    ]);
  });

  it("prefers an administrator's own template to others of the same name", async () => {
    const name = `shared-${newId()}`;
    const fields = { ...A_TEMPLATE, name };
    const stranger = { token: fixture.stranger };
    const theirs = idOf(await fixture.ask('POST', '/v1/clustertemplates', fields, stranger));
    const of = async (): Promise<unknown> => {
      const answer = await create({ cluster_template_id: name }, { token: fixture.admin });
      return (await fixture.show(idOf(answer)))['cluster_template_id'];
    };
    expect(await of()).toBe(theirs);
    const own = await fixture.createTemplate({ name });
    expect(await of()).toBe(own);
  });

  it('may not use an image that is no longer a node image', async () => {
    const lost = await fixture.createTemplate({ image_id: 'node-1.34' });
    const image = fixture.references.images.get('node-1.34');
    if (!image) throw new Error('there is no image');
    fixture.references.images.set('node-1.34', { ...image, osDistro: 'ubuntu' });
    const answer = await create({ cluster_template_id: lost });
    fixture.references.images.set('node-1.34', image);
    expect([answer.status, messageOf(answer)]).toEqual([
      400,
      expect.stringContaining('Cluster type (vm, ubuntu, kubernetes) not supported'),
    ]);
  });
});

describe('by the microversion', () => {
  it.each([
    ['1.9', 400],
    ['1.10', 202],
  ])('%s, a cluster without workers is answered with %d', async (version, status) => {
    expect((await create({ node_count: 0 }, { version })).status).toBe(status);
  });

  it.each([
    ['1.1', 400],
    ['1.9', 400],
    ['1.10', 404],
  ])('%s, an unknown template is answered with %d', async (version, status) => {
    const answer = await create({ cluster_template_id: newId() }, { version });
    expect(answer.status).toBe(status);
  });

  it('1.13, its stack is called cluster_id', async () => {
    const id = idOf(await create({}));
    const keys = async (version: string): Promise<string[]> =>
      Object.keys(
        (await fixture.ask('GET', `${PATH}/${id}`, undefined, { version })).body as object,
      );
    expect(await keys('1.12')).toEqual(expect.arrayContaining(['stack_id']));
    expect(await keys('1.12')).not.toContain('cluster_id');
    expect(await keys('1.13')).toEqual(expect.arrayContaining(['cluster_id']));
    expect(await keys('1.13')).not.toContain('stack_id');
  });

  it.each<[string, string, string, unknown]>([
    ['1.2', 'PATCH', '?rollback=True', [{ op: 'replace', path: '/node_count', value: 1 }]],
    ['1.6', 'POST', '/actions/resize', { node_count: 1 }],
    ['1.7', 'POST', '/actions/upgrade', { cluster_template: 'x' }],
    ['1.8', 'GET', '/nodegroups', undefined],
    ['1.8', 'POST', '/nodegroups', { name: 'x' }],
  ])('%s, there is no %s of %s', async (version, method, path, body) => {
    const id = idOf(await create({}));
    const answer = await fixture.ask(method, `${PATH}/${id}${path}`, body, { version });
    expect([answer.status, messageOf(answer)]).toEqual([406, expect.stringContaining(version)]);
    const after = await fixture.ask('GET', `${PATH}/${id}`);
    expect(after.body).toMatchObject({ status: 'CREATE_IN_PROGRESS' });
  });
});

describe('clusters', () => {
  it('are listed with and without details', async () => {
    const [short] = await rowsOf(`${PATH}?limit=1`);
    expect(short).not.toHaveProperty('api_address');
    expect(short).toHaveProperty('links');
    const [full] = await rowsOf(`${PATH}/detail?limit=1`);
    expect(full).toMatchObject(short ?? {});
    expect(full).toHaveProperty('api_address');
  });

  it('are listed in pages', async () => {
    const token = await fixture.tokens.issue(['member'], { projectId: newId() });
    const { body } = await fixture.ask(
      'POST',
      '/v1/clustertemplates',
      { coe: 'kubernetes', image_id: 'node-1.35', flavor_id: 'm1.small' },
      { token },
    );
    for (const name of ['b', 'c', 'a'])
      await create({ name, cluster_template_id: (body as { uuid: string }).uuid }, { token });
    const names = async (query: string): Promise<unknown[]> =>
      (await rowsOf(`${PATH}${query}`, { token })).map(({ name }) => name);
    expect(await names('')).toEqual(['b', 'c', 'a']);
    expect(await names('?sort_key=name')).toEqual(['a', 'b', 'c']);
    expect(await names('?sort_key=name&sort_dir=desc')).toEqual(['c', 'b', 'a']);
    // Columns that are always null.
    for (const key of ['updated_at', 'health_status']) {
      const first = await rowsOf(`${PATH}?limit=2&sort_key=${key}`, { token });
      const marker = first.at(-1)?.['uuid'] as string;
      const rest = await names(`?limit=2&sort_key=${key}&marker=${marker}`);
      expect([key, [...first.map(({ name }) => name), ...rest].sort()]).toEqual([
        key,
        ['a', 'b', 'c'],
      ]);
    }
    expect((await fixture.ask('GET', `${PATH}?sort_key=zzz`, undefined, { token })).status).toBe(
      400,
    );
  });

  it('of other projects are visible to administrators', async () => {
    const id = idOf(await create({ name: 'hidden-here' }));
    const { stranger: token, admin } = fixture;
    expect((await fixture.ask('GET', `${PATH}/${id}`, undefined, { token })).status).toBe(404);
    expect((await fixture.ask('DELETE', `${PATH}/${id}`, undefined, { token })).status).toBe(404);
    expect(await rowsOf(PATH, { token })).toEqual([]);
    const shown = await fixture.ask('GET', `${PATH}/${id}`, undefined, { token: admin });
    expect(shown.status).toBe(200);
  });

  it('that share a name are found by ID', async () => {
    await create({ name: 'twin' });
    await create({ name: 'twin' });
    const answer = await fixture.ask('DELETE', `${PATH}/twin`);
    expect([answer.status, messageOf(answer)]).toEqual([
      409,
      expect.stringContaining('Multiple clusters exist with same name'),
    ]);
  });
});
