/**
 * The environment of a request: what it gives itself, or files that it lists, and its own parameters.
 * Public source: Orchestration API reference, "Create stack", environment and environment_files.
 */
import { ownOf, type Json, type JsonObject } from '../../json/json.js';
import { TemplateError } from '../template.errors.js';
import {
  EMPTY_ENVIRONMENT,
  environmentOf,
  type Environment,
  type GivenEnvironment,
} from './environment.js';
import { mergedMap, ParameterMerge, type TypeOfParameter } from './merge-parameters.js';

export interface EnvironmentSources {
  readonly environment?: string | JsonObject | undefined;
  /** Names of `files`, of which later ones say more; with them, `environment` says nothing. */
  readonly environmentFiles?: readonly string[] | undefined;
  readonly files: Readonly<Record<string, string>>;
  /** Before those of the environment; files that are listed say more than these. */
  readonly parameters?: JsonObject | undefined;
  readonly typeOf: TypeOfParameter;
  /** Of YAML or JSON, with limits. */
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
