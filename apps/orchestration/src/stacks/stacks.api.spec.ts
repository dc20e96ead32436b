import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { startRecorded, type RecordedFixture } from '../orchestration.fixture.js';

let fixture: RecordedFixture;
let projectId: string;
let token: string;

const template = { heat_template_version: '2021-04-16' };

beforeAll(async () => {
  fixture = await startRecorded();
});
afterAll(() => fixture.stop());

/** Each test has a project of its own. */
beforeEach(async () => {
  projectId = newId();
  token = await fixture.tokens.issue(['member'], { projectId });
  fixture.commands.asked.length = 0;
});

interface Wire {
  readonly id: string;
  readonly links: readonly { readonly href: string }[];
}

const post = (body: object): Promise<TestResponse> =>
  fixture.client.post('/stacks', { token, body });

const create = async (name: string, fields: object = {}): Promise<Wire> => {
  const answer = await post({ stack_name: name, template, ...fields });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return (answer.body as { stack: Wire }).stack;
};

const get = (path: string): Promise<TestResponse> => fixture.client.get(path, { token });

const pathOf = ({ links }: Wire): string =>
  (links[0]?.href ?? '').slice(fixture.client.baseUrl.length);

const names = async (query = ''): Promise<string[]> => {
  const { body } = await get(`/stacks${query}`);
  return (body as { stacks: { stack_name: string }[] }).stacks.map((one) => one.stack_name);
};

describe('the list of stacks', () => {
  it('is of the project, the newest first, without what a client need not know', async () => {
    const one = await create('one', { tags: 'a,b' });
    await create('two');
    const { body } = await get('/stacks');
    expect(body).toEqual({
      stacks: [
        expect.objectContaining({ stack_name: 'two', tags: null }),
        {
          ...{ id: one.id, links: [{ rel: 'self', href: one.links[0]?.href }] },
          ...{ stack_name: 'one', description: 'A stack of a test.', tags: ['a', 'b'] },
          stack_status: 'CREATE_COMPLETE',
          stack_status_reason: 'Stack CREATE completed successfully',
          creation_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
          ...{ updated_time: null, deletion_time: null, parent: null },
          ...{ stack_owner: expect.stringMatching(/^name of ./), stack_user_project_id: projectId },
        },
      ],
    });
  });

  it('comes in pages, each with a link to the next', async () => {
    for (const name of ['one', 'two', 'three']) await create(name);
    const { body } = await get('/stacks?limit=2&sort_keys=stack_name&sort_dir=asc&with_count=true');
    const { links = [], count } = body as { links?: Wire['links']; count: number };
    expect(count).toBe(3);
    expect(await names('?limit=2&sort_keys=stack_name&sort_dir=asc')).toEqual(['one', 'three']);
    const next = (links[0]?.href ?? '').slice(fixture.client.baseUrl.length);
    expect(await names(next.replace(/^[^?]*/, ''))).toEqual(['two']);
  });

  it.each([
    ['?name=one', ['one']],
    ['?stack_name=one&stack_name=three', ['three', 'one']],
    ['?status=COMPLETE', ['three', 'two', 'one']],
    ['?stack_status=UPDATE_COMPLETE', []],
    ['?stack_status=CREATE_COMPLETE', ['three', 'two', 'one']],
    ['?status=FAILED&status=IN_PROGRESS', []],
    ['?action=CREATE', ['three', 'two', 'one']],
    ['?timeout_mins=7', ['two']],
    ['?disable_rollback=false', ['two']],
    ['?id=nonsense', []],
    ['?unknown=filter', ['three', 'two', 'one']],
    ['?tags=red,blue', ['two']],
    ['?tags_any=red,green', ['three', 'two', 'one']],
    ['?not_tags=red,blue', ['three', 'one']],
    ['?not_tags_any=blue,green', ['one']],
  ])('is filtered by %s', async (query, expected) => {
    await create('one', { tags: 'red' });
    await create('two', { tags: 'red,blue', timeout_mins: 7, disable_rollback: false });
    await create('three', { tags: 'green' });
    expect(await names(query)).toEqual(expected);
  });

  it.each(['stack_owner', 'username'])('is filtered by %s', async (filter) => {
    await create('mine');
    const { body } = await get('/stacks');
    const { stacks } = body as { stacks: { stack_owner: string }[] };
    const owner = stacks[0]?.stack_owner ?? '';
    expect(await names(`?${filter}=${encodeURIComponent(owner)}`)).toEqual(['mine']);
    expect(await names(`?${filter}=${owner.replace('name of ', '')}`)).toEqual([]);
  });

  it('leaves out what hidden tags mark, unless it is asked for', async () => {
    await create('plain');
    await create('hidden', { tags: 'data-processing-cluster' });
    expect(await names()).toEqual(['plain']);
    expect(await names('?show_hidden=true')).toEqual(['hidden', 'plain']);
  });

  it('has deleted stacks where they are asked for', async () => {
    const { links } = await create('gone', { tags: 'red' });
    await create('there');
    const path = (links[0]?.href ?? '').slice(fixture.client.baseUrl.length);
    expect((await fixture.client.delete(path, { token })).status).toBe(204);
    expect(await names()).toEqual(['there']);
    expect(await names('?show_deleted=true&tags=red')).toEqual(['gone']);
    expect(await names('?show_deleted=true')).toEqual(['there', 'gone']);
    expect((await get(path)).body).toMatchObject({
      stack: { stack_status: 'DELETE_COMPLETE', deletion_time: expect.any(String) },
    });
  });

  it.each([
    ['?limit=many', "Only integer is acceptable by 'limit'"],
    ['?limit=-1', 'only accepts non-negative integer'],
    ['?show_deleted=perhaps', 'Unrecognized value "perhaps" for "show_deleted"'],
    ['?marker=nobody', "marker 'nobody' is not an id"],
    ['?sort_dir=up', "sort_dir 'up' is not one of asc, desc"],
    [`?tags=${'x'.repeat(81)}`, 'is longer than 80 characters'],
  ])('refuses %s', async (query, message) => {
    const { status, text } = await get(`/stacks${query}`);
    expect([status, text]).toEqual([400, expect.stringContaining(message.replaceAll('"', '\\"'))]);
  });

  it('is of all projects for administrators who say so', async () => {
    await create('mine');
    const { client, admin } = fixture;
    const path = '/stacks?global_tenant=true';
    const { body } = await client.get(path, { token: admin });
    const mine = expect.objectContaining({ stack_name: 'mine', project: projectId });
    expect((body as { stacks: unknown[] }).stacks).toContainEqual(mine);
    expect((await get(path)).status).toBe(403);
  });
});

