/**
 * An environment: parameter values and a resource registry. Public source: Heat template guide,
 * "Environments".
 *
 * Always holds: its sections are maps, and its registry has been checked.
 */
import { stringifyExact } from '../../json/exact-json.js';
import { isMap, ownOf, type Json, type JsonObject } from '../../json/json.js';
import {
  InvalidBreakPointHookError,
  InvalidRestrictedActionError,
  TemplateError,
} from '../template.errors.js';

export interface Environment {
  readonly parameters: JsonObject;
  readonly parameterDefaults: JsonObject;
  readonly registry: JsonObject;
  /** Stored for exports of other clouds; here all parameters are sealed. */
  readonly encryptedParamNames: readonly string[];
}

/** A single environment, before it is merged with others. */
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

/** @param given null for an empty text. @throws TemplateError naming the section that is wrong */
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

/** As stored and shown by `GET …/environment`. */
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

export const HOOKS = [
  'pre-create',
  'pre-update',
  'pre-delete',
  'post-create',
  'post-update',
  'post-delete',
];

export const RESTRICTED_ACTIONS = ['update', 'replace'];

/** Keys that list words. */
const WORDS = { hooks: HOOKS, restricted_actions: RESTRICTED_ACTIONS } as const;

export type WordsKey = keyof typeof WORDS;

/**
 * Checks a resource registry: names of types or templates for types and, under `resources`, also
 * hooks and restricted actions for single resources.
 *
 * @throws InvalidBreakPointHookError
 * @throws InvalidRestrictedActionError
 * @throws TemplateError for any other value
 */
export function checkRegistry(registry: JsonObject, path = 'resource_registry'): void {
  for (const [key, value] of Object.entries(registry)) {
    if (isWordsKey(key)) checkWords(key, value);
    else if (isMap(value)) checkRegistry(value, `${path}.${key}`);
    else if (value !== null && typeof value !== 'string')
      throw new TemplateError(`${path}.${key} is not the name of a type or of a template.`);
  }
}

export function wordsAt(entry: JsonObject, key: WordsKey): readonly string[] {
  const value = ownOf(entry, key);
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

function isWordsKey(key: string): key is WordsKey {
  return Object.hasOwn(WORDS, key);
}

function checkWords(key: WordsKey, value: Json): void {
  const known: readonly Json[] = WORDS[key];
  const words = Array.isArray(value) ? (value as readonly Json[]) : [value];
  if (words.every((word) => known.includes(word))) return;
  const shown = typeof value === 'string' ? value : stringifyExact(value);
  if (key === 'hooks')
    throw new InvalidBreakPointHookError(
      `Invalid hook type "${shown}" for resource breakpoint, acceptable hook types are: ${HOOKS.join(', ')}`,
    );
  throw new InvalidRestrictedActionError(
    `Invalid restricted_action type "${shown}" for resource, acceptable restricted_action types are: ${RESTRICTED_ACTIONS.join(', ')}`,
  );
}
