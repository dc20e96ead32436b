/** Deployments whose resources are no longer waited for. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import { equals } from '@cumulet/common/tables/condition';
import { asText } from '../resource-types/property-values.js';
import type { ResourceType } from '../resource-types/resource-type.js';
import { softwareConfigs } from '../software-configs/software-config.repository.js';
import { softwareDeployments } from '../software-deployments/software-deployment.repository.js';
import { TestEngine } from './engine.fixture.js';
import { template } from './template.fixture.js';
import { RefusedError } from './test-things.fixture.js';

let engine: TestEngine;
let worker: { stop(): Promise<void> };

/** Represents the deployment that its property names, and fails. */
const failing: ResourceType = {
  name: 'Test::Deployment',
  description: 'A deployment that fails.',
  properties: { value: { type: 'string', description: 'The id of the deployment.' } },
  attributes: {},
  create: ({ properties }) => Promise.resolve({ physicalId: asText(properties['value']) }),
  isCreated: () => Promise.reject(new RefusedError('Out of time.')),
  remove: () => Promise.resolve(),
};

beforeAll(async () => {
  engine = await TestEngine.start({ types: [failing] });
  worker = await engine.work();
});

afterAll(async () => {
  await worker.stop();
  await engine.stop();
});

it.each([
  ['is cancelled', 'IN_PROGRESS', 'FAILED', 'Deployment cancelled.'],
  ['stays as it is where it is over', 'COMPLETE', 'COMPLETE', 'Outputs received'],
])('%s', async (_, before, after, reason) => {
  const { ctx, sealed } = engine;
  const projectId = asId<ProjectId>('project');
  const config = await softwareConfigs.insert(ctx, {
    id: asId(randomUUID()),
    projectId,
    name: 'config',
    group: 'script',
    content: sealed.seal({}),
  });
  const { id } = await softwareDeployments.insert(ctx, {
    id: asId(randomUUID()),
    projectId,
    configId: config.id,
    serverId: 'server',
    action: 'CREATE',
    status: before,
    statusReason: 'Outputs received',
  });
  const resources = { a: { type: 'Test::Deployment', properties: { value: id } } };
  const stack = await engine.create(template(resources), { name: `stack-${before}` });
  expect(await engine.settled(stack)).toMatchObject({ state: 'failed' });
  const [deployment] = await softwareDeployments.select(ctx, [equals('id', id)]);
  expect(deployment).toMatchObject({ status: after, statusReason: reason });
});
