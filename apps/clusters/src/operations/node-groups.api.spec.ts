import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { TestResponse } from '@cumulet/testing/http-client';
import { type ClustersFixture, messageOf, startClusters } from '../clusters.fixture.js';

let fixture: ClustersFixture;
let cluster: string;

const RESERVED = { 'node-role.kubernetes.io/master': '' };
const MASTERS = { name: 'x', role: 'master', node_labels: { zone: 'a' } };
const ROOMY = { name: 'x', docker_volume_size: 500 };
const MAXIMUM = { op: 'replace', path: '/max_node_count', value: 1 };

beforeAll(async () => {
  fixture = await startClusters({ config: { role: 'api' } });
  cluster = await fixture.createCluster({ node_count: 2, labels: { availability_zone: 'nova' } });
  await fixture.work(cluster);
});
afterAll(() => fixture.stop());

const path = (rest = '', id = cluster): string => `/v1/clusters/${id}/nodegroups${rest}`;

const show = async (name: string): Promise<Record<string, unknown>> =>
  (await fixture.ask('GET', path(`/${name}`))).body as Record<string, unknown>;

const create = (fields: object): Promise<TestResponse> => fixture.ask('POST', path(), fields);

async function names(query = ''): Promise<unknown[]> {
  const { body } = await fixture.ask('GET', path(query));
  return (body as { nodegroups: { name: string }[] }).nodegroups.map(({ name }) => name);
}

it('a cluster has one of masters and one of workers', async () => {
  expect(await names()).toEqual(['default-master', 'default-worker']);
  expect(await names('?role=worker')).toEqual(['default-worker']);
  const worker = await show('default-worker');
  expect(worker).toMatchObject({
    id: expect.any(Number),
    cluster_id: cluster,
    project_id: fixture.projectId,
    role: 'worker',
    is_default: true,
    node_count: 2,
    min_node_count: 0,
    max_node_count: null,
    image_id: 'node-1.35',
    version: 'v1.35.4',
    flavor_id: 'm1.small',
    status: 'CREATE_COMPLETE',
    status_reason: null,
    node_labels: null,
    node_taints: null,
    labels: { availability_zone: 'nova' },
    labels_added: {},
  });
  expect(worker['node_addresses']).toHaveLength(2);
  expect((await show(worker['uuid'] as string))['name']).toBe('default-worker');
});

it('a new one is created, changed and deleted with its nodes', async () => {
  const answer = await create({
    name: 'gpu',
    node_count: 2,
    min_node_count: 1,
    max_node_count: 3,
    role: 'gpu',
    flavor_id: 'm1.medium',
    labels: { own: 'x' },
    merge_labels: true,
    node_labels: { 'example.org/gpu': 'a100' },
    node_taints: [{ key: 'gpu', effect: 'NoSchedule' }],
  });
  expect([answer.status, answer.body]).toMatchObject([
    202,
    { name: 'gpu', role: 'gpu', status: 'CREATE_IN_PROGRESS', labels_added: { own: 'x' } },
  ]);
  expect(await fixture.show(cluster)).toMatchObject({ status: 'UPDATE_IN_PROGRESS' });
  await fixture.work(cluster);
  const made = await show('gpu');
  expect(made).toMatchObject({
    status: 'CREATE_COMPLETE',
    labels: { availability_zone: 'nova', own: 'x' },
    node_labels: { 'example.org/gpu': 'a100' },
    node_taints: [{ key: 'gpu', value: '', effect: 'NoSchedule' }],
  });
  expect(made['node_addresses']).toHaveLength(2);
  expect(await fixture.show(cluster)).toMatchObject({ status: 'UPDATE_COMPLETE', node_count: 4 });

  const resize = (node_count: number): Promise<TestResponse> =>
    fixture.ask('POST', `/v1/clusters/${cluster}/actions/resize`, { node_count, nodegroup: 'gpu' });
  for (const count of [0, 4]) {
    const refused = await resize(count);
    expect([refused.status, messageOf(refused)]).toEqual([
      400,
      'Resizing gpu outside the allowed range: min_node_count = 1, max_node_count = 3',
    ]);
  }
  expect((await resize(3)).status).toBe(202);
  await fixture.work(cluster);
  expect(await show('gpu')).toMatchObject({ status: 'UPDATE_COMPLETE', node_count: 3 });

  expect((await fixture.ask('DELETE', path('/gpu'))).status).toBe(204);
  // It keeps its name until its servers are gone.
  expect(await show('gpu')).toMatchObject({ status: 'DELETE_IN_PROGRESS' });
  expect(await show('default-worker')).toMatchObject({ status: 'CREATE_COMPLETE' });
  expect(await fixture.show(cluster)).toMatchObject({ node_count: 2 });
  for (const answer of [
    await create({ name: 'gpu' }),
    await resize(1),
    await fixture.ask('PATCH', path('/gpu'), [{ op: 'add', path: '/max_node_count', value: 9 }]),
  ])
    expect([answer.status, messageOf(answer)]).toEqual([
      409,
      expect.stringMatching(/^(A node group with name gpu already exists|Node group gpu is being)/),
    ]);
  await fixture.work(cluster);
  expect(await names()).not.toContain('gpu');
  expect(await fixture.show(cluster)).toMatchObject({ status: 'UPDATE_COMPLETE' });
  expect(await fixture.nodesOf(cluster)).toHaveLength(3);
});

