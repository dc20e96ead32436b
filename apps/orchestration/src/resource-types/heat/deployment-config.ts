/** The config that a deployment carries: the one that it names, with the values of its inputs. */
import { ownOf, type Json, type JsonObject } from '../../json/json.js';
import { asObject, asObjects, asText, mapIn, textIn, textsIn } from '../property-values.js';
import type { ResourceScope } from '../resource-type.js';
import { findConfig } from './software-config-type.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';

/** Of which a server tells how it ended. */
export const SIGNALLED = 'signal_transport';

/** Of a config that is data: the key by which it names inputs, and whether each must have a value. */
export const INPUT_KEY = 'input_key';
export const VALIDATED = 'input_values_validate';

/** The group of a config that has one for each of several actions. */
export const COMPONENT = 'component';

/** Whether something is deployed at an action: a config of several says itself at which. */
export function deploysAt(properties: Properties, source: JsonObject, action: string): boolean {
  if (source['group'] !== COMPONENT)
    return textsIn(properties, 'actions')?.includes(action) === true;
  const { configs } = asObject(source['config']) ?? {};
  return asObjects(configs).some((one) => textsIn(one, 'actions')?.includes(action) === true);
}

/** The config that is deployed; an empty one where none is named. */
export async function sourceOf(scope: ResourceScope): Promise<JsonObject> {
  const id = textIn(scope.properties, 'config') ?? '';
  return (id === '' ? undefined : await findConfig(scope, id)) ?? {};
}

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

/**
 * The config, where it is data with the values of the inputs that it names: `{get_input: port}`.
 * @throws PropertyError for an input without a value, where each must have one
 */
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

/** Inputs whose other value is another deployment. */
export function replacingInputs(source: JsonObject): readonly string[] {
  return asObjects(source['inputs'])
    .filter((input) => input['replace_on_change'] === true)
    .map(({ name }) => asText(name));
}
