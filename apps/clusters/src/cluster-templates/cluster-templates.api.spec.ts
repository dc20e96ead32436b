import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import type { TestResponse } from '@cumulet/testing/http-client';
import { A_TEMPLATE, type ClustersFixture, messageOf, startClusters } from '../clusters.fixture.js';

const PATH = '/v1/clustertemplates';
let fixture: ClustersFixture;

beforeAll(async () => {
  fixture = await startClusters({ config: { role: 'api' } });
});
afterAll(() => fixture.stop());

const create = (fields: object, token = fixture.token): Promise<TestResponse> =>
  fixture.ask('POST', PATH, { ...A_TEMPLATE, ...fields }, { token });

const patch = (id: string, body: unknown, token = fixture.token): Promise<TestResponse> =>
  fixture.ask('PATCH', `${PATH}/${id}`, body, { token });

async function names(token = fixture.token, query = ''): Promise<string[]> {
  const { body } = await fixture.ask('GET', `${PATH}${query}`, undefined, { token });
  return (body as { clustertemplates: { name: string }[] }).clustertemplates.map(
    ({ name }) => name,
  );
}

it('a template has defaults for omitted fields', async () => {
  const answer = await fixture.ask('POST', PATH, { coe: 'kubernetes', image_id: 'node-1.35' });
  expect(answer.status).toBe(201);
  const { uuid } = answer.body as { uuid: string };
  expect(answer.headers.get('Location')).toContain(`${PATH}/${uuid}`);
  expect(answer.body).toMatchObject({
    name: expect.stringMatching(/^[a-z]+-\d+-template$/),
    project_id: fixture.projectId,
    network_driver: 'flannel',
    cluster_distro: 'cumulet-node',
    floating_ip_enabled: true,
    master_lb_enabled: false,
    tls_disabled: false,
    public: false,
    hidden: false,
    server_type: 'vm',
    labels: {},
    flavor_id: null,
    updated_at: null,
  });
  expect((await fixture.ask('GET', `${PATH}/${uuid}`)).body).toEqual(answer.body);
});

it("accepts what Magnum's client sends, with null for fields not given", async () => {
  const nothing = {
    keypair_id: null,
    fixed_network: null,
    fixed_subnet: null,
    network_driver: null,
    volume_driver: null,
    driver: null,
    docker_volume_size: null,
    http_proxy: null,
    https_proxy: null,
    no_proxy: null,
    insecure_registry: null,
  };
  const answer = await create({
    ...nothing,
    name: 'nulls',
    dns_nameserver: '8.8.8.8,1.1.1.1',
    docker_storage_driver: 'overlay2',
    keypair_id: 'nobody-has-it',
    labels: { availability_zone: 'nova', metrics_server_enabled: true, min_node_count: 1 },
    public: false,
    server_type: 'vm',
  });
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({
    labels: { availability_zone: 'nova', metrics_server_enabled: 'true', min_node_count: '1' },
  });
});

describe('refuses', () => {
  it.each<[string, object, number, string]>([
    ['another orchestrator', { coe: 'swarm' }, 400, 'coe'],
    ['no orchestrator', { coe: undefined }, 400, 'coe'],
    ['no image', { image_id: undefined }, 400, 'image_id'],
    ['an unknown image', { image_id: 'none' }, 400, 'Image none could not be found.'],
    ['an image that says nothing', { image_id: 'nameless' }, 400, "doesn't contain os_distro"],
    ['an image that is no node', { image_id: 'ubuntu' }, 400, 'Cluster type (vm, ubuntu'],
    ['an unknown flavor', { flavor_id: 'aaa' }, 400, 'Unable to find flavor aaa.'],
    ['an unknown flavor of masters', { master_flavor_id: 'bbb' }, 400, 'flavor bbb.'],
    ['a network that leads nowhere', { external_network_id: 'private' }, 400, 'external network'],
    ['an unknown network', { fixed_network: 'none' }, 400, 'Unable to find fixed network none.'],
    ['an unknown subnet', { fixed_subnet: 'none' }, 400, 'Unable to find fixed subnet none.'],
    ['another network driver', { network_driver: 'shouldbe' }, 400, 'Network driver type'],
    ['another volume driver', { volume_driver: 'shouldbe' }, 400, 'Volume driver type'],
    ['another driver', { driver: 'heat' }, 400, 'The driver heat is not supported'],
    ['bare metal', { server_type: 'bm' }, 400, 'bare metal'],
    ['what is neither', { server_type: 'pod' }, 400, 'server_type'],
    ['no addresses', { dns_nameserver: 'dns.example' }, 400, 'IPv4 addresses'],
    ['a port of the system', { apiserver_port: 80 }, 400, 'apiserver_port'],
    ['no room', { docker_volume_size: 0 }, 400, 'docker_volume_size'],
    ['a label that is a mistake', { labels: { kube_tga: 'v1.35.4' } }, 400, 'kube_tga'],
    ['a label of the wrong kind', { labels: { a: [] } }, 400, 'labels'],
    ['what is no field', { zzz: 1 }, 400, 'zzz'],
    ['a name without a letter', { name: '' }, 400, 'name'],
    ['to be public', { public: true }, 403, 'clustertemplate:publish'],
    ['to be hidden', { hidden: true }, 403, 'clustertemplate:publish'],
  ])('%s', async (_, fields, status, words) => {
    const before = await names();
    const answer = await create(fields);
    expect([answer.status, messageOf(answer)]).toEqual([status, expect.stringContaining(words)]);
    expect(await names()).toEqual(before);
  });
});

