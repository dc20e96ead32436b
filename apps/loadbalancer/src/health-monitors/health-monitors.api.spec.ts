import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { refusal, startLoadBalancer, type Wire } from '../loadbalancer.fixture.js';
import { Parts } from '../parts/parts.fixture.js';

let parts: Parts;
let loadBalancer: Wire;

beforeAll(async () => {
  parts = new Parts(await startLoadBalancer());
  loadBalancer = await parts.fixture.createLoadBalancer();
});
afterAll(() => parts.fixture.stop());

async function newPool(): Promise<string> {
  const of = { loadbalancer_id: loadBalancer.id, protocol: 'HTTP', lb_algorithm: 'ROUND_ROBIN' };
  return (await parts.create('pools', 'pool', of)).id;
}

const TCP = { type: 'TCP', delay: 5, timeout: 3, max_retries: 2 };
const create = async (fields: object = {}, pool_id?: string) =>
  parts.create('healthmonitors', 'healthmonitor', {
    ...TCP,
    pool_id: pool_id ?? (await newPool()),
    ...fields,
  });
const put = (id: string, fields: object) =>
  parts.put(`healthmonitors/${id}`, { healthmonitor: fields });
const specOf = (poolId: string) =>
  parts.spec(loadBalancer.id).pools.find(({ id }) => id === poolId)?.monitor;

describe('a new monitor', () => {
  it('is shown with all its attributes, and applied', async () => {
    const pool = await newPool();
    const asked = { ...TCP, name: 'one', max_retries_down: 4, tags: ['red'] };
    const made = await create(asked, pool);
    const all = {
      ...asked,
      admin_state_up: true,
      pools: [{ id: pool }],
      http_method: null,
      url_path: null,
      expected_codes: null,
      http_version: null,
      domain_name: null,
      project_id: parts.fixture.project,
    };
    expect(made).toMatchObject({ ...all, provisioning_status: 'PENDING_CREATE' });
    expect(made).not.toHaveProperty('pool_id');
    expect(await parts.show(`healthmonitors/${made.id}`, 'healthmonitor')).toMatchObject({
      ...all,
      provisioning_status: 'ACTIVE',
    });
    expect(await parts.show(`pools/${pool}`, 'pool')).toMatchObject({ healthmonitor_id: made.id });
    expect(specOf(pool)).toMatchObject({ type: 'TCP', delaySeconds: 5, rise: 2, fall: 4 });
  });

  it('of HTTP requests / and expects 200 by default, with any version', async () => {
    expect(await create({ type: 'HTTP' })).toMatchObject({
      http_method: 'GET',
      url_path: '/',
      expected_codes: '200',
      http_version: null,
      max_retries_down: 3,
    });
    const asked = {
      type: 'HTTPS',
      http_method: 'HEAD',
      url_path: '/health?a=b',
      expected_codes: '200-204',
      http_version: 1.1,
      domain_name: 'www.example.com',
    };
    expect(await create(asked)).toMatchObject(asked);
  });

  it('may have a timeout longer than its delay, as in Octavia', async () => {
    expect(await create({ delay: 2, timeout: 3 })).toMatchObject({ delay: 2, timeout: 3 });
  });

  it('is the only one of its pool', async () => {
    const pool = await newPool();
    await create({}, pool);
    const again = { healthmonitor: { ...TCP, pool_id: pool } };
    expect(refusal(await parts.post('healthmonitors', again))).toEqual([
      409,
      'DuplicateHealthMonitor',
      'This pool already has a health monitor',
    ]);
    expect(await parts.show(`loadbalancers/${loadBalancer.id}`, 'loadbalancer')).toMatchObject({
      provisioning_status: 'ACTIVE',
    });
  });

  it.each([
    [{ type: 'ICMP' }, /type.*'ICMP' is not in/],
    [{ type: 'UDP-CONNECT' }, /only supported for pools of type UDP\/SCTP/],
    [{ type: undefined }, /Required attribute 'type'/],
    [{ delay: undefined }, /Required attribute 'delay'/],
    [{ delay: 0 }, /delay.*too small/],
    [{ timeout: 3_000_000 }, /timeout.*too large/],
    [{ max_retries: 11 }, /max_retries.*too large/],
    [{ max_retries_down: 0 }, /max_retries_down.*too small/],
    [{ url_path: '/' }, /url_path is not a valid option for health monitors of type TCP/],
    [{ expected_codes: '200' }, /expected_codes is not a valid option/],
    [{ type: 'HTTP', http_method: 'get' }, /http_method/],
    [{ type: 'HTTP', url_path: '/a b' }, /url_path.*not a valid URL path/],
    [{ type: 'HTTP', url_path: 'http://a/b' }, /url_path.*not a valid URL path/],
    [{ type: 'HTTP', expected_codes: '2xx' }, /expected_codes/],
    [{ type: 'HTTP', domain_name: 'a.b' }, /'http_version' must be specified/],
    [{ type: 'HTTP', domain_name: 'a.b', http_version: 1.0 }, /http_version 1\.0/],
    [{ type: 'HTTP', domain_name: 'a b', http_version: 1.1 }, /domain_name/],
    [{ type: 'HTTP', http_version: 2 }, /http_version.*is not in \[1\.0,1\.1\]/],
  ])('is refused: %j', async (fields, message) => {
    const given = { ...TCP, pool_id: await newPool(), ...fields };
    const answer = await parts.post('healthmonitors', { healthmonitor: given });
    expect(refusal(answer)).toEqual([400, expect.any(String), expect.stringMatching(message)]);
  });

  it('needs a pool that the caller may see', async () => {
    const pool = await newPool();
    const given = { healthmonitor: { ...TCP, pool_id: pool } };
    const answer = await parts.post('healthmonitors', given, parts.fixture.stranger);
    expect(refusal(answer)).toEqual([404, 'NotFound', `Pool ${pool} not found.`]);
  });
});

