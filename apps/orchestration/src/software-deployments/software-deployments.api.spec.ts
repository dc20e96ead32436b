import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startOrchestration, type OrchestrationFixture } from '../orchestration.fixture.js';

let fixture: OrchestrationFixture;
let configId: string;

beforeAll(async () => {
  fixture = await startOrchestration();
  const { client, token } = fixture;
  const body = { name: 'hello', group: 'script', config: 'echo' };
  const answer = await client.post('/software_configs', { token, body });
  configId = (answer.body as { software_config: { id: string } }).software_config.id;
});
afterAll(() => fixture.stop());

interface Deployment {
  readonly id: string;
}

const deploy = async (fields: object): Promise<Deployment> => {
  const { client, token } = fixture;
  const body = { config_id: configId, ...fields };
  const answer = await client.post('/software_deployments', { token, body });
  expect(answer.status).toBe(200);
  return (answer.body as { software_deployment: Deployment }).software_deployment;
};

it('a deployment is shown with its values, which signals and updates change', async () => {
  const { client, token } = fixture;
  const values = { server_id: 'one', action: 'CREATE', input_values: { who: 'world' } };
  const { id } = await deploy({ ...values, status: 'IN_PROGRESS' });
  const change = { status: 'COMPLETE', status_reason: 'Done', output_values: { result: 7 } };
  await client.put(`/software_deployments/${id}`, { token, body: change });
  const { body } = await client.get(`/software_deployments/${id}`, { token });
  expect(body).toEqual({
    software_deployment: {
      id,
      config_id: configId,
      ...values,
      ...change,
      creation_time: expect.any(String),
      updated_time: expect.any(String),
    },
  });
});

it("a server's deployments are listed, and its agent reads their configs", async () => {
  const { client, token } = fixture;
  const { id } = await deploy({ server_id: 'two' });
  const list = await client.get('/software_deployments?server_id=two', { token });
  expect(list.body).toMatchObject({ software_deployments: [{ id, server_id: 'two' }] });
  const metadata = await client.get('/software_deployments/metadata/two', { token });
  expect(metadata.body).toMatchObject({ metadata: [{ id: configId, group: 'script' }] });
});

it('a deployment is refused without a config of the project', async () => {
  const { client, stranger } = fixture;
  const body = { config_id: configId, server_id: 'one' };
  const { status, text } = await client.post('/software_deployments', { token: stranger, body });
  expect([status, text]).toEqual([404, expect.stringContaining(`with id ${configId} not found`)]);
});

it('a deployment does not exist for other projects, and after its deletion', async () => {
  const { client, token, stranger } = fixture;
  const { id } = await deploy({ server_id: 'three' });
  const path = `/software_deployments/${id}`;
  expect((await client.delete(path, { token: stranger })).status).toBe(404);
  expect((await client.delete(path, { token })).status).toBe(204);
  expect((await client.get(path, { token })).status).toBe(404);
});
