import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { SignalAddresses } from '../engine/signal-address.js';
import { startRecorded, type RecordedFixture } from '../orchestration.fixture.js';
import { makeNested, makeResource, makeStack, type MadeStack } from './rows.fixture.js';

let fixture: RecordedFixture;
let stack: MadeStack;
let number = 0;

beforeAll(async () => {
  fixture = await startRecorded();
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  stack = await makeStack(fixture, `stack-${(number += 1)}`);
  fixture.commands.recorded.length = 0;
});

const get = (path: string): Promise<TestResponse> =>
  fixture.client.get(`${stack.path}/resources${path}`, { token: fixture.reader });

const namesOf = ({ body }: TestResponse): string[] =>
  (body as { resources: { resource_name: string }[] }).resources.map((one) => one.resource_name);

describe('the list of resources', () => {
  it('shows each resource with its dependents and links', async () => {
    await makeResource(fixture, stack, 'one', { physicalId: 'p1' });
    await makeResource(fixture, stack, 'two', { requires: ['one'], status: 'IN_PROGRESS' });
    const { baseUrl } = fixture.client;
    const { body } = await get('');
    expect(body).toEqual({
      resources: [
        {
          links: [
            { rel: 'self', href: `${baseUrl}${stack.path}/resources/one` },
            { rel: 'stack', href: `${baseUrl}${stack.path}` },
          ],
          resource_name: 'one',
          logical_resource_id: 'one',
          physical_resource_id: 'p1',
          resource_type: 'OS::Heat::TestResource',
          resource_status: 'CREATE_COMPLETE',
          resource_status_reason: 'state changed',
          required_by: ['two'],
          creation_time: expect.any(String),
          updated_time: expect.any(String),
        },
        expect.objectContaining({
          resource_name: 'two',
          resource_status: 'CREATE_IN_PROGRESS',
          required_by: [],
          physical_resource_id: '',
        }),
      ],
    });
  });

  it.each([
    ['?name=one', ['one']],
    ['?name=one&name=two', ['one', 'two']],
    ['?type=Nova', ['two']],
    ['?type=OS::Nova::Keypair', []],
    ['?status=FAILED', ['two']],
    ['?status=CREATE_COMPLETE', ['one']],
    ['?action=UPDATE', ['two']],
    ['?physical_resource_id=p2', ['two']],
  ])('is filtered by %s', async (query, expected) => {
    await makeResource(fixture, stack, 'one', { physicalId: 'p1' });
    await makeResource(fixture, stack, 'two', {
      physicalId: 'p2',
      type: 'OS::Nova::Server',
      action: 'UPDATE',
      status: 'FAILED',
    });
    expect(namesOf(await get(query))).toEqual(expected);
  });

  it('names an unknown filter', async () => {
    const { status, text } = await get('?color=red');
    expect([status, text]).toEqual([400, expect.stringContaining("parameters ['color']")]);
  });

  it('shows a replacement, and the last state of a resource that is being deleted', async () => {
    await makeResource(fixture, stack, 'one', { physicalId: 'old', obsolete: true });
    await makeResource(fixture, stack, 'one', { physicalId: 'new' });
    await makeResource(fixture, stack, 'two', { obsolete: true, action: 'DELETE' });
    expect(namesOf(await get(''))).toEqual(['one', 'two']);
    expect((await get('/one')).body).toMatchObject({ resource: { physical_resource_id: 'new' } });
  });

  it('includes resources of nested stacks to the requested depth', async () => {
    const group = await makeResource(fixture, stack, 'group');
    const nested = await makeNested(fixture, stack, group, 'below');
    await makeResource(fixture, nested, 'member');
    expect(namesOf(await get(''))).toEqual(['group']);
    const { body } = await get('?nested_depth=1');
    const { baseUrl } = fixture.client;
    const href = `${baseUrl}/v1/${fixture.projectId}/stacks/below/${nested.id}`;
    expect(body).toMatchObject({
      resources: [
        { resource_name: 'group', links: [{}, {}, { rel: 'nested', href }] },
        {
          resource_name: 'member',
          parent_resource: 'group',
          links: [
            { rel: 'self', href: `${href}/resources/member` },
            { rel: 'stack', href },
          ],
        },
      ],
    });
  });

  it('includes attributes with details', async () => {
    await makeResource(fixture, stack, 'one');
    expect((await get('?with_detail=true')).body).toMatchObject({
      resources: [{ resource_name: 'one', attributes: { output: 'output of one' } }],
    });
  });
});

