/** A separate stack. Public source: Heat, "Template guide", OS::Heat::Stack. */
import type { Json, JsonObject } from '../../json/json.js';
import { StackValidationFailedError, TemplateError } from '../../template/template.errors.js';
import { attribute, flag, integer, map, mapOf, text, UPDATABLE } from '../declare.js';
import {
  asObject,
  asObjects,
  asText,
  isGiven,
  mapIn,
  numberIn,
  textIn,
  withoutGaps,
} from '../property-values.js';
import { ReplacementNeeded, ResourceInErrorError } from '../resource-type.errors.js';
import type { CallScope, ExistingScope, ResourceScope, ResourceType } from '../resource-type.js';
import { idIn, part, ServiceCalls } from '../service-calls.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';

const calls = (scope: CallScope): ServiceCalls => new ServiceCalls(scope, 'orchestration');

const stacksPath = ({ stack }: ResourceScope): string => `/v1/${part(stack.projectId)}/stacks`;

/** With name and ID, as either alone is answered with a redirect. */
const pathOf = (scope: ExistingScope): string =>
  `${stacksPath(scope)}/${part(scope.physicalName())}/${part(scope.row.physicalId)}`;

const regionOf = (properties: Properties): string | undefined =>
  textIn(contextOf(properties), 'region_name');

const contextOf = (properties: Properties): JsonObject => mapIn(properties, 'context') ?? {};

export const remoteStack: ResourceType = {
  name: 'OS::Heat::Stack',
  description: 'A stack of its own, which is made and removed with this one.',
  passesTrustOn: true,
  properties: {
    context: mapOf(
      {
        region_name: text('The region that it is in.'),
        credential_secret_id: text('The secret with which another cloud is reached.', {
          updatable: true,
          since: '12.0.0',
        }),
        ca_cert: text('The certificate of another cloud.', { updatable: true, since: '12.0.0' }),
        insecure: flag('Whether certificates of another cloud go unchecked.', {
          default: false,
          updatable: true,
          since: '12.0.0',
        }),
      },
      'Where it is made.',
      UPDATABLE,
    ),
    template: text('The template.', { required: true, updatable: true }),
    timeout: integer('Minutes that its creation may take.', UPDATABLE),
    parameters: map('The parameters.', { default: {}, updatable: true }),
  },
  attributes: {
    stack_name: attribute('string', 'The name of the stack.'),
    outputs: attribute('map', 'The outputs of the stack.'),
  },

  validate(properties) {
    const context = contextOf(properties);
    const other = ['credential_secret_id', 'ca_cert'].find((name) => isGiven(context, name));
    if (other !== undefined)
      throw new PropertyError(`context.${other}`, 'Stacks in other clouds are not supported.');
  },

  async inquire(properties, inquiry) {
    const region = regionOf(properties);
    await checkRegion(region, inquiry);
    const template = textIn(properties, 'template') ?? '';
    const parameters = mapIn(properties, 'parameters') ?? {};
    try {
      await inquiry.readTemplate({ ...inquiry.surroundings, template, parameters });
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      const where = region === undefined ? 'its own region' : `region "${region}"`;
      throw new StackValidationFailedError(
        `Failed validating stack template using Heat endpoint at ${where} due to "ERROR: ${error.message}"`,
      );
    }
  },

  async create(scope) {
    await checkRegion(regionOf(scope.properties), scope);
    const body = {
      stack_name: scope.physicalName(),
      disable_rollback: true,
      ...(await bodyOf(scope)),
    };
    const answer = await calls(scope).create(stacksPath(scope), body);
    return { physicalId: idIn(asObject(answer['stack']) ?? {}) };
  },
  isCreated: (scope) => isDone(scope, 'CREATE'),

  async update(scope, { before }) {
    const [old, region] = [before, scope.properties].map(regionOf);
    if (old !== region) throw new ReplacementNeeded('it is to be in another region');
    await calls(scope).put(pathOf(scope), await bodyOf(scope));
    return {};
  },
  isUpdated: (scope) => isDone(scope, 'UPDATE'),

  remove: (scope) => calls(scope).remove(pathOf(scope)),
  async isRemoved(scope) {
    const stack = await find(scope);
    if (!stack) return true;
    const status = asText(stack['stack_status']);
    if (status === 'DELETE_FAILED')
      throw new ResourceInErrorError(status, asText(stack['stack_status_reason']));
    return status === 'DELETE_COMPLETE';
  },

  read: find,

  async attributesOf(scope) {
    const stack = (await find(scope)) ?? {};
    const outputs = asObjects(stack['outputs']).map((output): [string, Json] => [
      asText(output['output_key']),
      output['output_value'] ?? null,
    ]);
    return {
      stack_name: stack['stack_name'] ?? scope.physicalName(),
      outputs: Object.fromEntries(outputs),
    };
  },

  suspend: (scope) => act(scope, { suspend: null }),
  isSuspended: (scope) => isDone(scope, 'SUSPEND'),
  resume: (scope) => act(scope, { resume: null }),
  isResumed: (scope) => isDone(scope, 'RESUME'),
  check: (scope) => act(scope, { check: null }),
  isChecked: (scope) => isDone(scope, 'CHECK'),

  async snapshot(scope) {
    const answer = await calls(scope).act(`${pathOf(scope)}/snapshots`, {});
    return { snapshot_id: idIn(answer), stack_path: pathOf(scope) };
  },
  async isSnapshot(scope, data) {
    const path = `${pathOf(scope)}/snapshots/${part(asText(data['snapshot_id']))}`;
    const snapshot = asObject((await calls(scope).get(path))['snapshot']) ?? {};
    const status = asText(snapshot['status']);
    if (status === 'FAILED')
      throw new ResourceInErrorError(status, asText(snapshot['status_reason']));
    return status === 'COMPLETE';
  },
  removeSnapshot: (scope, data) =>
    calls(scope).remove(
      `${asText(data['stack_path'])}/snapshots/${part(asText(data['snapshot_id']))}`,
    ),
};