describe('a change', () => {
  it('is one object or a list', async () => {
    const id = await fixture.createTemplate({ name: 'before' });
    const one = await patch(id, { op: 'replace', path: '/name', value: 'after' });
    expect([one.status, one.body]).toMatchObject([200, { name: 'after' }]);
    const many = await patch(id, [
      { op: 'add', path: '/labels/a', value: '1' },
      { op: 'replace', path: '/master_lb_enabled', value: 'False' },
      { op: 'replace', path: '/tags', value: 'x,y' },
      { op: 'remove', path: '/flavor_id' },
      { op: 'replace', path: '/docker_volume_size', value: 7 },
    ]);
    expect([many.status, many.body]).toMatchObject([
      200,
      {
        labels: { a: '1' },
        master_lb_enabled: false,
        tags: 'x,y',
        flavor_id: null,
        docker_volume_size: 7,
        updated_at: expect.any(String),
      },
    ]);
    const labels = await patch(id, [{ op: 'replace', path: '/labels', value: "{'b': '2'}" }]);
    expect(labels.body).toMatchObject({ labels: { b: '2' } });
  });

  it.each<[string, unknown, number, string]>([
    ['of its id', { op: 'replace', path: '/uuid', value: 'x' }, 400, 'internal attribute'],
    ['of its owner', { op: 'add', path: '/project_id', value: 'x' }, 400, 'internal'],
    ['without an image', { op: 'remove', path: '/image_id' }, 400, 'mandatory'],
    ['of nothing', { op: 'replace', path: '/none', value: 'x' }, 400, "no attribute '/none'"],
    ['to nothing', { op: 'replace', path: '/flavor_id', value: 'aaa' }, 400, 'flavor aaa'],
    ['to another kind', { op: 'replace', path: '/labels', value: 3 }, 400, 'labels'],
    ['that publishes', { op: 'replace', path: '/public', value: true }, 403, 'publish'],
    ['that publishes in words', { op: 'replace', path: '/public', value: 'True' }, 403, 'publish'],
    ['that is none', 'a text', 400, ''],
    ['that is an object of something else', { name: 'x' }, 400, "has 'name'"],
  ])('%s is refused, and leaves all as it was', async (_, body, status, words) => {
    const id = await fixture.createTemplate();
    const before = (await fixture.ask('GET', `${PATH}/${id}`)).body;
    const answer = await patch(id, body);
    expect([answer.status, messageOf(answer)]).toEqual([status, expect.stringContaining(words)]);
    expect((await fixture.ask('GET', `${PATH}/${id}`)).body).toEqual(before);
  });

  it('of a missing template is 404, unless the patch is invalid', async () => {
    const change = [{ op: 'replace', path: '/name', value: 'x' }];
    expect((await patch(newId(), change)).status).toBe(404);
    expect((await patch('fooo', change)).status).toBe(404);
    expect((await patch(newId(), { name: 'x' })).status).toBe(400);
  });
});

describe('a template in use', () => {
  let id: string;
  beforeAll(async () => {
    id = await fixture.createTemplate({ name: 'in-use' });
    await fixture.createCluster({ cluster_template_id: id });
  });

  it('may change fields that clusters do not use', async () => {
    expect((await patch(id, { op: 'replace', path: '/name', value: 'used' })).status).toBe(200);
    expect((await patch(id, { op: 'replace', path: '/tags', value: 'a' })).status).toBe(200);
  });

  it.each<[string, unknown]>([
    ['may not change others', { op: 'replace', path: '/flavor_id', value: 'm1.medium' }],
    [
      'in one thing at a time',
      [
        { op: 'replace', path: '/name', value: 'other' },
        { op: 'replace', path: '/tags', value: 'other' },
      ],
    ],
  ])('changes %s', async (_, body) => {
    const answer = await patch(id, body);
    expect([answer.status, messageOf(answer)]).toEqual([
      400,
      `ClusterTemplate ${id} is referenced by one or multiple clusters.`,
    ]);
  });

  it('cannot be deleted', async () => {
    const answer = await fixture.ask('DELETE', `${PATH}/${id}`);
    expect(answer.status).toBe(400);
    expect((await fixture.ask('GET', `${PATH}/${id}`)).status).toBe(200);
  });
});

