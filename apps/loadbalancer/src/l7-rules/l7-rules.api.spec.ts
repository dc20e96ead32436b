import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { refusal, startLoadBalancer, type Wire } from '../loadbalancer.fixture.js';
import { Parts } from '../parts/parts.fixture.js';

let parts: Parts;
let loadBalancer: Wire;
let listenerId: string;
let policy: string;

beforeAll(async () => {
  parts = new Parts(await startLoadBalancer());
  loadBalancer = await parts.fixture.createLoadBalancer();
  listenerId = await parts.listener(loadBalancer);
  policy = await newPolicy();
});
afterAll(() => parts.fixture.stop());

async function newPolicy(rules: readonly object[] = []): Promise<string> {
  const body = { listener_id: listenerId, action: 'REJECT', rules };
  return (await parts.create('l7policies', 'l7policy', body)).id;
}

const HEADER = { type: 'HEADER', compare_type: 'EQUAL_TO', key: 'X-Tenant', value: 'one' };
const path = (id = policy) => `l7policies/${id}/rules`;
const create = (fields: object = {}, id = policy) =>
  parts.create(path(id), 'rule', { ...HEADER, ...fields });
const specOf = (id: string) =>
  parts
    .spec(loadBalancer.id)
    .listeners.find((one) => one.id === listenerId)
    ?.policies.find((one) => one.id === id)?.rules ?? [];

describe('a new rule', () => {
  it('is shown with all its attributes, and applied', async () => {
    const made = await create({ tags: ['red'], invert: true });
    const all = {
      ...HEADER,
      tags: ['red'],
      invert: true,
      admin_state_up: true,
      project_id: parts.fixture.project,
    };
    expect(made).toMatchObject({ ...all, provisioning_status: 'PENDING_CREATE' });
    expect(await parts.show(`${path()}/${made.id}`, 'rule')).toMatchObject({
      ...all,
      provisioning_status: 'ACTIVE',
    });
    expect(specOf(policy)).toContainEqual(
      expect.objectContaining({ id: made.id, key: 'X-Tenant', value: 'one', invert: true }),
    );
  });

  it('with spaces is quoted, and the quotes are not compared', async () => {
    const { id } = await create({ value: '"one two"' });
    expect(await parts.show(`${path()}/${id}`, 'rule')).toMatchObject({ value: '"one two"' });
    expect(specOf(policy)).toContainEqual(expect.objectContaining({ id, value: 'one two' }));
  });

  it('puts its policy and its listener into PENDING_UPDATE until it has been applied', async () => {
    await parts.post(path(), { rule: HEADER });
    expect(await parts.show(`l7policies/${policy}`, 'l7policy')).toMatchObject({
      provisioning_status: 'PENDING_UPDATE',
    });
    expect(await parts.show(`listeners/${listenerId}`, 'listener')).toMatchObject({
      provisioning_status: 'PENDING_UPDATE',
    });
    await parts.fixture.settle();
  });

  it.each([
    [{ type: 'COLOUR' }, 'HTTPBadRequest', /type.*'COLOUR' is not in/],
    [{ compare_type: 'LIKE' }, 'HTTPBadRequest', /compare_type/],
    [{ value: undefined }, 'HTTPBadRequest', /Required attribute 'value'/],
    [{ value: '' }, 'L7RuleValidation', /requires a value/],
    [{ value: 'x'.repeat(256) }, 'HTTPBadRequest', /value.*exceeds maximum length/],
    [{ value: 'a\nb' }, 'L7RuleValidation', /Invalid characters/],
    [{ key: null }, 'L7RuleValidation', /requires a key/],
    [{ key: 'a b' }, 'L7RuleValidation', /Invalid characters in key/],
    [{ compare_type: 'REGEX', value: '(a+)+$' }, 'L7RuleValidation', /too many ways/],
    [{ compare_type: 'REGEX', value: '[' }, 'L7RuleValidation', /Unable to parse/],
    [{ type: 'FILE_TYPE', compare_type: 'CONTAINS' }, 'L7RuleValidation', /only supports/],
    [{ name: 'one' }, 'HTTPBadRequest', /Unrecognized attribute\(s\) 'name'/],
  ])('is refused: %j', async (fields, type, message) => {
    const answer = await parts.post(path(), { rule: { ...HEADER, ...fields } });
    expect(refusal(answer)).toEqual([400, type, expect.stringMatching(message)]);
  });

  it('is refused beyond fifty', async () => {
    const id = await newPolicy(Array.from({ length: 50 }, () => HEADER));
    expect(refusal(await parts.post(path(id), { rule: HEADER }))).toEqual([
      409,
      'TooManyL7RulesOnL7Policy',
      `Too many rules on L7 policy ${id}`,
    ]);
  });

  it('needs a policy that the caller may see', async () => {
    const answer = await parts.post(path(), { rule: HEADER }, parts.fixture.stranger);
    expect(refusal(answer)).toEqual([404, 'NotFound', `L7Policy ${policy} not found.`]);
  });
});

describe('a change', () => {
  it('is validated with the unchanged attributes', async () => {
    const { id } = await create();
    const put = (rule: object) => parts.put(`${path()}/${id}`, { rule });
    expect((await put({ type: 'COOKIE', value: 'two', invert: null })).body).toMatchObject({
      rule: {
        type: 'COOKIE',
        key: 'X-Tenant',
        value: 'two',
        provisioning_status: 'PENDING_UPDATE',
      },
    });
    await parts.fixture.settle();
    expect(specOf(policy)).toContainEqual(expect.objectContaining({ id, type: 'COOKIE' }));
    expect(refusal(await put({ key: null }))).toMatchObject([
      400,
      'L7RuleValidation',
      expect.stringMatching(/key/),
    ]);
    expect(refusal(await put({ value: 'a;b' }))).toMatchObject([
      400,
      'L7RuleValidation',
      expect.stringMatching(/cookie value/),
    ]);
    expect(await parts.show(`${path()}/${id}`, 'rule')).toMatchObject({
      value: 'two',
      provisioning_status: 'ACTIVE',
    });
  });
});

it('a rule belongs to the policy in its path', async () => {
  const { id } = await create();
  const other = await newPolicy();
  expect(refusal(await parts.get(`${path(other)}/${id}`))).toEqual([
    404,
    'NotFound',
    `L7Rule ${id} not found.`,
  ]);
  expect((await parts.delete(`${path(other)}/${id}`)).status).toBe(404);
  expect((await parts.delete(`${path()}/${id}`)).status).toBe(204);
  await parts.fixture.settle();
  expect((await parts.get(`${path()}/${id}`)).status).toBe(404);
});

it('rules are listed by attribute and tag', async () => {
  const id = await newPolicy([
    { ...HEADER, value: 'b', tags: ['red'] },
    { ...HEADER, value: 'a' },
  ]);
  const values = async (query: string) =>
    (await parts.list(`${path(id)}?${query}`)).map((one) => one['value']);
  expect(await values('sort=value:asc')).toEqual(['a', 'b']);
  expect(await values('tags=red')).toEqual(['b']);
  expect(await values('value=a&type=HEADER')).toEqual(['a']);
  expect((await parts.get(`l7policies/${newId()}/rules`)).status).toBe(404);
});
