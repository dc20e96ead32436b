/** Types that create software configs in this service. Public source: Orchestration API reference. */
import type {
  Properties,
  PropertySchema,
  PropertySchemas,
} from '../../constraints/property-schema.js';
import { PropertyError } from '../../constraints/property.errors.js';
import { ownOf, type Json, type JsonObject } from '../../json/json.js';
import { attribute, flag, listOf, map, mapOf, oneOf, text } from '../declare.js';
import { asObject, asObjects, asText, mapIn, textIn, textsIn } from '../property-values.js';
import type { ExistingScope, ResourceScope, ResourceType } from '../resource-type.js';
import { idIn, part, ServiceCalls } from '../service-calls.js';

export function configCalls(scope: ResourceScope): ServiceCalls {
  return new ServiceCalls(scope, 'orchestration');
}

export function configsPath({ stack }: ResourceScope): string {
  return `/v1/${part(stack.projectId)}/software_configs`;
}

export async function findConfig(
  scope: ResourceScope,
  id: string,
): Promise<JsonObject | undefined> {
  const answer = await configCalls(scope).find(`${configsPath(scope)}/${part(id)}`);
  return asObject(answer?.['software_config']);
}

export async function makeConfig(
  scope: ResourceScope,
  config: JsonObject,
  key?: string,
): Promise<string> {
  const body = { name: scope.physicalName(), ...config };
  const answer = await configCalls(scope).create(configsPath(scope), body, key);
  return idIn(asObject(answer['software_config']) ?? {});
}

