/**
 * Reads the templates of nested stacks with the parameters that are known in advance, so that their
 * errors are found together with those of the template around them.
 *
 * Always holds: a template is read once for the same parameters and environment; recursion is refused.
 */
import { childEnvironment } from './environment/derived-environment.js';
import { environmentJson, type Environment } from './environment/environment.js';
import { ResourceRegistry } from './environment/registry.js';
import type { Expression } from './expression.js';
import { comparable } from '../json/same-json.js';
import { isMap, ownOf, type Json, type JsonObject } from '../json/json.js';
import type {
  Question,
  ReadTemplate,
  ResourceDefinition,
  TemplateRequest,
} from './read-template.js';
import {
  StackValidationFailedError,
  TemplateError,
  UserParameterMissingError,
} from './template.errors.js';
import type { TypeFacts } from './type-facts.js';

/** Deeper ones are read when the stack above them is created. */
const MAX_DEPTH = 10;

export type ReadChild = (request: TemplateRequest, below: NestedReadings) => ReadTemplate;

/** The templates that were read for a request, and those being read. */
export class NestedReadings {
  readonly done = new Map<string, ReadTemplate | undefined>();
  readonly open: { readonly key: string; readonly file: string }[] = [];
}

export class NestedTemplates {
  private readonly registry: ResourceRegistry;

  constructor(
    private readonly request: TemplateRequest,
    private readonly environment: Environment,
    types: TypeFacts,
    private readonly readings: NestedReadings,
    private readonly readChild: ReadChild,
  ) {
    this.registry = new ResourceRegistry({
      registry: environment.registry,
      files: request.files ?? {},
      isType: (name) => types.find(name) !== undefined,
    });
  }

  /**
   * @param section `resources`, for paths
   * @param questions receives those of nested templates
   * @returns the readable templates, by the names of the resources
   * @throws StackValidationFailedError with the path through all templates
   */
  readAll(
    definitions: Readonly<Record<string, ResourceDefinition>>,
    section: string,
    questions: Question[],
  ): Readonly<Record<string, ReadTemplate>> {
    const asked = new Set<string>();
    const entries = Object.values(definitions).flatMap((one): [string, ReadTemplate][] => {
      if (one.implementation.kind !== 'template' || one.externalId !== undefined) return [];
      const { file } = one.implementation;
      const path = `${section}.${one.name}<${file}>`;
      const read = this.read(one, file, path);
      for (const question of read?.questions ?? []) {
        const key = keyOf(question);
        if (!asked.has(key)) {
          asked.add(key);
          questions.push({ ...question, path: `${path}.${question.path}` });
        }
      }
      return read === undefined ? [] : [[one.name, read]];
    });
    return Object.fromEntries(entries);
  }

  private read(
    definition: ResourceDefinition,
    file: string,
    path: string,
  ): ReadTemplate | undefined {
    const { done, open } = this.readings;
    const parameters = knownProperties(definition.properties);
    const { path: entry } = this.registry.find(definition.type, definition.name);
    const child = { resource: definition.name, parameters, path: entry };
    const environment = environmentJson(childEnvironment(this.environment, child));
    const key = `${file} ${comparable(environment)}`;
    if (open.some((one) => one.key === key)) {
      const files = [...open.map((one) => one.file), file].join(' -> ');
      throw new StackValidationFailedError(
        `The template ${file} is made of itself: ${files}`,
        path,
      );
    }
    if (done.has(key) || open.length >= MAX_DEPTH) return done.get(key);
    open.push({ key, file });
    const read = this.readNested(definition, file, environment, path);
    open.pop();
    done.set(key, read);
    return read;
  }

  /** Undefined if it depends on values of resources. */
  private readNested(
    { metadata, deletionPolicy, updatePolicy, name }: ResourceDefinition,
    file: string,
    environment: JsonObject,
    path: string,
  ): ReadTemplate | undefined {
    const { files = {}, stack, zones } = this.request;
    const request: TemplateRequest = {
      template: ownOf(files, file) ?? '',
      environment,
      files,
      zones,
      allowsMissing: true,
      stack: { ...stack, name: `${stack.name}-${name}` },
      facade: {
        metadata: knownValue(metadata),
        updatePolicy: knownValue(updatePolicy),
        deletionPolicy,
      },
    };
    try {
      return this.readChild(request, this.readings);
    } catch (error) {
      if (error instanceof UserParameterMissingError && error.path === '') return undefined;
      throw error instanceof TemplateError ? below(error, path) : error;
    }
  }
}

function keyOf(question: Question): string {
  if ('permission' in question) return question.permission;
  return 'type' in question
    ? `${question.type} ${comparable(question.properties)}`
    : `${question.constraint} ${comparable(question.value)}`;
}

function below(error: TemplateError, path: string): StackValidationFailedError {
  if (!(error instanceof StackValidationFailedError))
    return new StackValidationFailedError(error.message, path);
  const whole = error.path === '' ? path : `${path}.${error.path}`;
  return new StackValidationFailedError(error.text, whole, error.error);
}

/** Complete properties that are not null. */
function knownProperties(properties: Expression): JsonObject {
  const entries: readonly (readonly [string, Json])[] =
    properties.kind === 'map'
      ? Object.entries(properties.entries).flatMap(([name, one]) =>
          one.kind === 'value' ? [[name, one.value] as const] : [],
        )
      : properties.kind === 'value' && isMap(properties.value)
        ? Object.entries(properties.value)
        : [];
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

function knownValue(expression: Expression): Json {
  return expression.kind === 'value' ? expression.value : {};
}