async function bodyOf({ properties, nested }: ResourceScope): Promise<JsonObject> {
  const { environment, files } = await nested.surroundings();
  return withoutGaps({
    template: textIn(properties, 'template'),
    parameters: mapIn(properties, 'parameters') ?? {},
    timeout_mins: numberIn(properties, 'timeout'),
    environment,
    files,
  });
}

/**
 * @throws StackValidationFailedError, in Heat's words, for a region without an orchestration service
 * @throws PropertyError if there are several regions and none is named
 */
async function checkRegion(
  region: string | undefined,
  { actor, services }: Pick<ResourceScope, 'actor' | 'services'>,
): Promise<void> {
  if (region === undefined) return;
  const { body } = await services.identity.send({ actor, path: '/v3/auth/catalog' });
  const endpoints = asObjects(asObject(body)?.['catalog'])
    .filter(({ type }) => type === 'orchestration')
    .flatMap(({ endpoints: some }) => asObjects(some));
  const regions = new Set(endpoints.map(({ region_id: id }) => asText(id)));
  if (regions.size > 1)
    throw new PropertyError('context.region_name', 'Stacks in other regions are not supported.');
  if (regions.has(region)) return;
  throw new StackValidationFailedError(
    `Cannot establish connection to Heat endpoint at region "${region}" due to ` +
      `"public endpoint for orchestration service in ${region} region not found"`,
  );
}

async function find(scope: ExistingScope): Promise<JsonObject | undefined> {
  return asObject((await calls(scope).find(pathOf(scope)))?.['stack']);
}

async function act(scope: ExistingScope, action: JsonObject): Promise<void> {
  await calls(scope).act(`${pathOf(scope)}/actions`, action);
}

/** @throws ResourceInErrorError if it has failed or is gone */
async function isDone(scope: ExistingScope, action: string): Promise<boolean> {
  const stack = await find(scope);
  if (!stack) throw new ResourceInErrorError('DELETE_COMPLETE', 'The stack is gone.');
  const status = asText(stack['stack_status']);
  if (status === `${action}_FAILED`)
    throw new ResourceInErrorError(status, asText(stack['stack_status_reason']));
  return status === `${action}_COMPLETE`;
}