describe('a stack', () => {
  it('shows its parameters as texts, hidden ones without their value, and its outputs', async () => {
    const one = await create('one', { timeout_mins: '30' });
    expect((await get(pathOf(one))).body).toMatchObject({
      stack: {
        ...{ id: one.id, stack_name: 'one', timeout_mins: 30, disable_rollback: true },
        parameters: {
          'OS::stack_id': one.id,
          'OS::stack_name': 'one',
          'OS::project_id': projectId,
          size: '3',
          password: '******',
        },
        ...{ template_description: 'A stack of a test.', capabilities: [] },
        outputs: [{ output_key: 'answer', output_value: 42, description: 'No description given' }],
      },
    });
    const { body } = await get(`${pathOf(one)}?resolve_outputs=false`);
    expect((body as { stack: object }).stack).not.toHaveProperty('outputs');
  });

  it('says where it is when it is created', async () => {
    const { headers, body } = await post({ stack_name: 'one', template });
    const { id } = (body as { stack: Wire }).stack;
    const location = `${fixture.client.baseUrl}/v1/${projectId}/stacks/one/${id}`;
    expect(headers.get('Location')).toBe(location);
  });

  it('is found by its name or its id, with what follows in the path', async () => {
    const one = await create('one');
    const { client } = fixture;
    const href = one.links[0]?.href ?? '';
    const at = async (method: string, path: string): Promise<[number, string | null]> => {
      const { status, headers } = await client.send(method, path, { token });
      return [status, headers.get('Location')];
    };
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(await at(method, '/stacks/one')).toEqual([302, href]);
      expect(await at(method, `/v1/${projectId}/stacks/${one.id}`)).toEqual([302, href]);
    }
    for (const below of ['resources', 'events', 'template', 'environment', 'files', 'actions'])
      expect(await at('GET', `/stacks/one/${below}?a=b`)).toEqual([302, `${href}/${below}?a=b`]);
    const { status, body } = await get('/stacks/other');
    expect([status, body]).toEqual([
      404,
      expect.objectContaining({
        ...{ code: 404, title: 'Not Found', explanation: 'The resource could not be found.' },
        error: {
          code: 404,
          message: 'The Stack (other) could not be found.',
          ...{ type: 'EntityNotFound', traceback: null },
        },
      }),
    ]);
  });

  it('has another path by another name, or from another project', async () => {
    const one = await create('one');
    expect((await get(`/stacks/two/${one.id}`)).status).toBe(404);
    const { client, stranger } = fixture;
    expect((await client.get(`/stacks/one/${one.id}`, { token: stranger })).status).toBe(404);
    expect((await client.get(pathOf(one), { token: stranger })).status).toBe(403);
  });

  it('shows its template, files and environment, without what is hidden', async () => {
    const one = await create('one', { files: { 'a.yaml': 'b: c' } });
    expect((await get(`${pathOf(one)}/template`)).body).toEqual(template);
    expect((await get(`${pathOf(one)}/files`)).body).toEqual({ 'a.yaml': 'b: c' });
    expect((await get(`${pathOf(one)}/environment`)).body).toEqual({
      parameters: { size: 3, password: '******' },
    });
  });

  it('lists its outputs without their values, and shows each with it', async () => {
    const one = await create('one');
    const key = { output_key: 'answer', description: 'No description given' };
    expect((await get(`${pathOf(one)}/outputs`)).body).toEqual({ outputs: [key] });
    const shown = await get(`${pathOf(one)}/outputs/answer`);
    expect(shown.body).toEqual({ output: { ...key, output_value: 42 } });
    const { status, text } = await get(`${pathOf(one)}/outputs/question`);
    expect([status, text]).toEqual([404, expect.stringContaining('output key question not found')]);
  });
});

