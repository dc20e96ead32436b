/** A stack from its creation to its deletion, with the engine and without sister services. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startWhole, type OrchestrationFixture } from '../orchestration.fixture.js';

let fixture: OrchestrationFixture;

beforeAll(async () => {
  fixture = await startWhole();
});
afterAll(() => fixture.stop());

const template = `
heat_template_version: pike
parameters:
  word: {type: string, default: hello}
resources:
  one:
    type: OS::Heat::TestResource
    properties: {value: {get_param: word}}
  two:
    type: OS::Heat::TestResource
    properties: {value: {get_attr: [one, output]}}
outputs:
  said: {value: {get_attr: [two, output]}}
`;

const send = (method: string, path: string, body?: object): Promise<TestResponse> =>
  fixture.client.send(method, path, { token: fixture.token, body });

/** @returns its path, once its action is over */
const create = async (name: string, fields: object = {}): Promise<string> => {
  const answer = await send('POST', '/stacks', { stack_name: name, template, ...fields });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  await fixture.settle();
  return (answer.headers.get('Location') ?? '').slice(fixture.client.baseUrl.length);
};

const show = async (path: string): Promise<unknown> =>
  ((await send('GET', path)).body as { stack: unknown }).stack;

describe('a stack', () => {
  it('updates only the resources that use a changed member of a map', async () => {
    const member = (name: string): object => ({ get_param: ['secrets', name] });
    const server = (name: string): object => ({
      type: 'OS::Heat::TestResource',
      properties: { value: member(name) },
    });
    const body = (secrets: object): object => ({
      template: {
        heat_template_version: 'wallaby',
        parameters: { secrets: { type: 'json', hidden: true } },
        resources: { one: server('one'), two: server('two') },
      },
      parameters: { secrets },
    });
    const path = await create('members', body({ one: 'a', two: 'b' }));
    expect((await send('PUT', path, body({ one: 'a', two: 'c', three: 'd' }))).status).toBe(202);
    await fixture.settle();
    const { resources } = (await send('GET', `${path}/resources`)).body as {
      resources: { resource_name: string; resource_status: string }[];
    };
    const statuses = resources.map((one) => [one.resource_name, one.resource_status]);
    expect(Object.fromEntries(statuses)).toEqual({
      one: 'CREATE_COMPLETE',
      two: 'UPDATE_COMPLETE',
    });
    expect(await show(path)).toMatchObject({ parameters: { secrets: '******' } });
  });

  it('is created, updated and deleted, and stays readable', async () => {
    const path = await create('life');
    const said = (value: string): object[] => [{ output_key: 'said', output_value: value }];
    expect(await show(path)).toMatchObject({
      stack_status: 'CREATE_COMPLETE',
      updated_time: null,
      outputs: said('hello'),
      stack_status_reason: 'Stack CREATE completed successfully',
      parameters: { word: 'hello' },
    });
    const change = { parameters: { word: 'goodbye' } };
    expect((await send('PATCH', path, change)).status).toBe(202);
    await fixture.settle();
    expect(await show(path)).toMatchObject({
      stack_status: 'UPDATE_COMPLETE',
      outputs: said('goodbye'),
      parameters: { word: 'goodbye' },
    });
    const { body } = await send('GET', `${path}/resources?name=one`);
    expect(body).toMatchObject({
      resources: [{ resource_status: 'UPDATE_COMPLETE', required_by: ['two'] }],
    });
    const one = await send('GET', `${path}/resources/one`);
    expect(one.body).toMatchObject({ resource: { attributes: { output: 'goodbye' } } });
    expect((await send('DELETE', path)).status).toBe(204);
    await fixture.settle();
    expect(await show(path)).toMatchObject({
      stack_status: 'DELETE_COMPLETE',
      deletion_time: expect.any(String),
      stack_owner: 'somebody',
      parameters: { word: 'goodbye' },
    });
    expect((await send('GET', `${path}/template`)).body).toHaveProperty('resources.two');
    expect((await send('GET', `${path}/environment`)).body).toMatchObject({
      parameters: { word: 'goodbye' },
    });
    expect((await send('GET', `${path}/files`)).body).toEqual({});
    const events = await send('GET', `${path}/events?sort_dir=asc&resource_name=life`);
    const { events: all } = events.body as { events: { resource_status: string }[] };
    expect(all.map((event) => event.resource_status)).toEqual([
      'CREATE_IN_PROGRESS',
      'CREATE_COMPLETE',
      'UPDATE_IN_PROGRESS',
      'UPDATE_COMPLETE',
      'DELETE_IN_PROGRESS',
      'DELETE_COMPLETE',
    ]);
  });

  it('has a unique name', async () => {
    await create('taken');
    const { status, body } = await send('POST', '/stacks', { stack_name: 'taken', template });
    const error = { type: 'StackExists', message: 'The Stack (taken) already exists.' };
    expect([status, body]).toMatchObject([409, { error }]);
  });

  it('is refused with the path of the fault, and leaves nothing behind', async () => {
    const bad = template.replace('get_attr: [one, output]', 'get_attr: [none, output]');
    const answer = await send('POST', '/stacks', { stack_name: 'bad', template: bad });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('none')]);
    expect((await send('GET', '/stacks/bad')).status).toBe(404);
  });

  it('fails with the reason of its resource', async () => {
    const failing = template.replace('{get_param: word}}', '{get_param: word}, fail: true}');
    const path = await create('failing', { template: failing });
    expect(await show(path)).toMatchObject({
      stack_status: 'CREATE_FAILED',
      stack_status_reason: expect.stringContaining('resources.one'),
    });
  });

  it('does not show hidden parameters in its failure', async () => {
    const hidden = template
      .replace('default: hello', 'default: s3cr3t, hidden: true')
      .replace('value: {get_attr: [one, output]}', 'wait_secs: {get_attr: [one, output]}');
    const path = await create('hiding', { template: hidden });
    const shown = JSON.stringify(await show(path));
    expect(shown).toContain("Value '******' is not");
    const events = await send('GET', `${path}/events?resource_status=FAILED`);
    expect(shown + events.text).not.toContain('s3cr3t');
  });

  it('can be updated, but nothing else, while it is being created', async () => {
    const slow = template.replace(
      '{get_param: word}}',
      '{get_param: word}, action_wait_secs: {create: -1}}',
    );
    const answer = await send('POST', '/stacks', { stack_name: 'busy', template: slow });
    const path = (answer.headers.get('Location') ?? '').slice(fixture.client.baseUrl.length);
    for (const action of ['suspend', 'check']) {
      const refused = await send('POST', `${path}/actions`, { [action]: null });
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('busy')]);
    }
    const bad = { template: template.replace('[one, output]', '[none, output]') };
    expect((await send('PUT', path, bad)).status).toBe(400);
    expect((await send('PUT', path, { template })).status).toBe(202);
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await send('PUT', path, { template })).status).toBeGreaterThanOrEqual(400);
    await fixture.settle();
    expect(await show(path)).toMatchObject({ stack_status: 'DELETE_COMPLETE' });
  });

  it('is marked unhealthy, and rejects signals that its types do not support', async () => {
    const path = await create('marked');
    const body = { mark_unhealthy: true, resource_status_reason: 'resource deleted' };
    expect((await send('PATCH', `${path}/resources/one`, body)).status).toBe(200);
    expect((await send('GET', `${path}/resources/one`)).body).toMatchObject({
      resource: {
        resource_status: 'CHECK_FAILED',
        resource_status_reason: 'resource deleted',
      },
    });
    expect((await send('POST', `${path}/resources/one/signal`)).status).toBe(400);
  });

  it('never shows hidden parameters', async () => {
    const secret = 'a secret value';
    const hidden = template.replace('default: hello', 'hidden: true');
    const path = await create('hidden', { template: hidden, parameters: { word: secret } });
    for (const below of ['', '/environment', '/template', '/files']) {
      const { status, text } = await send('GET', `${path}${below}?resolve_outputs=false`);
      expect([status, text.includes(secret)]).toEqual([200, false]);
    }
    expect(JSON.stringify(fixture.logs)).not.toContain(secret);
  });
});

