/** The config that a deployment carries: the one that it names, with the values of its inputs. */
import { ownOf, type Json, type JsonObject } from '../../template/json.js';
import { asObjects, asText, mapIn, textIn } from '../property-values.js';
import type { ResourceScope } from '../resource-type.js';
import { findConfig } from './software-config-type.js';

/** Of which a server tells how it ended. */
export const SIGNALLED = 'signal_transport';

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
  return {
    name: textIn(properties, 'name') ?? textIn(source, 'name') ?? scope.physicalName(),
    group: textIn(source, 'group') ?? 'Heat::Ungrouped',
    config: source['config'] ?? '',
    options: mapIn(source, 'options') ?? {},
    inputs: inputsOf(scope, source, action),
    outputs: asObjects(source['outputs']),
  };
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
