/** Types that are a software config of this service. Public source: Orchestration API reference. */
import type { JsonObject } from '../../json/json.js';
import { attribute, flag, listOf, map, mapOf, oneOf, text } from '../declare.js';
import type { PropertySchema, PropertySchemas } from '../../constraints/property-schema.js';
import { asObject, textIn } from '../property-values.js';
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

/** @returns its id */
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

/** What a config says, where a text is the id of one; otherwise the text. */
export async function textOfConfig(scope: ResourceScope, given: string): Promise<string> {
  const config = UUID.test(given) ? await findConfig(scope, given) : undefined;
  return config ? (textIn(config, 'config') ?? given) : given;
}

export interface ConfigDeclaration {
  readonly name: string;
  readonly description: string;
  readonly properties: PropertySchemas;
  /** What is sent: `group`, `config`, `inputs`, `outputs`, `options`. */
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

export const GROUP: PropertySchema = text('The tool that it is for.', {
  default: 'Heat::Ungrouped',
});

const TYPES = oneOf('String', 'Number', 'CommaDelimitedList', 'Json', 'Boolean');

export const OPTIONS: PropertySchema = map('Options of the tool.');

export const INPUTS: PropertySchema = listOf(
  mapOf(
    {
      name: text('Its name.', { required: true }),
      description: text('What it is.'),
      type: text('Its type.', { default: 'String', constraints: [TYPES] }),
      default: { type: 'any', description: 'What it is where nothing is given.' },
      replace_on_change: flag('Whether another value is a deployment of its own.', {
        default: false,
      }),
    },
    'An input.',
  ),
  'What it takes in.',
);

export const OUTPUTS: PropertySchema = listOf(
  mapOf(
    {
      name: text('Its name.', { required: true }),
      description: text('What it is.'),
      type: text('Its type.', { default: 'String', constraints: [TYPES] }),
      error_output: flag('Whether it tells of an error.', { default: false }),
    },
    'An output.',
  ),
  'What it gives back.',
);
