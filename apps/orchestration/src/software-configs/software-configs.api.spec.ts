import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startOrchestration, type OrchestrationFixture } from '../orchestration.fixture.js';

let fixture: OrchestrationFixture;

beforeAll(async () => {
  fixture = await startOrchestration();
});
afterAll(() => fixture.stop());

const create = (body: object): Promise<TestResponse> =>
  fixture.client.post('/software_configs', { token: fixture.token, body });

interface Config {
  readonly id: string;
  readonly name: string;
}

const created = async (body: object): Promise<Config> => {
  const answer = await create(body);
  expect(answer.status).toBe(200);
  return (answer.body as { software_config: Config }).software_config;
};

describe('a software config', () => {
  it('is shown with its inputs and outputs, including defaults', async () => {
    const { id } = await created({
      name: 'hello',
      group: 'script',
      config: '#!/bin/sh\necho hello',
      inputs: [
        { name: 'who', default: 'world' },
        { name: 'size', replace_on_change: true },
      ],
      outputs: [{ name: 'result', description: 'What came of it.' }],
      options: { dry: true },
    });
    const { body } = await fixture.client.get(`/software_configs/${id}`, { token: fixture.reader });
    expect(body).toEqual({
      software_config: {
        id,
        name: 'hello',
        group: 'script',
        config: '#!/bin/sh\necho hello',
        inputs: [
          { name: 'who', type: 'String', default: 'world' },
          { name: 'size', type: 'String', replace_on_change: true },
        ],
        outputs: [
          { name: 'result', type: 'String', description: 'What came of it.', error_output: false },
        ],
        options: { dry: true },
        creation_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      },
    });
  });

  it.each([
    [{ inputs: 'x' }, 'inputs must be a list'],
    [{ inputs: ['x'] }, 'inputs[0] must be an object'],
    [{ inputs: [{}] }, 'inputs[0].name must be a text'],
    [{ inputs: [{ name: 'a', color: 'red' }] }, "inputs[0] has no property 'color'"],
    [{ outputs: [{ name: 'a', type: 'Text' }] }, 'outputs[0].type must be one of String, Number'],
    [{ outputs: [{ name: 'a', error_output: 'so' }] }, 'error_output must be true or false'],
  ])('is refused with %j', async (fields, message) => {
    const { status, text } = await create({ name: 'bad', ...fields });
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
  });

  it('does not exist in another project', async () => {
    const { id } = await created({ name: 'mine' });
    const path = `/software_configs/${id}`;
    const { status, body } = await fixture.client.get(path, { token: fixture.stranger });
    expect(status).toBe(404);
    expect(body).toMatchObject({
      error: { type: 'NotFound', message: `Software config with id ${id} not found` },
    });
  });

  it('is deleted once no deployment uses it', async () => {
    const { client, token } = fixture;
    const { id } = await created({ name: 'used' });
    const deployment = { config_id: id, server_id: 'one' };
    const answer = await client.post('/software_deployments', { token, body: deployment });
    const made = (answer.body as { software_deployment: { id: string } }).software_deployment;
    const refused = await client.delete(`/software_configs/${id}`, { token });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('is referenced');
    await client.delete(`/software_deployments/${made.id}`, { token });
    expect((await client.delete(`/software_configs/${id}`, { token })).status).toBe(204);
    expect((await client.get(`/software_configs/${id}`, { token })).status).toBe(404);
  });
});

describe('the list of software configs', () => {
  const namesAt = async (query: string, token: string): Promise<readonly string[]> => {
    const { body } = await fixture.client.get(`/software_configs${query}`, { token });
    return (body as { software_configs: Config[] }).software_configs.map(({ name }) => name);
  };

  it("contains the project's configs, the newest first, in pages", async () => {
    const { tokens } = fixture;
    const token = await tokens.issue(['member']);
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three']) {
      const { body } = await fixture.client.post('/software_configs', { token, body: { name } });
      ids.push((body as { software_config: Config }).software_config.id);
    }
    expect(await namesAt('', token)).toEqual(['three', 'two', 'one']);
    expect(await namesAt('?limit=1', token)).toEqual(['three']);
    expect(await namesAt(`?limit=1&marker=${ids[2] ?? ''}`, token)).toEqual(['two']);
  });

  it("contains all projects' configs for administrators only", async () => {
    const { admin, token, client } = fixture;
    await created({ name: 'of a member' });
    expect(await namesAt('?global_tenant=true', admin)).toContain('of a member');
    const path = '/software_configs?global_tenant=true';
    expect((await client.get(path, { token })).status).toBe(403);
  });
});
