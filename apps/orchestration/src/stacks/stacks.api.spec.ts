import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RecordedStacks, type RecordedStack, template } from './recorded-stacks.fixture.js';

let stacks: RecordedStacks;

beforeAll(async () => {
  stacks = await RecordedStacks.start();
});
afterAll(() => stacks.stop());
beforeEach(() => stacks.enterProject());

describe('a stack', () => {
  it('shows its parameters as texts, hidden ones without value, and its outputs', async () => {
    const one = await stacks.create('one', { timeout_mins: '30' });
    expect((await stacks.get(stacks.pathOf(one))).body).toMatchObject({
      stack: {
        id: one.id,
        stack_name: 'one',
        timeout_mins: 30,
        disable_rollback: true,
        parameters: {
          'OS::stack_id': one.id,
          'OS::stack_name': 'one',
          'OS::project_id': stacks.projectId,
          size: '3',
          password: '******',
        },
        template_description: 'A stack of a test.',
        capabilities: [],
        outputs: [{ output_key: 'answer', output_value: 42, description: 'No description given' }],
      },
    });
    const { body } = await stacks.get(`${stacks.pathOf(one)}?resolve_outputs=false`);
    expect((body as { stack: object }).stack).not.toHaveProperty('outputs');
  });

  it('returns its location when it is created', async () => {
    const { headers, body } = await stacks.post({ stack_name: 'one', template });
    const { id } = (body as { stack: RecordedStack }).stack;
    const location = `${stacks.fixture.client.baseUrl}/v1/${stacks.projectId}/stacks/one/${id}`;
    expect(headers.get('Location')).toBe(location);
  });

  it('is found by its name or ID, and the redirect keeps the rest of the path', async () => {
    const one = await stacks.create('one');
    const { client } = stacks.fixture;
    const href = one.links[0]?.href ?? '';
    const at = async (method: string, path: string): Promise<[number, string | null]> => {
      const { status, headers } = await client.send(method, path, { token: stacks.token });
      return [status, headers.get('Location')];
    };
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(await at(method, '/stacks/one')).toEqual([302, href]);
      expect(await at(method, `/v1/${stacks.projectId}/stacks/${one.id}`)).toEqual([302, href]);
    }
    for (const below of ['resources', 'events', 'template', 'environment', 'files', 'actions'])
      expect(await at('GET', `/stacks/one/${below}?a=b`)).toEqual([302, `${href}/${below}?a=b`]);
    const { status, body } = await stacks.get('/stacks/other');
    expect([status, body]).toEqual([
      404,
      expect.objectContaining({
        code: 404,
        title: 'Not Found',
        explanation: 'The resource could not be found.',
        error: {
          code: 404,
          message: 'The Stack (other) could not be found.',
          type: 'EntityNotFound',
          traceback: null,
        },
      }),
    ]);
  });

  it('is not found by another name, or from another project', async () => {
    const one = await stacks.create('one');
    expect((await stacks.get(`/stacks/two/${one.id}`)).status).toBe(404);
    const { client, stranger } = stacks.fixture;
    expect((await client.get(`/stacks/one/${one.id}`, { token: stranger })).status).toBe(404);
    expect((await client.get(stacks.pathOf(one), { token: stranger })).status).toBe(403);
  });

  it('shows its template, files and environment without hidden values', async () => {
    const one = await stacks.create('one', { files: { 'a.yaml': 'b: c' } });
    expect((await stacks.get(`${stacks.pathOf(one)}/template`)).body).toEqual(template);
    expect((await stacks.get(`${stacks.pathOf(one)}/files`)).body).toEqual({ 'a.yaml': 'b: c' });
    expect((await stacks.get(`${stacks.pathOf(one)}/environment`)).body).toEqual({
      parameters: { size: 3, password: '******' },
    });
  });

  it('lists its outputs without values, and shows each with its value', async () => {
    const one = await stacks.create('one');
    const key = { output_key: 'answer', description: 'No description given' };
    expect((await stacks.get(`${stacks.pathOf(one)}/outputs`)).body).toEqual({ outputs: [key] });
    const shown = await stacks.get(`${stacks.pathOf(one)}/outputs/answer`);
    expect(shown.body).toEqual({ output: { ...key, output_value: 42 } });
    const { status, text } = await stacks.get(`${stacks.pathOf(one)}/outputs/question`);
    expect([status, text]).toEqual([404, expect.stringContaining('output key question not found')]);
  });
});