export async function removeConfig(scope: ResourceScope, id: string): Promise<void> {
  await configCalls(scope).remove(`${configsPath(scope)}/${part(id)}`);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The text of a config, if given its ID; otherwise the given text. */
export async function textOfConfig(scope: ResourceScope, given: string): Promise<string> {
  const config = UUID.test(given) ? await findConfig(scope, given) : undefined;
  return config ? (textIn(config, 'config') ?? given) : given;
}

export interface ConfigDeclaration {
  readonly name: string;
  readonly description: string;
  readonly properties: PropertySchemas;
  /** The body: `group`, `config`, `inputs`, `outputs`, `options`. */
  readonly config: (scope: ResourceScope) => JsonObject | Promise<JsonObject>;
}

export function configType({ config, ...texts }: ConfigDeclaration): ResourceType {
  const find = (scope: ExistingScope): Promise<JsonObject | undefined> =>
    findConfig(scope, scope.row.physicalId);
  return {
    ...texts,
    support: { status: 'SUPPORTED', version: '2014.1' },
    attributes: { config: attribute('string', 'What the config says.') },
    create: async (scope) => ({ physicalId: await makeConfig(scope, await config(scope)) }),
    remove: (scope) => removeConfig(scope, scope.row.physicalId),
    read: find,
    attributesOf: async (scope) => ({ config: (await find(scope))?.['config'] ?? '' }),
  };
}

export const GROUP: PropertySchema = text('The tool that applies it.', {
  default: 'Heat::Ungrouped',
});

const TYPES = oneOf('String', 'Number', 'CommaDelimitedList', 'Json', 'Boolean');

export const OPTIONS: PropertySchema = map('Options of the tool.');

export const INPUTS: PropertySchema = listOf(
  mapOf(
    {
      name: text('The name.', { required: true }),
      description: text('The description.'),
      type: text('The type.', { default: 'String', constraints: [TYPES] }),
      default: { type: 'any', description: 'What it is where nothing is given.' },
      replace_on_change: flag('Whether another value is a deployment of its own.', {
        default: false,
      }),
    },
    'An input.',
  ),
  'The inputs.',
);

export const OUTPUTS: PropertySchema = listOf(
  mapOf(
    {
      name: text('The name.', { required: true }),
      description: text('The description.'),
      type: text('The type.', { default: 'String', constraints: [TYPES] }),
      error_output: flag('Whether it tells of an error.', { default: false }),
    },
    'An output.',
  ),
  'The outputs.',
);

/** How a server reports the outcome. */
export const SIGNALLED = 'signal_transport';

/** For structured configs: the key that marks inputs. Another says whether each input needs a value. */
export const INPUT_KEY = 'input_key';
export const VALIDATED = 'input_values_validate';

/** The group of a config with parts for several actions. */
export const COMPONENT = 'component';

/** Whether an action deploys it; a component's parts name their actions themselves. */
export function deploysAt(properties: Properties, source: JsonObject, action: string): boolean {
  if (source['group'] !== COMPONENT)
    return textsIn(properties, 'actions')?.includes(action) === true;
  const { configs } = asObject(source['config']) ?? {};
  return asObjects(configs).some((one) => textsIn(one, 'actions')?.includes(action) === true);
}

/** The config to deploy; an empty one if none is named. */
export async function sourceOf(scope: ResourceScope): Promise<JsonObject> {
  const id = textIn(scope.properties, 'config') ?? '';
  return (id === '' ? undefined : await findConfig(scope, id)) ?? {};
}

/** The config of a deployment: its source with the values of the inputs. */
export function derivedConfig(
  scope: ResourceScope,
  source: JsonObject,
  action: string,
): JsonObject {
  const { properties } = scope;
  const inputs = inputsOf(scope, source, action);
  return {
    name: textIn(properties, 'name') ?? textIn(source, 'name') ?? scope.physicalName(),
    group: textIn(source, 'group') ?? 'Heat::Ungrouped',
    config: filled(properties, source['config'], inputs),
    options: mapIn(source, 'options') ?? {},
    inputs,
    outputs: asObjects(source['outputs']),
  };
}

/** Fills values into `{get_input: port}`. @throws PropertyError for a required one */
function filled(
  properties: Properties,
  config: Json | undefined,
  inputs: readonly JsonObject[],
): Json {
  const key = textIn(properties, INPUT_KEY);
  if (key === undefined) return config ?? '';
  const isStrict = textIn(properties, VALIDATED) === 'STRICT';
  const values = new Map(inputs.map(({ name, value = null }) => [asText(name), value]));
  const fill = (part: Json): Json => {
    if (Array.isArray(part)) return (part as readonly Json[]).map(fill);
    const entries = Object.entries(asObject(part) ?? {});
    const [first] = entries;
    if (!first) return part;
    if (entries.length > 1 || first[0] !== key || typeof first[1] !== 'string')
      return Object.fromEntries(entries.map(([name, one]) => [name, fill(one)]));
    if (isStrict && !values.has(first[1]))
      throw new PropertyError('input_values', `The Parameter (${first[1]}) was not provided.`);
    return values.get(first[1]) ?? null;
  };
  return fill(config ?? {});
}

function inputsOf(scope: ResourceScope, source: JsonObject, action: string): readonly JsonObject[] {
  const { properties, stack, row } = scope;
  const given = mapIn(properties, 'input_values') ?? {};
  const declared = asObjects(source['inputs']);
  const names = declared.map(({ name }) => asText(name));
  const transport = textIn(properties, SIGNALLED) ?? '';
  const own: readonly (readonly [string, Json, string])[] = [
    ['deploy_server_id', properties['server'] ?? null, 'The server.'],
    ['deploy_action', action, 'The action that it is for.'],
    ['deploy_stack_id', `${stack.name}/${stack.id}`, 'The stack.'],
    ['deploy_resource_name', row.name, 'The name of the deployment in the stack.'],
    [`deploy_${SIGNALLED}`, transport, 'How the server tells how it ended.'],
    ...(transport === 'NO_SIGNAL'
      ? []
      : ([
          ['deploy_signal_id', scope.signalUrl(), 'Where it tells so.'],
          ['deploy_signal_verb', 'POST', 'The method by which it does.'],
        ] as const)),
  ];
  return [
    ...declared.map((input) => ({
      ...input,
      value: ownOf(given, asText(input['name'])) ?? input['default'] ?? null,
    })),
    ...Object.entries(given)
      .filter(([name]) => !names.includes(name))
      .map(([name, value]) => ({ name, type: 'String', value })),
    ...own.map(([name, value, description]) => ({ name, type: 'String', value, description })),
  ];
}

/** Inputs whose change replaces the deployment. */
export function replacingInputs(source: JsonObject): readonly string[] {
  return asObjects(source['inputs'])
    .filter((input) => input['replace_on_change'] === true)
    .map(({ name }) => asText(name));
}
