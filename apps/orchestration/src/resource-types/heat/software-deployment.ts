/**
 * A software config on a server. Public source: Heat, "Template guide", OS::Heat::SoftwareDeployment.
 *
 * Always holds: each deployed action has a config of its own under its own key; the former one is
 * deleted once the deployment has the next.
 */
import { errorOf } from '@cumulet/common/errors/domain-error';
import type { Properties, PropertySchemas } from '../../constraints/property-schema.js';
import { PropertyError } from '../../constraints/property.errors.js';
import { ownOf, type Json, type JsonObject } from '../../json/json.js';
import { isSame } from '../../json/same-json.js';
import { attribute, listOf, map, oneOf, text, UPDATABLE } from '../declare.js';
import { computeCalls, serverPath } from '../nova/nova-calls.js';
import {
  asObject,
  asObjects,
  asText,
  isObject,
  mapIn,
  numberIn,
  textIn,
} from '../property-values.js';
import { ReplacementNeeded } from '../resource-type.errors.js';
import type { ExistingScope, ResourceScope, ResourceType } from '../resource-type.js';
import { idIn, part } from '../service-calls.js';
import {
  configCalls,
  deploysAt,
  derivedConfig,
  findConfig,
  makeConfig,
  removeConfig,
  replacingInputs,
  SIGNALLED,
  sourceOf,
} from './software-config-type.js';

const ACTIONS = oneOf('CREATE', 'UPDATE', 'DELETE', 'SUSPEND', 'RESUME');

export const DEPLOYMENT_PROPERTIES: PropertySchemas = {
  config: text('The id of the software config.', UPDATABLE),
  input_values: map('Values of its inputs.', UPDATABLE),
  actions: listOf(text('An action.'), 'Actions of the stack at which it is deployed.', {
    default: ['CREATE', 'UPDATE'],
    updatable: true,
    constraints: [ACTIONS],
  }),
  name: text('The name of what the server is given, by which such are put in order.', UPDATABLE),
  [SIGNALLED]: text('How the server tells how it ended.', {
    default: 'CFN_SIGNAL',
    constraints: [
      oneOf('CFN_SIGNAL', 'TEMP_URL_SIGNAL', 'HEAT_SIGNAL', 'NO_SIGNAL', 'ZAQAR_SIGNAL'),
    ],
  }),
};

const path = ({ stack }: ResourceScope): string =>
  `/v1/${part(stack.projectId)}/software_deployments`;

/** The server reported a failure. */
class DeploymentError extends errorOf(
  'unprocessable',
  (reason: string) => `Deployment to server failed: ${reason}`,
) {}

export const softwareDeployment: ResourceType = {
  name: 'OS::Heat::SoftwareDeployment',
  description: 'A software config on a server.',
  support: { status: 'SUPPORTED', version: '2014.1' },
  properties: {
    ...DEPLOYMENT_PROPERTIES,
    server: text('The id of the server.', { required: true }),
  },
  attributes: {
    deploy_stdout: attribute('string', 'The standard output.'),
    deploy_stderr: attribute('string', 'The standard error.'),
    deploy_status_code: attribute('string', 'The exit status.'),
  },
  isAttribute: () => true,
  validate: checkSignal,

  async create(scope) {
    const data = await deploy(scope, 'CREATE', await sourceOf(scope));
    return { physicalId: textIn(data, 'deployment') ?? null, data };
  },
  isCreated: isDone,

  async update(scope, { before }) {
    const source = await sourceOf(scope);
    const valueOf = (one: Properties, name: string): Json | undefined =>
      ownOf(mapIn(one, 'input_values') ?? {}, name);
    const other = replacingInputs(source).find(
      (name) => !isSame(valueOf(before, name), valueOf(scope.properties, name)),
    );
    if (other !== undefined) throw new ReplacementNeeded(`its input ${other} has another value`);
    return { data: await deploy(scope, 'UPDATE', source) };
  },
  isUpdated: isDone,

  async remove(scope) {
    const { data } = scope.row;
    if (data['leaving'] === true) return;
    const source = await sourceOf(scope);
    if (deploysAt(scope.properties, source, 'DELETE')) {
      const left = await deploy(scope, 'DELETE', source);
      await scope.keep({ ...left, leaving: true });
    } else await removeAll(scope);
  },
  async isRemoved(scope) {
    if (scope.row.data['leaving'] !== true) return true;
    const server = textIn(scope.properties, 'server') ?? '';
    const isServerThere = (await computeCalls(scope).find(serverPath(server))) !== undefined;
    if (isServerThere && !(await isDone(scope))) return false;
    await removeAll(scope);
    return true;
  },

  suspend: async (scope) => {
    await deploy(scope, 'SUSPEND', await sourceOf(scope));
  },
  isSuspended: isDone,
  resume: async (scope) => {
    await deploy(scope, 'RESUME', await sourceOf(scope));
  },
  isResumed: isDone,

  read: find,

  async attributesOf(scope, names) {
    const outputs = asObject((await find(scope))?.['output_values']) ?? {};
    return Object.fromEntries(names.map((name) => [name, ownOf(outputs, name) ?? null]));
  },

  async signal(scope, details) {
    const shown = await find(scope);
    const id = textIn(shown ?? {}, 'id') ?? '';
    if (shown?.['status'] !== 'IN_PROGRESS')
      return { reason: `deployment ${id} waits for nothing` };
    const config = await findConfig(scope, asText(shown['config_id']));
    const outcome = outcomeOf(id, config?.['outputs'], isObject(details) ? details : {});
    await configCalls(scope).put(`${path(scope)}/${part(id)}`, {
      status: outcome.status,
      status_reason: outcome.reason,
      output_values: { ...asObject(shown['output_values']), ...outcome.outputs },
    });
    return { reason: outcome.eventReason };
  },
};