describe('a request for a stack', () => {
  it.each([
    [{}, 'No stack name specified'],
    [{ stack_name: 'one' }, 'No template specified'],
    [{ stack_name: '1', template }, 'Invalid stack name 1 must contain only alphanumeric'],
    [{ stack_name: 'one', template: 7 }, 'template must be a string or an object'],
    [{ stack_name: 'one', template, files: { a: 1 } }, 'files must be an object whose values'],
    [{ stack_name: 'one', template, template_url: 'http://x' }, 'template_url is not supported'],
    [{ stack_name: 'one', template, converge: true }, 'converge flag only supported in stack'],
    [{ stack_name: 'one', template, timeout_mins: 'x' }, 'timeout_mins must be an integer'],
    [{ stack_name: 'one', adopt_stack_data: '{' }, 'Invalid adopt data'],
    [{ stack_name: 'one', adopt_stack_data: {} }, 'Invalid adopt data: it has no template'],
    [{ stack_name: 'one', adopt_stack_data: { template: {}, files: { f: 1 } } }, 'its files must'],
  ])('is refused as %j', async (body, message) => {
    const { status, text } = await stacks.post(body);
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
    expect(stacks.fixture.commands.recorded).toEqual([]);
  });

  it('may have a template up to the maximum size', async () => {
    const large = 'x'.repeat(600_000);
    const { status, body } = await stacks.post({ stack_name: 'one', template: large });
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({
        error: expect.objectContaining({
          type: 'RequestLimitExceeded',
          message: expect.stringContaining('Template exceeds maximum allowed size (600000 of'),
        }),
      }),
    ]);
    expect((await stacks.post({ template: 'x'.repeat(3_000_000) })).status).toBe(413);
  });

  it('reaches the engine unchanged', async () => {
    await stacks.create('one', {
      environment: 'parameters: {a: 1}',
      parameters: { b: 2 },
      files: { f: 'text' },
      environment_files: ['f'],
      timeout_mins: 5,
      disable_rollback: 'False',
      tags: 'x,y',
    });
    expect(stacks.fixture.commands.recorded).toEqual([
      [
        'create',
        {
          name: 'one',
          template,
          environment: 'parameters: {a: 1}',
          parameters: { b: 2 },
          files: { f: 'text' },
          environmentFiles: ['f'],
          timeoutMinutes: 5,
          disableRollback: false,
          tags: ['x', 'y'],
        },
      ],
    ]);
  });

  it('adopts data with the template in it', async () => {
    const data = { template, resources: {} };
    await stacks.create('one', { template: undefined, adopt_stack_data: JSON.stringify(data) });
    expect(stacks.fixture.commands.recorded[0]).toEqual(['adopt', data]);
  });

  it("accepts adoptions as Heat's client sends them, with another name for the timeout", async () => {
    const data = { template, resources: {} };
    const one = await stacks.create('one', {
      template: undefined,
      adopt_stack_data: data,
      timeout: 30,
    });
    expect((await stacks.get(stacks.pathOf(one))).body).toMatchObject({
      stack: { timeout_mins: 30 },
    });
    const two = await stacks.create('two', { adopt_stack_data: data, timeout: null });
    expect((await stacks.get(stacks.pathOf(two))).body).toMatchObject({
      stack: { timeout_mins: null },
    });
  });
});

describe('a change of a stack', () => {
  it('replaces the template with PUT, and changes what it names with PATCH', async () => {
    const { client, commands } = stacks.fixture;
    const path = stacks.pathOf(await stacks.create('one'));
    commands.recorded.length = 0;
    const bare = await client.put(path, { token: stacks.token, body: { parameters: { size: 4 } } });
    expect([bare.status, bare.text]).toEqual([400, expect.stringContaining('No template')]);
    const body = { parameters: { size: 4 }, clear_parameters: ['x'], tags: '' };
    expect((await client.patch(path, { token: stacks.token, body })).status).toBe(202);
    expect(
      (await client.put(path, { token: stacks.token, body: { template, converge: true } })).status,
    ).toBe(202);
    expect(commands.recorded).toEqual([
      ['update', { parameters: { size: 4 }, clearParameters: ['x'], tags: [''], existing: true }],
      ['update', { template, converge: true, existing: false }],
    ]);
  });

  it('is previewed', async () => {
    const path = stacks.pathOf(await stacks.create('one'));
    const body = { template };
    const { status, body: shown } = await stacks.fixture.client.put(`${path}/preview`, {
      token: stacks.token,
      body,
    });
    expect([status, shown]).toEqual([
      200,
      { resource_changes: { unchanged: [], updated: [], replaced: [], added: [], deleted: [] } },
    ]);
  });

  it('is previewed before the stack exists, with nested stacks as lists', async () => {
    const body = { stack_name: 'one', template };
    const { status, body: shown } = await stacks.fixture.client.post('/stacks/preview', {
      token: stacks.token,
      body,
    });
    expect([status, shown]).toEqual([
      200,
      {
        stack: expect.objectContaining({
          id: 'None',
          stack_name: 'one',
          parent: null,
          stack_owner: 'somebody',
          resources: [
            [
              expect.objectContaining({
                resource_name: 'inner',
                stack_name: 'one-main',
                parent_resource: 'main',
                resource_action: 'INIT',
                resource_status: 'COMPLETE',
                creation_time: null,
                resource_identity: {
                  stack_name: 'one-main',
                  stack_id: 'None',
                  tenant: stacks.projectId,
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
    const path = `${stacks.pathOf(await stacks.create('one'))}/actions`;
    stacks.fixture.commands.recorded.length = 0;
    expect((await stacks.fixture.client.post(path, { token: stacks.token, body })).status).toBe(
      200,
    );
    expect(stacks.fixture.commands.recorded).toEqual([[asked]]);
  });

  it.each([
    [{}, 'No action specified'],
    [{ check: null, resume: null }, 'Multiple actions specified'],
    [{ explode: null }, 'Invalid action explode specified'],
  ])('refuses an action: %j', async (body, message) => {
    const path = `${stacks.pathOf(await stacks.create('one'))}/actions`;
    const { status, text } = await stacks.fixture.client.post(path, { token: stacks.token, body });
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
  });

  it('may abandon the stack, which returns its data', async () => {
    const path = stacks.pathOf(await stacks.create('one'));
    expect((await stacks.get(`${path}/export`)).body).toEqual({ name: 'one' });
    const { client } = stacks.fixture;
    const answer = await client.delete(`${path}/abandon`, { token: stacks.token });
    expect([answer.status, answer.body]).toEqual([200, { name: 'one' }]);
    expect((await client.get('/stacks/one', { token: stacks.token })).status).toBe(404);
  });
});
