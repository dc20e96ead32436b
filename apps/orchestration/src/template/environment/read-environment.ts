/**
 * The environment of a request: inline or from listed files, with the request's own parameters.
 * Public source: Orchestration API reference, "Create stack", environment and environment_files.
 */
import { parseExact } from '../../json/exact-json.js';
import { isList, isMap, ownOf, type Json, type JsonObject } from '../../json/json.js';
import { sumOf, type Numeric } from '../../json/numbers.js';
import { numberOf as readNumber, textOf as textOfJson } from '../../json/texts.js';
import type { ReadParameter } from '../read-template.js';
import {
  ConflictingMergeStrategyForParamError,
  InvalidMergeStrategyForParamError,
  TemplateError,
} from '../template.errors.js';
import {
  EMPTY_ENVIRONMENT,
  environmentOf,
  type Environment,
  type GivenEnvironment,
} from './environment.js';

export interface EnvironmentSources {
  readonly environment?: string | JsonObject | undefined;
  /** Names of `files`, of which later ones take precedence; they replace `environment`. */
  readonly environmentFiles?: readonly string[] | undefined;
  readonly files: Readonly<Record<string, string>>;
  /** Take precedence over the environment's, but not over those of listed files. */
  readonly parameters?: JsonObject | undefined;
  readonly typeOf: TypeOfParameter;
  readonly parse: (text: string) => Json;
}

/** @throws TemplateError */
export function readEnvironment(sources: EnvironmentSources): Environment {
  const { environmentFiles = [], parameters } = sources;
  const own: GivenEnvironment =
    environmentFiles.length > 0
      ? { ...EMPTY_ENVIRONMENT, mergeStrategies: {} }
      : ownEnvironment(sources);
  const given = { ...own, parameters: { ...own.parameters, ...parameters } };
  const { mergeStrategies: _, ...environment } = mergedFiles(given, sources, environmentFiles);
  return environment;
}

function ownEnvironment({ environment, parse }: EnvironmentSources): GivenEnvironment {
  return environmentOf(
    typeof environment === 'string' ? parse(environment) : (environment ?? null),
  );
}

function mergedFiles(
  given: GivenEnvironment,
  sources: EnvironmentSources,
  names: readonly string[],
): GivenEnvironment {
  const merge = new ParameterMerge(sources.typeOf);
  return names.reduce((merged, name) => mergedWith(merged, sources, name, merge), given);
}

function mergedWith(
  merged: GivenEnvironment,
  { files, parse }: EnvironmentSources,
  name: string,
  merge: ParameterMerge,
): GivenEnvironment {
  const text = ownOf(files, name);
  if (text === undefined)
    throw new TemplateError(`The environment file ${name} is not among the files of the request.`);
  const added = environmentOf(parse(text));
  const strategies = added.mergeStrategies;
  return {
    ...merged,
    parameters: merge.merged(merged.parameters, added.parameters, strategies, name),
    parameterDefaults: merge.merged(
      merged.parameterDefaults,
      added.parameterDefaults,
      strategies,
      name,
    ),
    registry: mergedMap(merged.registry, added.registry, false),
    encryptedParamNames: [...merged.encryptedParamNames, ...added.encryptedParamNames],
  };
}

export type TypeOfParameter = (name: string) => ReadParameter['type'] | undefined;

type Strategy = 'overwrite' | 'merge' | 'deep_merge';

const STRATEGIES: readonly Json[] = ['overwrite', 'merge', 'deep_merge'] satisfies Strategy[];

/**
 * Merges the parameters of several files, one after another. Public source: Heat template guide,
 * "Environments", parameter_merge_strategies.
 */
export class ParameterMerge {
  /** The strategy of the first file with the parameter. */
  readonly #chosen = new Map<string, Strategy>();

  /** @param typeOf of parameters of the template and its files */
  constructor(private readonly typeOf: TypeOfParameter) {}