/** @throws PropertyError for a signal transport that this cloud lacks */
export function checkSignal(properties: Properties): void {
  if (textIn(properties, SIGNALLED) !== 'ZAQAR_SIGNAL') return;
  throw new PropertyError(
    SIGNALLED,
    'ZAQAR_SIGNAL is not supported, as this cloud has no message queues: use TEMP_URL_SIGNAL.',
  );
}

async function deploy(
  scope: ResourceScope,
  action: string,
  source: JsonObject,
): Promise<JsonObject> {
  const { data } = scope.row;
  if (!deploysAt(scope.properties, source, action)) return data;
  const count = numberIn(data, 'count') ?? 0;
  const config = await makeConfig(scope, derivedConfig(scope, source, action), `config-${count}`);
  const isSignalled = textIn(scope.properties, SIGNALLED) !== 'NO_SIGNAL';
  const body = {
    config_id: config,
    action,
    input_values: mapIn(scope.properties, 'input_values') ?? {},
    status: isSignalled ? 'IN_PROGRESS' : 'COMPLETE',
    status_reason: isSignalled ? 'Deploy data available' : 'Not waiting for outputs signal',
  };
  const deployment = await settle(scope, body);
  const kept = { ...data, count: count + 1, config, deployment };
  await scope.keep(kept);
  const former = textIn(data, 'config');
  if (former !== undefined) await removeConfig(scope, former);
  return kept;
}

/** Creates the deployment or gives it the next config. @returns its ID */
async function settle(scope: ResourceScope, body: JsonObject): Promise<string> {
  const known = textIn(scope.row.data, 'deployment');
  if (known !== undefined) {
    await configCalls(scope).put(`${path(scope)}/${part(known)}`, body);
    return known;
  }
  const server = textIn(scope.properties, 'server') ?? '';
  const answer = await configCalls(scope).create(
    path(scope),
    { ...body, server_id: server },
    'deployment',
  );
  return idIn(asObject(answer['software_deployment']) ?? {});
}

async function find(scope: ExistingScope): Promise<JsonObject | undefined> {
  const id = textIn(scope.row.data, 'deployment');
  if (id === undefined) return undefined;
  const answer = await configCalls(scope).find(`${path(scope)}/${part(id)}`);
  return asObject(answer?.['software_deployment']);
}

/** @throws DeploymentError */
async function isDone(scope: ExistingScope): Promise<boolean> {
  const shown = await find(scope);
  if (!shown) return true;
  if (shown['status'] === 'FAILED') throw new DeploymentError(asText(shown['status_reason']));
  return shown['status'] === 'COMPLETE';
}

async function removeAll(scope: ExistingScope): Promise<void> {
  const [deployment, config] = ['deployment', 'config'].map((name) => textIn(scope.row.data, name));
  if (deployment !== undefined)
    await configCalls(scope).remove(`${path(scope)}/${part(deployment)}`);
  if (config !== undefined) await removeConfig(scope, config);
}

const OUTPUTS = ['deploy_stdout', 'deploy_stderr', 'deploy_status_code'] as const;

export interface Outcome {
  readonly status: 'COMPLETE' | 'FAILED';
  readonly reason: string;
  readonly outputs: JsonObject;
  /** The event's reason. */
  readonly eventReason: string;
}

/** Reads a server's report on a deployment. Pure. @param outputs that the config declares */
export function outcomeOf(id: string, outputs: Json | undefined, details: JsonObject): Outcome {
  const code = asText(details['deploy_status_code']);
  const faults: string[] = [];
  if (code !== '' && code !== '0')
    faults.push(`deploy_status_code : Deployment exited with non-zero status code: ${code}`);
  const values = new Map<string, Json>();
  for (const { name, error_output: isError } of asObjects(outputs)) {
    const value = ownOf(details, asText(name));
    if (value === undefined) continue;
    values.set(asText(name), value);
    if (isError === true) faults.push(`${asText(name)} : ${asText(value)}`);
  }
  for (const name of OUTPUTS) values.set(name, details[name] ?? null);
  const isFailed = faults.length > 0;
  return {
    status: isFailed ? 'FAILED' : 'COMPLETE',
    reason: isFailed ? faults.join(', ') : 'Outputs received',
    outputs: Object.fromEntries(values),
    eventReason: isFailed ? `deployment ${id} failed (${code})` : `deployment ${id} succeeded`,
  };
}