it('one that could not be deleted says so, and is deleted on repetition', async () => {
  await create({ name: 'stuck' });
  await fixture.work(cluster);
  fixture.world.failures.set('apply', [new DomainError('forbidden', 'No more of these.')]);
  await fixture.ask('DELETE', path('/stuck'));
  await fixture.work(cluster);
  const failed = { status: 'DELETE_FAILED', status_reason: 'No more of these.' };
  expect(await show('stuck')).toMatchObject(failed);
  expect(await show('default-worker')).toMatchObject({ status: 'CREATE_COMPLETE' });
  expect(await fixture.show(cluster)).toMatchObject({
    status: 'UPDATE_FAILED',
    faults: { stuck: 'No more of these.' },
  });
  expect((await fixture.ask('DELETE', path('/stuck'))).status).toBe(204);
  await fixture.work(cluster);
  expect(await names()).toEqual(['default-master', 'default-worker']);
});

describe('a new one is refused', () => {
  it.each<[string, object, number, string]>([
    ['without a name', {}, 400, 'name'],
    ['with a name that is taken', { name: 'default-worker' }, 409, 'already exists'],
    ['of masters', { name: 'x', role: 'master' }, 400, 'Creating master nodegroups'],
    ['of masters with labels', MASTERS, 409, 'node_labels may not be set on master nodegroups'],
    ['with more room than its flavor has', ROOMY, 400, 'docker_volume_size asks for 500 GiB'],
    ['with fewer nodes than it may have', { name: 'x', min_node_count: 2 }, 409, 'min_node_count'],
    ['with more', { name: 'x', node_count: 3, max_node_count: 2 }, 409, 'max_node_count for x'],
    ['with a negative number', { name: 'x', node_count: -1 }, 400, 'node_count'],
    ['beyond the quota', { name: 'x', node_count: 900 }, 403, 'Quota exceeded for Node'],
    ['with an unknown flavor', { name: 'x', flavor_id: 'aaa' }, 400, 'flavor aaa'],
    ['with an unknown image', { name: 'x', image_id: 'none' }, 400, 'Image none'],
    ['with an image that is no node', { name: 'x', image_id: 'ubuntu' }, 400, 'not supported'],
    [
      'newer than the masters',
      { name: 'x', image_id: 'node-1.36' },
      409,
      'are newer than masters of',
    ],
    ['with a reserved label', { name: 'x', node_labels: RESERVED }, 409, 'reserved namespace'],
    ['with a taint that is none', { name: 'x', node_taints: [{ key: 'a' }] }, 409, 'effect'],
    ['with taints that are no list', { name: 'x', node_taints: {} }, 400, 'node_taints'],
    ['with a label that is a mistake', { name: 'x', labels: { kube_x: 'y' } }, 400, 'kube_x'],
    ['with what is no field', { name: 'x', is_default: true }, 400, 'is_default'],
  ])('%s', async (_, fields, status, words) => {
    const before = await names();
    const answer = await create(fields);
    expect([answer.status, messageOf(answer)]).toEqual([status, expect.stringContaining(words)]);
    expect(await names()).toEqual(before);
    expect(String((await fixture.show(cluster))['status'])).toMatch(/_COMPLETE$/);
  });

  it('while the cluster is being created', async () => {
    const id = await fixture.createCluster();
    const answer = await fixture.ask('POST', path('', id), { name: 'x' });
    expect([answer.status, messageOf(answer)]).toEqual([
      400,
      'Adding a node group to a cluster when status is "CREATE_IN_PROGRESS" is not supported.',
    ]);
    const change = [{ op: 'replace', path: '/min_node_count', value: 1 }];
    const changed = await fixture.ask('PATCH', path('/default-worker', id), change);
    expect([changed.status, messageOf(changed)]).toEqual([
      400,
      'Updating a node group when its status is "CREATE_IN_PROGRESS" is not supported.',
    ]);
  });
});