describe('a change', () => {
  it('is applied, and puts its pool into PENDING_UPDATE', async () => {
    const pool = await newPool();
    const { id } = await create({ type: 'HTTP' }, pool);
    const answer = await put(id, { delay: 9, url_path: '/health', expected_codes: '204' });
    expect(answer.body).toMatchObject({
      healthmonitor: { delay: 9, provisioning_status: 'PENDING_UPDATE', http_method: 'GET' },
    });
    expect(await parts.show(`pools/${pool}`, 'pool')).toMatchObject({
      provisioning_status: 'PENDING_UPDATE',
    });
    await parts.fixture.settle();
    expect(specOf(pool)).toMatchObject({
      delaySeconds: 9,
      http: { path: '/health', expectedCodes: '204' },
    });
    const standard = { url_path: null, expected_codes: null, max_retries_down: null };
    expect((await put(id, standard)).body).toMatchObject({
      healthmonitor: { url_path: '/', expected_codes: '200', max_retries_down: 3 },
    });
    await parts.fixture.settle();
  });

  it.each([
    [{ type: 'HTTP' }, /Cannot update read-only attribute type/],
    [{ pool_id: newId() }, /Cannot update read-only attribute pool_id/],
    [{ delay: null }, /delay/],
    [{ url_path: '/a' }, /url_path is not a valid option for health monitors of type TCP/],
  ])('is refused: %j', async (fields, message) => {
    const { id } = await create();
    expect(refusal(await put(id, fields))).toEqual([
      400,
      expect.any(String),
      expect.stringMatching(message),
    ]);
  });
});

it('a deleted monitor is removed from its pool', async () => {
  const pool = await newPool();
  const { id } = await create({}, pool);
  expect((await parts.delete(`healthmonitors/${id}`)).status).toBe(204);
  await parts.fixture.settle();
  expect((await parts.get(`healthmonitors/${id}`)).status).toBe(404);
  expect(specOf(pool)).toBeNull();
  expect(await parts.show(`pools/${pool}`, 'pool')).toMatchObject({ healthmonitor_id: null });
  expect(await create({}, pool)).toMatchObject({ type: 'TCP' });
});

it('monitors are listed by pool and attribute', async () => {
  const pool = await newPool();
  const { id } = await create({ type: 'PING' }, pool);
  const ids = async (query: string, token?: string) =>
    (await parts.list(`healthmonitors?${query}`, token)).map((one) => one.id);
  expect(await ids(`pool_id=${pool}`)).toEqual([id]);
  expect(await ids('type=PING')).toEqual([id]);
  expect(await ids(`loadbalancer_id=${newId()}`)).toEqual([]);
  expect(await ids('type=PING', parts.fixture.stranger)).toEqual([]);
});
