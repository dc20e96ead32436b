/** Structured configs, and components. */
import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../json/json.js';
import { StackValidationFailedError } from '../../template/template.errors.js';
import type { NestedStacks, NestedTemplate } from '../resource-type.js';
import { calledIn, definition, testScope, type Answers } from '../resource-scope.fixture.js';
import { accessPolicy } from '../aws/iam.js';
import { softwareComponent } from './software-configs.js';
import { softwareDeployment } from './software-deployment.js';
import { structuredDeployment, structuredDeploymentGroup } from './software-deployment-group.js';
import { PropertyError } from '../../constraints/property.errors.js';

const CONFIGS = '/v1/project-1/software_configs';
const DEPLOYMENTS = '/v1/project-1/software_deployments';

const answersOf = (source: JsonObject): Answers => ({
  [`GET ${CONFIGS}/source`]: { software_config: source },
  [`POST ${CONFIGS}`]: { software_config: { id: 'derived' } },
  [`POST ${DEPLOYMENTS}`]: { software_deployment: { id: 'd' } },
});

describe('a structured deployment', () => {
  const source = {
    group: 'script',
    config: {
      port: { get_input: 'port' },
      list: [{ get_input: 'tier' }, 'plain', { a: { get_input: 'deploy_action' } }],
      kept: { get_input: 'port', and: 'more' },
      listed: { get_input: ['port'] },
      none: { get_input: 'nothing' },
    },
    inputs: [{ name: 'port', default: 80 }],
  };
  const properties = { config: 'source', server: 's', input_values: { tier: { is: 'front' } } };

  async function deployed(more: JsonObject): Promise<Json | undefined> {
    const answers = answersOf(source);
    const given = { ...properties, ...more };
    const scope = testScope(structuredDeployment, { properties: given, answers });
    await structuredDeployment.create(scope);
    return (scope.requests[1]?.json as JsonObject | undefined)?.['config'];
  }

  it('fills the values of inputs into the config', async () => {
    expect(await deployed({})).toEqual({
      port: 80,
      list: [{ is: 'front' }, 'plain', { a: 'CREATE' }],
      kept: { get_input: 'port', and: 'more' },
      listed: { get_input: ['port'] },
      none: null,
    });
  });

  it('marks inputs by the given key', async () => {
    expect(await deployed({ input_key: 'kept' })).toEqual({
      ...source.config,
    });
  });

  it('requires a value for each input on request', async () => {
    const given = deployed({ input_values_validate: 'STRICT' });
    await expect(given).rejects.toThrow(PropertyError);
    await expect(given).rejects.toThrow('The Parameter (nothing) was not provided.');
  });

  it('on several servers is a nested stack', async () => {
    let made: NestedTemplate | undefined;
    const nested = {
      create: (template: NestedTemplate) => {
        made = template;
        return Promise.resolve('below');
      },
    } as unknown as NestedStacks;
    const scope = testScope(structuredDeploymentGroup, {
      properties: { servers: { one: 's1' }, config: 'source', input_key: 'get' },
    });
    await structuredDeploymentGroup.create({ ...scope, nested });
    expect(made?.template).toMatchObject({
      resources: {
        one: {
          type: 'OS::Heat::StructuredDeployment',
          properties: { server: 's1', config: 'source', input_key: 'get' },
        },
      },
    });
  });
});

describe('a component', () => {
  const configs = [
    { actions: ['CREATE'], config: 'install', tool: 'script' },
    { actions: ['DELETE'], config: 'remove', tool: 'script' },
  ];

  it('is a single config for all actions', async () => {
    const answers = answersOf({ config: { configs } });
    const scope = testScope(softwareComponent, {
      properties: { configs },
      physicalId: 'source',
      answers,
    });
    expect(await softwareComponent.create(scope)).toEqual({ physicalId: 'derived' });
    expect(scope.requests[0]?.json).toEqual({
      name: 'shop-web-k3jd8s2mxq5p',
      group: 'component',
      config: { configs },
    });
    expect(await softwareComponent.attributesOf?.(scope, ['configs'])).toEqual({ configs });
  });

  it('has at most one config for each action', () => {
    expect(() => softwareComponent.validate?.({ configs: [...configs, configs[0] ?? {}] })).toThrow(
      'more than one configuration for the same action',
    );
  });

  it('is deployed at the actions of its configs, not at those of the deployment', async () => {
    const answers = answersOf({ group: 'component', config: { configs } });
    const properties = { config: 'source', server: 's', actions: ['SUSPEND'] };
    const scope = testScope(softwareDeployment, { properties, answers });
    await softwareDeployment.create(scope);
    expect(calledIn(scope)).toContain(`POST ${DEPLOYMENTS}`);
    const other = testScope(softwareDeployment, { properties, answers });
    await softwareDeployment.suspend?.(other);
    expect(calledIn(other)).toEqual([`GET ${CONFIGS}/source`]);
    const removed = testScope(softwareDeployment, { properties, answers });
    await softwareDeployment.remove(removed);
    expect(removed.kept.at(-1)).toMatchObject({ leaving: true });
  });
});

it('an access policy must name resources of its stack', async () => {
  const policy = (...names: readonly string[]) =>
    definition(accessPolicy.name, { AllowedResources: names });
  const all = { web: policy() };
  expect(() => accessPolicy.validateAmong?.(policy('web'), all)).not.toThrow();
  expect(() => accessPolicy.validateAmong?.(policy('web', 'db'), all)).toThrow(
    new StackValidationFailedError('AccessPolicy resource db not in stack'),
  );
  expect(await accessPolicy.create(testScope(accessPolicy))).toEqual({ physicalId: null });
});