describe('a change', () => {
  it('sets the allowed node counts, labels and taints', async () => {
    const answer = await fixture.ask('PATCH', path('/default-worker'), [
      { op: 'replace', path: '/min_node_count', value: 1 },
      { op: 'replace', path: '/max_node_count', value: '5' },
      { op: 'replace', path: '/node_labels', value: "{'zone': 'a'}" },
      {
        op: 'replace',
        path: '/node_taints',
        value: "[{'key': 'k', 'value': 'v', 'effect': 'NoSchedule'}]",
      },
    ]);
    expect([answer.status, answer.body]).toMatchObject([
      202,
      {
        min_node_count: 1,
        max_node_count: 5,
        node_labels: { zone: 'a' },
        node_taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }],
      },
    ]);
    const back = await fixture.ask('PATCH', path('/default-worker'), [
      { op: 'remove', path: '/min_node_count' },
      { op: 'remove', path: '/max_node_count' },
      { op: 'remove', path: '/node_labels' },
      { op: 'remove', path: '/node_taints' },
    ]);
    expect(back.body).toMatchObject({
      min_node_count: 0,
      max_node_count: null,
      node_labels: null,
      node_taints: null,
    });
  });

  it('to a maximum of 0 means no maximum', async () => {
    const answer = await fixture.ask('PATCH', path('/default-worker'), [
      { op: 'replace', path: '/max_node_count', value: 0 },
    ]);
    expect([answer.status, answer.body]).toMatchObject([202, { max_node_count: null }]);
  });

  it('of masters sets only the allowed node counts', async () => {
    const change = { op: 'add', path: '/node_labels', value: { zone: 'a' } };
    const answer = await fixture.ask('PATCH', path('/default-master'), [change]);
    expect([answer.status, messageOf(answer)]).toEqual([
      409,
      'node_labels for default-master is invalid (node_labels may not be set on master nodegroups).',
    ]);
  });

  it.each<[string, unknown, number, string]>([
    ['its name', { op: 'replace', path: '/name', value: 'x' }, 400, 'internal attribute'],
    ['its count', { op: 'replace', path: '/node_count', value: 3 }, 400, 'internal attribute'],
    ['a maximum below what it has', MAXIMUM, 409, 'max_node_count for default-worker'],
    ['a minimum above', { op: 'replace', path: '/min_node_count', value: 9 }, 409, 'min_node'],
    ['what is no number', { op: 'replace', path: '/min_node_count', value: 'x' }, 400, 'min_node'],
    ['what is no literal', { op: 'replace', path: '/node_taints', value: '[{' }, 400, 'Python'],
    ['reserved labels', { op: 'add', path: '/node_labels', value: RESERVED }, 409, 'reserved'],
  ])('cannot be of %s', async (_, change, status, words) => {
    const before = await show('default-worker');
    const answer = await fixture.ask('PATCH', path('/default-worker'), [change]);
    expect([answer.status, messageOf(answer)]).toEqual([status, expect.stringContaining(words)]);
    expect(await show('default-worker')).toEqual(before);
  });
});

it('default groups cannot be deleted', async () => {
  for (const name of ['default-master', 'default-worker']) {
    const answer = await fixture.ask('DELETE', path(`/${name}`));
    expect([answer.status, messageOf(answer)]).toEqual([
      400,
      'Deleting a default nodegroup is not supported.',
    ]);
  }
});

it('labels and taints of nodes exist since 1.14', async () => {
  const { body } = await fixture.ask('GET', path('/default-worker'), undefined, {
    version: '1.13',
  });
  expect(body).not.toHaveProperty('node_labels');
});

it('groups of other projects are not found', async () => {
  const { stranger: token } = fixture;
  expect((await fixture.ask('GET', path(), undefined, { token })).status).toBe(404);
  expect((await fixture.ask('GET', path('/none'))).status).toBe(404);
});