describe('what a stack is made from', () => {
  it.each([
    [{}, 'No stack name specified'],
    [{ stack_name: 'one' }, 'No template specified'],
    [{ stack_name: '1', template }, 'Invalid stack name 1 must contain only alphanumeric'],
    [{ stack_name: 'one', template: 7 }, 'template must be a text or an object'],
    [{ stack_name: 'one', template, files: { a: 1 } }, 'files must be an object whose values'],
    [{ stack_name: 'one', template, template_url: 'http://x' }, 'template_url is not supported'],
    [{ stack_name: 'one', template, converge: true }, 'converge flag only supported in stack'],
    [{ stack_name: 'one', template, timeout_mins: 'x' }, 'timeout_mins must be an integer'],
    [{ stack_name: 'one', template, color: 'red' }, 'color is not a property'],
    [{ stack_name: 'one', adopt_stack_data: '{' }, 'Invalid adopt data'],
    [{ stack_name: 'one', adopt_stack_data: {} }, 'Invalid adopt data: it has no template'],
  ])('is refused as %j', async (body, message) => {
    const { status, text } = await post(body);
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
    expect(fixture.commands.asked).toEqual([]);
  });

  it('may be of some size and no more', async () => {
    const large = 'x'.repeat(600_000);
    const { status, body } = await post({ stack_name: 'one', template: large });
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({
        error: expect.objectContaining({
          type: 'RequestLimitExceeded',
          message: expect.stringContaining('Template exceeds maximum allowed size (600000 of'),
        }),
      }),
    ]);
    expect((await post({ template: 'x'.repeat(3_000_000) })).status).toBe(413);
  });

  it('reaches the engine as it was sent', async () => {
    await create('one', {
      ...{ environment: 'parameters: {a: 1}', parameters: { b: 2 }, files: { f: 'text' } },
      ...{ environment_files: ['f'], timeout_mins: 5, disable_rollback: 'False', tags: 'x,y' },
    });
    expect(fixture.commands.asked).toEqual([
      [
        'create',
        {
          ...{ name: 'one', template, environment: 'parameters: {a: 1}', parameters: { b: 2 } },
          ...{ files: { f: 'text' }, environmentFiles: ['f'] },
          ...{ timeoutMinutes: 5, disableRollback: false, tags: ['x', 'y'] },
        },
      ],
    ]);
  });

  it('is adopted with the template that it brings', async () => {
    const data = { template, resources: {} };
    await create('one', { template: undefined, adopt_stack_data: JSON.stringify(data) });
    expect(fixture.commands.asked[0]).toEqual(['adopt', data]);
  });

  it("takes what Heat's client sends to adopt one, its time-out by another name", async () => {
    const data = { template, resources: {} };
    const one = await create('one', { template: undefined, adopt_stack_data: data, timeout: 30 });
    expect((await get(pathOf(one))).body).toMatchObject({ stack: { timeout_mins: 30 } });
    const two = await create('two', { adopt_stack_data: data, timeout: null });
    expect((await get(pathOf(two))).body).toMatchObject({ stack: { timeout_mins: null } });
  });
});

