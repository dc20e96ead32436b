import { describe } from '@jest/globals';
import { testService } from '@cumulet/testing/test-service';
import { startRecorded, type RecordedFixture } from './orchestration.fixture.js';
import { orchestrationService } from './service.js';

type Started = Pick<RecordedFixture, 'client'>;

const made = async (
  { client }: Started,
  token: string,
  path: string,
  body: object,
): Promise<Record<string, { id: string; stack_name?: string }>> => {
  const answer = await client.post(path, { token, body });
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.body as Record<string, { id: string }>;
};

let number = 0;

const stack = async (started: Started, token: string): Promise<string> => {
  const template = { heat_template_version: '2021-04-16' };
  const body = { stack_name: `stack-${(number += 1)}`, template };
  return (await made(started, token, '/stacks', body))['stack']?.id ?? '';
};

const config = async (started: Started, token: string): Promise<string> =>
  (await made(started, token, '/software_configs', { name: 'one' }))['software_config']?.id ?? '';

const deployment = async (started: Started, token: string): Promise<string> => {
  const body = { config_id: await config(started, token), server_id: 'one' };
  const answer = await made(started, token, '/software_deployments', body);
  return answer['software_deployment']?.id ?? '';
};

describe('the orchestration service', () => {
  testService(orchestrationService, {
    start: (options) => startRecorded(options),
    open: [
      'GET /',
      'GET /metadata/{project_id}/{stack_id}/{resource_id}',
      'GET /v1',
      'GET /v1/{project_id}',
      'POST /signals/{project_id}/{stack_id}/{resource_id}',
      'PUT /signals/{project_id}/{stack_id}/{resource_id}',
    ],
    examples: { stack_identity: stack, config_id: config, deployment_id: deployment },
    // The last is the same stack's, by its name.
    withoutExample: ['resource_type', 'server_id', 'template_version', 'stack_name'],
  });
});
