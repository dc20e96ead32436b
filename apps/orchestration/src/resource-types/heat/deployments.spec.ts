/** Software deployments and remote stacks. */
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../json/json.js';
import type { NestedStacks, NestedTemplate } from '../resource-type.js';
import { calledIn, changed, testScope, type Answers } from '../resource-scope.fixture.js';
import { outcomeOf, softwareDeployment } from './software-deployment.js';
import { remoteStack } from './remote-stack.js';
import { softwareDeploymentGroup } from './software-deployment-group.js';

const CONFIGS = '/v1/project-1/software_configs';
const DEPLOYMENTS = '/v1/project-1/software_deployments';

const SOURCE = {
  name: 'web',
  group: 'script',
  config: 'echo',
  options: {},
  outputs: [{ name: 'url' }],
  inputs: [{ name: 'port', type: 'Number', default: 80, replace_on_change: true }],
};

const answers: Answers = {
  [`GET ${CONFIGS}/source`]: { software_config: SOURCE },
  [`POST ${CONFIGS}`]: { software_config: { id: 'derived' } },
  [`POST ${DEPLOYMENTS}`]: { software_deployment: { id: 'd' } },
  [`PUT ${DEPLOYMENTS}/d`]: {},
};

const properties = { config: 'source', server: 'server-1', input_values: { tier: 'front' } };

describe('a deployment', () => {
  it('has a config with the values of its inputs', async () => {
    const scope = testScope(softwareDeployment, { properties, answers });
    expect(await softwareDeployment.create(scope)).toEqual({
      physicalId: 'd',
      data: { count: 1, config: 'derived', deployment: 'd' },
    });
    const [, config, deployment] = scope.requests;
    expect(config).toMatchObject({
      key: 'key-config-0',
      json: { group: 'script', config: 'echo' },
    });
    const { inputs } = (config?.json ?? {}) as { inputs: { name: string; value: unknown }[] };
    expect(Object.fromEntries(inputs.map(({ name, value }) => [name, value]))).toEqual({
      port: 80,
      tier: 'front',
      deploy_server_id: 'server-1',
      deploy_action: 'CREATE',
      deploy_stack_id: 'shop/stack-1',
      deploy_resource_name: 'web',
      deploy_signal_transport: 'CFN_SIGNAL',
      deploy_signal_verb: 'POST',
      deploy_signal_id: 'http://signals.example/web',
    });
    expect(deployment).toMatchObject({
      key: 'key-deployment',
      path: DEPLOYMENTS,
      json: {
        server_id: 'server-1',
        config_id: 'derived',
        action: 'CREATE',
        status: 'IN_PROGRESS',
      },
    });
  });

  it('is not made for other actions than its own', async () => {
    const scope = testScope(softwareDeployment, {
      properties: { ...properties, actions: ['DELETE'] },
      answers,
    });
    expect(await softwareDeployment.create(scope)).toEqual({ physicalId: null, data: {} });
    expect(await softwareDeployment.isCreated?.(scope)).toBe(true);
  });

  const data = { count: 1, config: 'old', deployment: 'd' };
  const shown = (fields: JsonObject): Answers => ({
    ...answers,
    [`GET ${DEPLOYMENTS}/d`]: { software_deployment: { id: 'd', config_id: 'derived', ...fields } },
  });

  it('is complete once the server reports success', async () => {
    const looking = (fields: JsonObject) =>
      softwareDeployment.isCreated?.(
        testScope(softwareDeployment, { data, answers: shown(fields) }),
      );
    expect(await looking({ status: 'IN_PROGRESS' })).toBe(false);
    expect(await looking({ status: 'COMPLETE' })).toBe(true);
    await expect(looking({ status: 'FAILED', status_reason: 'no disk' })).rejects.toThrow(
      'Deployment to server failed: no disk',
    );
  });

  it("records the server's report", async () => {
    const more = { [`GET ${CONFIGS}/derived`]: { software_config: SOURCE } };
    const scope = testScope(softwareDeployment, {
      data,
      answers: { ...shown({ status: 'IN_PROGRESS' }), ...more },
    });
    const details = { deploy_status_code: 0, deploy_stdout: 'hello', url: 'http://a' };
    expect(await softwareDeployment.signal?.(scope, details)).toEqual({
      reason: 'deployment d succeeded',
    });
    expect(scope.requests.at(-1)?.json).toEqual({
      status: 'COMPLETE',
      status_reason: 'Outputs received',
      output_values: {
        url: 'http://a',
        deploy_stdout: 'hello',
        deploy_stderr: null,
        deploy_status_code: 0,
      },
    });
  });

  it('gets another config with each update, and is replaced by changes of some inputs', async () => {
    const [scope, change] = changed(softwareDeployment, properties, {
      properties: { ...properties, input_values: {} },
      data,
      answers,
    });
    await softwareDeployment.update?.(scope, change);
    expect(calledIn(scope).slice(1)).toEqual([
      `POST ${CONFIGS}`,
      `PUT ${DEPLOYMENTS}/d`,
      `DELETE ${CONFIGS}/old`,
    ]);
    const [other, replaced] = changed(softwareDeployment, properties, {
      properties: { ...properties, input_values: { port: 81 } },
      data,
      answers,
    });
    await expect(softwareDeployment.update?.(other, replaced)).rejects.toThrow('input port');
  });

  it('is deleted with its config, after its DELETE action', async () => {
    const plain = testScope(softwareDeployment, { properties, data, answers });
    await softwareDeployment.remove(plain);
    expect(calledIn(plain)).toEqual([
      `GET ${CONFIGS}/source`,
      `DELETE ${DEPLOYMENTS}/d`,
      `DELETE ${CONFIGS}/old`,
    ]);
    const leaving = testScope(softwareDeployment, {
      properties: { ...properties, actions: ['DELETE'] },
      data,
      answers,
    });
    await softwareDeployment.remove(leaving);
    expect(leaving.kept.at(-1)).toMatchObject({ leaving: true, config: 'derived' });
    const gone = testScope(softwareDeployment, {
      properties,
      data: { ...data, leaving: true },
      answers: shown({ status: 'IN_PROGRESS' }),
    });
    expect(await softwareDeployment.isRemoved?.(gone)).toBe(true);
  });
});