describe('a preview', () => {
  const inner = `
heat_template_version: 2015-04-30
parameters: {value: {type: string}, id: {type: string, default: ''}}
resources:
  inner: {type: 'OS::Heat::TestResource', properties: {value: {get_param: value}}}
`;

  it('includes nested stacks, of templates and of groups', async () => {
    const outer = `
heat_template_version: 2015-04-30
resources:
  main: {type: inner.yaml, properties: {value: abc}}
  first: {type: 'OS::Heat::TestResource'}
  group:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def:
        type: inner.yaml
        properties: {value: 'v%index%', id: {get_resource: first}}
`;
    const body = { stack_name: 'preview', template: outer, files: { 'inner.yaml': inner } };
    const answer = await send('POST', '/stacks/preview', body);
    const member = (value: string, stackName: string): object => ({
      resource_name: 'inner',
      stack_name: stackName,
      properties: { value, fail: false, wait_secs: 0, update_replace: false },
      attributes: { output: null },
    });
    expect(answer.body).toMatchObject({
      stack: {
        resources: [
          [member('abc', 'preview-main')],
          { resource_name: 'first', properties: { value: 'test_string', fail: false } },
          [[member('v0', 'preview-group-0')], [member('v1', 'preview-group-1')]],
        ],
      },
    });
    expect((await send('GET', '/stacks/preview')).status).toBe(404);
  });
});

describe('the quota of stacks', () => {
  it('refuses a stack when it is exhausted, and allows one more otherwise', async () => {
    const limited = await startWhole({ config: { stackQuota: 1, maxResources: 1 } });
    const { client, token } = limited;
    const asked = (name: string, resources: object): Promise<TestResponse> => {
      const body = {
        stack_name: name,
        template: { heat_template_version: 'pike', resources },
      };
      return client.post('/stacks', { token, body });
    };
    const none = { type: 'OS::Heat::None' };
    const large = await asked('large', { a: none, b: none });
    const limit = { error: { type: 'RequestLimitExceeded' } };
    expect([large.status, large.body]).toMatchObject([403, limit]);
    expect((await asked('one', { a: none })).status).toBe(201);
    const two = await asked('two', {});
    expect([two.status, two.body]).toMatchObject([413, limit]);
    await limited.stop();
  });
});