describe('a resource', () => {
  it('is shown with its attributes and additional ones', async () => {
    await makeResource(fixture, stack, 'one');
    const { body } = await get('/one?with_attr=a&with_attr=b');
    expect(body).toMatchObject({
      resource: {
        resource_name: 'one',
        description: '',
        attributes: { output: 'output of one', a: 'a of one', b: 'b of one' },
      },
    });
  });

  it('is not found by another name', async () => {
    const { status, body } = await get('/two');
    const message = `The Resource (two) could not be found in Stack stack-${number}.`;
    expect([status, body]).toEqual([
      404,
      expect.objectContaining({
        error: expect.objectContaining({ type: 'ResourceNotFound', message }),
      }),
    ]);
  });

  it('shows its metadata, for a server with its deployments', async () => {
    const { client, token } = fixture;
    await makeResource(fixture, stack, 'one', { metadata: { a: 1 } });
    const server = { type: 'OS::Nova::Server', physicalId: `server-${number}` };
    await makeResource(fixture, stack, 'server', { ...server, metadata: { a: 1 } });
    expect((await get('/one/metadata')).body).toEqual({ metadata: { a: 1 } });
    const none = { metadata: { a: 1, deployments: [] } };
    expect((await get('/server/metadata')).body).toEqual(none);
    const config = await client.post('/software_configs', { token, body: { name: 'hello' } });
    const { id } = (config.body as { software_config: { id: string } }).software_config;
    const deployment = { config_id: id, server_id: server.physicalId };
    await client.post('/software_deployments', { token, body: deployment });
    expect((await get('/server/metadata')).body).toMatchObject({
      metadata: { a: 1, deployments: [{ id, name: 'hello' }] },
    });
  });

  it('shows it to the agent with the signed URL only', async () => {
    const { app, client, projectId } = fixture;
    const sealed = app.nest.get(SealedJson);
    const properties = sealed.seal({ properties: { user_data_format: 'SOFTWARE_CONFIG' } });
    const server = { type: 'OS::Nova::Server', physicalId: `server-${number}`, properties };
    const { id: resourceId } = await makeResource(fixture, stack, 'server', {
      ...server,
      metadata: { a: 1 },
    });
    const { body } = await get('/server/metadata');
    const { metadata } = body as {
      metadata: { 'os-collect-config': { request: { metadata_url: string } } };
    };
    const { metadata_url: url } = metadata['os-collect-config'].request;
    const path = new URL(url).pathname.replace('/orchestration', '') + new URL(url).search;
    const answer = await client.get(path);
    expect([answer.status, answer.body]).toEqual([200, metadata]);
    expect((await client.send('HEAD', path)).status).toBe(200);
    const target = { projectId, stackId: stack.id, resourceId };
    const signals = new URL(app.nest.get(SignalAddresses).ofGuests(target)).search;
    for (const other of [signals, '?Signature=short'])
      expect((await client.get(path.replace(/\?.*/, other))).status).toBe(403);
  });

  it('can be marked by its name or physical ID', async () => {
    await makeResource(fixture, stack, 'one', { physicalId: 'p1' });
    const { client, token, commands } = fixture;
    const mark = (of: string, body: object): Promise<TestResponse> =>
      client.patch(`${stack.path}/resources/${of}`, { token, body });
    const body = { mark_unhealthy: true, resource_status_reason: 'resource deleted' };
    expect((await mark('one', body)).status).toBe(200);
    expect((await mark('p1', { mark_unhealthy: 'False' })).status).toBe(200);
    expect(commands.recorded).toEqual([
      ['markUnhealthy', 'one', true, 'resource deleted'],
      ['markUnhealthy', 'one', false, null],
    ]);
    expect((await mark('one', {})).text).toContain('mark_unhealthy is required');
    expect((await mark('one', { ...body, color: 1 })).text).toContain('color is not a property');
  });

  it('takes signals with and without a body', async () => {
    await makeResource(fixture, stack, 'one');
    const { client, token, commands, projectId } = fixture;
    const path = `${stack.path}/resources/one/signal`;
    expect((await client.post(path, { token })).status).toBe(200);
    expect((await client.post(path, { token, body: { status: 'SUCCESS' } })).status).toBe(200);
    expect(commands.recorded).toEqual([
      ['signal', projectId, 'one', {}],
      ['signal', projectId, 'one', { status: 'SUCCESS' }],
    ]);
    const { status, text } = await client.post(path, { token, body: '[1]' });
    expect([status, text]).toEqual([400, expect.stringContaining('a signal must be an object')]);
  });
});