it.each([
  [{ deploy_status_code: 1 }, 'FAILED', 'deployment d failed (1)'],
  [{ fault: 'no disk' }, 'FAILED', 'deployment d failed ()'],
  [{}, 'COMPLETE', 'deployment d succeeded'],
])('an outcome of %j is %s', (details, status, eventReason) => {
  const outputs = [{ name: 'fault', error_output: true }];
  expect(outcomeOf('d', outputs, details)).toMatchObject({ status, eventReason });
});

it('a deployment group is a nested stack with a deployment for each server', async () => {
  const made: NestedTemplate[] = [];
  const nested = {
    create: (template: NestedTemplate) => {
      made.push(template);
      return Promise.resolve('nested-1');
    },
    find: () => Promise.resolve({ status: 'FAILED', reason: 'Resource CREATE failed: a' }),
  } as unknown as NestedStacks;
  const servers = { web: 's-1', db: 's-2' };
  const scope = {
    ...testScope(softwareDeploymentGroup, { properties: { config: 'c', servers } }),
    nested,
  };
  expect(await softwareDeploymentGroup.create(scope)).toEqual({ physicalId: 'nested-1' });
  expect(made[0]?.template).toHaveProperty('resources.db', {
    type: 'OS::Heat::SoftwareDeployment',
    properties: {
      config: 'c',
      server: 's-2',
      actions: ['CREATE', 'UPDATE'],
      signal_transport: 'CFN_SIGNAL',
    },
  });
  await expect(softwareDeploymentGroup.isCreated?.(scope)).rejects.toThrow(
    'Resource CREATE failed',
  );
});

describe('a remote stack', () => {
  const path = '/v1/project-1/stacks/shop-web-k3jd8s2mxq5p/id-1';
  const stack = (status: string): Answers => ({
    [`GET ${path}`]: {
      stack: {
        stack_name: 'inner',
        stack_status: status,
        stack_status_reason: 'no disk',
        outputs: [{ output_key: 'a', output_value: 1 }],
      },
    },
  });

  it('is created from its template', async () => {
    const surroundings = { environment: { parameters: {} }, files: { a: 'text' } };
    const scope = {
      ...testScope(remoteStack, {
        properties: { template: 'heat_template_version: 2021-04-16', timeout: 5 },
        answers: { 'POST /v1/project-1/stacks': { stack: { id: 'id-1' } } },
      }),
      nested: { surroundings: () => Promise.resolve(surroundings) } as unknown as NestedStacks,
    };
    expect(await remoteStack.create(scope)).toEqual({ physicalId: 'id-1' });
    expect(scope.requests[0]?.json).toMatchObject({
      timeout_mins: 5,
      disable_rollback: true,
      ...surroundings,
    });
  });

  it.each([
    ['CREATE_IN_PROGRESS', false],
    ['CREATE_COMPLETE', true],
  ])('in %s is complete: %s', async (status, isThere) => {
    expect(await remoteStack.isCreated?.(testScope(remoteStack, { answers: stack(status) }))).toBe(
      isThere,
    );
  });

  it("fails with the stack's reason", async () => {
    const scope = testScope(remoteStack, { answers: stack('CREATE_FAILED') });
    await expect(remoteStack.isCreated?.(scope)).rejects.toThrow('no disk');
  });

  it("has the stack's outputs", async () => {
    const scope = testScope(remoteStack, { answers: stack('CREATE_COMPLETE') });
    expect(await remoteStack.attributesOf?.(scope, [])).toEqual({
      stack_name: 'inner',
      outputs: { a: 1 },
    });
  });

  it('is gone after its deletion', async () => {
    expect(await remoteStack.isRemoved?.(testScope(remoteStack))).toBe(true);
    const deleted = testScope(remoteStack, { answers: stack('DELETE_COMPLETE') });
    expect(await remoteStack.isRemoved?.(deleted)).toBe(true);
  });

  it('must be in this cloud', () => {
    expect(() => remoteStack.validate?.({ context: { ca_cert: 'x' } })).toThrow('other clouds');
  });
});