  /**
   * The first file's value of an undeclared parameter is kept, and refused later.
   * @throws ConflictingMergeStrategyForParamError
   * @throws InvalidMergeStrategyForParamError for a type that cannot be merged
   */
  merged(old: JsonObject, added: JsonObject, strategies: JsonObject, file: string): JsonObject {
    const declared = Object.entries(added).filter(
      ([name, value]) => value !== null && this.typeOf(name) !== undefined,
    );
    for (const [name] of declared) this.#choose(name, strategies, file);
    if (Object.keys(old).length === 0) return added;
    const merged = declared.map(([name, value]): [string, Json] => [
      name,
      this.#valueOf(name, ownOf(old, name), value),
    ]);
    return { ...old, ...Object.fromEntries(merged) };
  }

  #choose(name: string, strategies: JsonObject, file: string): void {
    const known = this.#chosen.get(name);
    const strategy = ownOf(strategies, name) ?? known ?? strategies['default'] ?? 'overwrite';
    if (!STRATEGIES.includes(strategy))
      throw new InvalidMergeStrategyForParamError(textOfJson(strategy), name);
    if (known !== undefined && known !== strategy)
      throw new ConflictingMergeStrategyForParamError(textOfJson(strategy), name, file);
    this.#chosen.set(name, strategy as Strategy);
  }

  #valueOf(name: string, old: Json | undefined, added: Json): Json {
    const strategy = this.#chosen.get(name);
    if (strategy === 'overwrite' || strategy === undefined) return added;
    switch (this.typeOf(name)) {
      case 'Json':
        return mergedMap(mapOf(old, name), mapOf(added, name), strategy === 'deep_merge');
      case 'CommaDelimitedList':
        return mergedList(old, added, name);
      case 'String':
        return `${textOf(old, name)}${textOf(added, name)}`;
      case 'Number':
        return summed(numberOf(old, name), numberOf(added, name), name);
      default:
        throw new InvalidMergeStrategyForParamError(strategy, name);
    }
  }
}

/** Null leaves a value as it was. */
export function mergedMap(old: JsonObject, added: JsonObject, isDeep: boolean): JsonObject {
  const merged = Object.entries(added).flatMap(([key, value]): [string, Json][] =>
    value === null ? [] : [[key, isDeep ? deepened(ownOf(old, key), value) : value]],
  );
  return { ...old, ...Object.fromEntries(merged) };
}

function deepened(old: Json | undefined, added: Json): Json {
  if (isMap(added)) return isMap(old) ? mergedMap(old, added, true) : added;
  if (isList(added)) return isList(old) ? [...old, ...added] : added;
  return typeof added === 'string' && typeof old === 'string' ? old + added : added;
}

function mergedList(old: Json | undefined, added: Json, name: string): Json {
  if (old === undefined || old === '' || (isList(old) && old.length === 0)) return added;
  if (typeof old === 'string' && typeof added === 'string') return `${old},${added}`;
  const [first, second] = [old, added].map((one) =>
    typeof one === 'string' ? one.split(',') : one,
  );
  if (isList(first) && isList(second)) return [...first, ...second];
  throw unfit(name, 'a list');
}

function mapOf(value: Json | undefined, name: string): JsonObject {
  if (value === undefined || value === '') return {};
  const whole = typeof value === 'string' ? parsed(value, name) : value;
  if (isMap(whole)) return whole;
  throw unfit(name, 'a map');
}

function parsed(text: string, name: string): Json {
  try {
    return parseExact(text) as Json;
  } catch {
    throw unfit(name, 'JSON');
  }
}

function textOf(value: Json | undefined, name: string): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  throw unfit(name, 'a text');
}

function numberOf(value: Json | undefined, name: string): Numeric {
  const number = value === undefined ? 0 : readNumber(value);
  if (number !== undefined) return number;
  throw unfit(name, 'a number');
}

function summed(old: Numeric, added: Numeric, name: string): Numeric {
  const sum = sumOf(old, added);
  if (sum !== undefined) return sum;
  throw unfit(name, 'a number');
}

function unfit(name: string, kind: string): TemplateError {
  return new TemplateError(`Invalid parameter in environment: ${name} is not ${kind}.`);
}