describe('of other projects', () => {
  it('a template is not found, and not listed', async () => {
    const id = await fixture.createTemplate({ name: 'mine-alone' });
    const { stranger: token } = fixture;
    for (const method of ['GET', 'DELETE'])
      expect((await fixture.ask(method, `${PATH}/${id}`, undefined, { token })).status).toBe(404);
    const change = { op: 'replace', path: '/name', value: 'x' };
    expect((await patch(id, change, token)).status).toBe(404);
    expect(await names(token)).not.toContain('mine-alone');
    expect(await names(fixture.admin)).toContain('mine-alone');
  });

  it('a public template may be used by all, and changed by its owner', async () => {
    const { stranger: token, admin } = fixture;
    const { body } = await create({ name: 'for-all', public: true }, admin);
    const { uuid } = body as { uuid: string };
    expect(await names(token)).toContain('for-all');
    const shown = await fixture.ask('GET', `${PATH}/for-all`, undefined, { token });
    expect(shown.body).toMatchObject({ uuid, public: true });
    const change = { op: 'replace', path: '/name', value: 'x' };
    expect((await patch(uuid, change, token)).status).toBe(403);
    expect((await fixture.ask('DELETE', `${PATH}/${uuid}`, undefined, { token })).status).toBe(403);
    const cluster = { cluster_template_id: uuid };
    expect((await fixture.ask('POST', '/v1/clusters', cluster, { token })).status).toBe(202);
  });

  it('a hidden template is invisible to others, and used by administrators only', async () => {
    const { stranger: token, admin } = fixture;
    const id = await fixture.createTemplate({ name: 'old' });
    const hide = [
      { op: 'replace', path: '/hidden', value: true },
      { op: 'replace', path: '/public', value: true },
    ];
    expect((await patch(id, hide, admin)).status).toBe(200);
    expect(await names(token)).not.toContain('old');
    expect((await fixture.ask('GET', `${PATH}/${id}`, undefined, { token })).status).toBe(404);
    expect(await names()).toContain('old');
    const cluster = { cluster_template_id: id };
    const refused = await fixture.ask('POST', '/v1/clusters', cluster);
    expect([refused.status, messageOf(refused)]).toEqual([403, expect.stringContaining('hidden')]);
    const allowed = await fixture.ask('POST', '/v1/clusters', cluster, { token: admin });
    expect(allowed.status).toBe(202);
  });
});

it('a template that shares its name is found by ID', async () => {
  const ids = [await fixture.createTemplate({ name: 'twin' })];
  ids.push(await fixture.createTemplate({ name: 'twin' }));
  const answer = await fixture.ask('GET', `${PATH}/twin`);
  expect([answer.status, messageOf(answer)]).toEqual([
    409,
    expect.stringContaining('Multiple cluster templates exist'),
  ]);
  for (const id of ids) expect((await fixture.ask('DELETE', `${PATH}/${id}`)).status).toBe(204);
  expect((await fixture.ask('GET', `${PATH}/twin`)).status).toBe(404);
});

it('a list has linked pages in the requested order', async () => {
  const token = await fixture.tokens.issue(['member'], { projectId: newId() });
  for (const name of ['b', 'a', 'c']) await create({ name }, token);
  const all = [...(await names(token, '?sort_key=name'))].filter((name) => name.length === 1);
  expect(all).toEqual(['a', 'b', 'c']);
  const first = await fixture.ask('GET', `${PATH}?limit=2&sort_key=name`, undefined, { token });
  const { next } = first.body as { next: string };
  expect(next).toMatch(/\/v1\/clustertemplates\?sort_key=name&sort_dir=asc&limit=2&marker=/);
  const bad = ['?limit=0', '?sort_key=zzz', '?sort_dir=up', '?limit=x'];
  for (const query of bad) {
    const { status } = await fixture.ask('GET', `${PATH}${query}`, undefined, { token });
    expect([query, status]).toEqual([query, 400]);
  }
  const detail = await fixture.ask('GET', `${PATH}/detail`, undefined, { token });
  expect(detail.body).toMatchObject({ clustertemplates: expect.any(Array) });
});
