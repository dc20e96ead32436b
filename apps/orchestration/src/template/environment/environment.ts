/**
 * An environment: parameters' values, and what stands for the types of resources. Public source: Heat
 * template guide, "Environments".
 *
 * Always holds: its sections are maps, and its registry has been checked.
 */
import { isMap, type Json, type JsonObject } from '../../json/json.js';
import { TemplateError } from '../template.errors.js';
import { checkRegistry } from './registry-entries.js';

export interface Environment {
  readonly parameters: JsonObject;
  readonly parameterDefaults: JsonObject;
  /** As it was given. */
  readonly registry: JsonObject;
  /** Names that another cloud's export lists; here all parameters are sealed. */
  readonly encryptedParamNames: readonly string[];
}

/** One that has been read, before it is merged with others. */
export interface GivenEnvironment extends Environment {
  readonly mergeStrategies: JsonObject;
}

export const EMPTY_ENVIRONMENT: Environment = {
  parameters: {},
  parameterDefaults: {},
  registry: {},
  encryptedParamNames: [],
};

const SECTIONS = [
  'parameters',
  'resource_registry',
  'parameter_defaults',
  'encrypted_param_names',
  'event_sinks',
  'parameter_merge_strategies',
];

/**
 * @param given null for an empty text
 * @throws TemplateError naming the section that is wrong
 */
export function environmentOf(given: Json): GivenEnvironment {
  const sections = sectionsOf(given);
  if (!isEmpty(sections['event_sinks']))
    throw new TemplateError(
      'event_sinks is not supported: this cloud has no message queues that events could go to.',
    );
  const registry = mapAt(sections, 'resource_registry');
  checkRegistry(registry);
  return {
    parameters: mapAt(sections, 'parameters'),
    parameterDefaults: mapAt(sections, 'parameter_defaults'),
    registry,
    encryptedParamNames: namesAt(sections, 'encrypted_param_names'),
    mergeStrategies: mapAt(sections, 'parameter_merge_strategies'),
  };
}

/** As it is stored, and as `GET …/environment` shows it. */
export function environmentJson(environment: Environment): JsonObject {
  const { parameters, parameterDefaults, registry, encryptedParamNames } = environment;
  return {
    parameters,
    parameter_defaults: parameterDefaults,
    resource_registry: { resources: {}, ...registry },
    encrypted_param_names: encryptedParamNames,
    event_sinks: [],
  };
}

function sectionsOf(given: Json): JsonObject {
  if (given === null) return {};
  if (!isMap(given))
    throw new TemplateError('The environment is not a valid YAML mapping data type.');
  for (const [section, value] of Object.entries(given)) {
    if (!SECTIONS.includes(section))
      throw new TemplateError(`environment has wrong section "${section}"`);
    if (value === null) throw new TemplateError(`environment has empty section "${section}"`);
  }
  return given;
}

function mapAt(sections: JsonObject, section: string): JsonObject {
  const value = sections[section] ?? {};
  if (isMap(value)) return value;
  throw new TemplateError(`The section "${section}" of the environment is not a map.`);
}

function namesAt(sections: JsonObject, section: string): readonly string[] {
  const value = sections[section] ?? [];
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw new TemplateError(`The section "${section}" of the environment is not a list of names.`);
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}
