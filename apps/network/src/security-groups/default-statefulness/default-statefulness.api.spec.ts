import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { refusalOf, startNetwork, type NetworkFixture } from '../../network.fixture.js';

let network: NetworkFixture;
let manager: string;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaSecurityGroups: -1 } });
  manager = await network.tokens.issue(['manager', 'member'], { projectId: network.project });
});
afterAll(() => network.stop());

const PATH = '/v2.0/security-groups-default-statefulness';
const KEY = 'security_groups_default_statefulness';

type Setting = { id: string; project_id: string | null; stateful: boolean };

const post = (fields: object, token = network.admin) =>
  network.client.post(PATH, { token, body: { [KEY]: fields } });
const made = async (fields: object, token?: string): Promise<Setting> => {
  const { status, body } = await post(fields, token);
  expect(status).toBe(201);
  return (body as Record<typeof KEY, Setting>)[KEY];
};
const list = async (token = network.admin, query = ''): Promise<Setting[]> => {
  const { body } = await network.client.get(`${PATH}${query}`, { token });
  return (body as Record<typeof KEY, Setting[]>)[KEY];
};
const newGroup = async (fields: object = {}, token = network.member) =>
  (await network.create('security_groups', { name: 'new', ...fields }, token))['stateful'];

afterEach(async () => {
  for (const { id } of await list())
    await network.client.delete(`${PATH}/${id}`, { token: network.admin });
});

describe('the default statefulness of security groups', () => {
  it('is stateful at first', async () => {
    expect(await list()).toEqual([]);
    expect(await newGroup()).toBe(true);
  });

  it('applies to all projects', async () => {
    await made({ project_id: null, stateful: false });
    expect(await newGroup()).toBe(false);
    expect(await newGroup({}, network.stranger)).toBe(false);
    expect(await newGroup({ stateful: true })).toBe(true);
  });

  it('is that of the project before the common one', async () => {
    await made({ project_id: null, stateful: false });
    await made({ project_id: network.project, stateful: true });
    expect(await newGroup()).toBe(true);
    expect(await newGroup({}, network.stranger)).toBe(false);
  });

  it("does not apply to projects' default groups", async () => {
    await made({ project_id: null, stateful: false });
    const token = await network.tokens.issue(['member']);
    const [group] = await network.list('security-groups', token);
    expect(group).toMatchObject({ name: 'default', stateful: true });
  });

  it('can be changed, shown and deleted', async () => {
    const { id } = await made({ project_id: null });
    const shown = await network.client.put(`${PATH}/${id}`, {
      token: network.admin,
      body: { [KEY]: { stateful: false } },
    });
    expect(shown.body).toEqual({ [KEY]: { id, project_id: null, stateful: false } });
    const again = await network.client.get(`${PATH}/${id}`, { token: network.admin });
    expect(again.body).toEqual(shown.body);
    expect(await newGroup()).toBe(false);
    await network.client.delete(`${PATH}/${id}`, { token: network.admin });
    expect(await newGroup()).toBe(true);
  });

  it("can be set by a project's managers, and read by its readers", async () => {
    const own = await made({ stateful: false }, manager);
    expect(own.project_id).toBe(network.project);
    await made({ project_id: null });
    expect(await list(network.reader)).toEqual([own]);
    expect(await list(network.stranger)).toEqual([]);
    const answer = await network.client.get(`${PATH}/${own.id}`, { token: network.stranger });
    expect(refusalOf(answer)).toEqual([404, 'SecurityGroupDefaultStatefulnessNotFound']);
  });

  it('is filtered by its attributes', async () => {
    await made({ project_id: null, stateful: false });
    const own = await made({ project_id: network.project });
    expect(await list(network.admin, '?stateful=true')).toEqual([own]);
    expect(await list(network.admin, `?project_id=${network.project}&fields=stateful`)).toEqual([
      { stateful: true },
    ]);
  });

  it.each([
    [400, 'HTTPBadRequest', { stateful: 'perhaps' }],
    [400, 'HTTPBadRequest', { odd: 1 }],
    [403, 'PolicyNotAuthorized', { project_id: null }],
    [403, 'PolicyNotAuthorized', { project_id: newId() }],
  ])('is refused with %i, %s: %j', async (status, type, fields) => {
    expect(refusalOf(await post(fields, manager))).toEqual([status, type]);
    expect(await list()).toEqual([]);
  });

  it('is unique for each project, and for all', async () => {
    for (const fields of [{ project_id: null }, {}]) {
      await made(fields);
      const again = await post(fields);
      expect(refusalOf(again)).toEqual([409, 'SecurityGroupDefaultStatefulnessAlreadyExists']);
    }
  });

  it('cannot be set by members', async () => {
    expect((await post({}, network.member)).status).toBe(403);
  });
});