describe('a change of a stack', () => {
  it('has a template with PUT, and what it names alone with PATCH', async () => {
    const { client, commands } = fixture;
    const path = pathOf(await create('one'));
    commands.asked.length = 0;
    const bare = await client.put(path, { token, body: { parameters: { size: 4 } } });
    expect([bare.status, bare.text]).toEqual([400, expect.stringContaining('No template')]);
    const body = { parameters: { size: 4 }, clear_parameters: ['x'], tags: '' };
    expect((await client.patch(path, { token, body })).status).toBe(202);
    expect((await client.put(path, { token, body: { template, converge: true } })).status).toBe(
      202,
    );
    expect(commands.asked).toEqual([
      ['update', { parameters: { size: 4 }, clearParameters: ['x'], tags: [], existing: true }],
      ['update', { template, converge: true, existing: false }],
    ]);
  });

  it('is previewed', async () => {
    const path = pathOf(await create('one'));
    const body = { template };
    const { status, body: shown } = await fixture.client.put(`${path}/preview`, { token, body });
    expect([status, shown]).toEqual([
      200,
      { resource_changes: { unchanged: [], updated: [], replaced: [], added: [], deleted: [] } },
    ]);
  });

  it('is previewed before there is a stack, with those below it in lists', async () => {
    const body = { stack_name: 'one', template };
    const { status, body: shown } = await fixture.client.post('/stacks/preview', { token, body });
    expect([status, shown]).toEqual([
      200,
      {
        stack: expect.objectContaining({
          ...{ id: 'None', stack_name: 'one', parent: null, stack_owner: 'somebody' },
          resources: [
            [
              expect.objectContaining({
                ...{ resource_name: 'inner', stack_name: 'one-main', parent_resource: 'main' },
                ...{ resource_action: 'INIT', resource_status: 'COMPLETE', creation_time: null },
                resource_identity: {
                  ...{ stack_name: 'one-main', stack_id: 'None', tenant: projectId },
                  path: '/resources/inner',
                },
              }),
            ],
          ],
        }),
      },
    ]);
  });

  it.each([
    [{ suspend: null }, 'suspend'],
    [{ resume: null }, 'resume'],
    [{ check: null }, 'check'],
    [{ cancel_update: null }, 'cancelUpdate'],
    [{ cancel_without_rollback: null }, 'cancelWithoutRollback'],
  ])('may be an action: %j', async (body, asked) => {
    const path = `${pathOf(await create('one'))}/actions`;
    fixture.commands.asked.length = 0;
    expect((await fixture.client.post(path, { token, body })).status).toBe(200);
    expect(fixture.commands.asked).toEqual([[asked]]);
  });

  it.each([
    [{}, 'No action specified'],
    [{ check: null, resume: null }, 'Multiple actions specified'],
    [{ explode: null }, 'Invalid action explode specified'],
  ])('is no action: %j', async (body, message) => {
    const path = `${pathOf(await create('one'))}/actions`;
    const { status, text } = await fixture.client.post(path, { token, body });
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
  });

  it('may be that it is left alone, and then it is given back as data', async () => {
    const path = pathOf(await create('one'));
    expect((await get(`${path}/export`)).body).toEqual({ name: 'one' });
    const { client } = fixture;
    const answer = await client.delete(`${path}/abandon`, { token });
    expect([answer.status, answer.body]).toEqual([200, { name: 'one' }]);
    expect((await client.get('/stacks/one', { token })).status).toBe(404);
  });
});
