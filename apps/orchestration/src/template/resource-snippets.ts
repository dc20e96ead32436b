/**
 * The section of resources, without their implementations.
 *
 * Always holds: resources whose condition does not hold are left out after their form has been checked.
 */
import type { Expression } from './expression.js';
import type { ResourceKeys, TemplateFormat } from './formats/template-format.js';
import type { Reader } from './functions/template-function.js';
import { isList, isMap, kindOf, ownOf, type Json, type JsonObject } from '../json/json.js';
import type { DeletionPolicy, ResourceDefinition } from './read-template.js';
import { StackValidationFailedError } from './template.errors.js';

export type ResourceSnippet = Pick<
  ResourceDefinition,
  | 'name'
  | 'type'
  | 'description'
  | 'properties'
  | 'metadata'
  | 'deletionPolicy'
  | 'updatePolicy'
  | 'externalId'
> & {
  readonly dependsOn: readonly string[];
  readonly path: string;
};

/** @throws TemplateError naming the path of the fault */
export function readResources(
  section: JsonObject,
  format: TemplateFormat,
  reader: Reader,
): ReadonlyMap<string, ResourceSnippet> {
  const entries = Object.entries(section).flatMap(([name, value]): [string, ResourceSnippet][] => {
    const one = new SnippetOfResource(name, value, format, reader);
    return one.isEnabled() ? [[name, one.read()]] : [];
  });
  return new Map(entries);
}

class SnippetOfResource {
  private readonly path: string;
  private readonly keys: ResourceKeys;
  private readonly fields: JsonObject;
  private readonly type: string;

  constructor(
    private readonly name: string,
    value: Json,
    private readonly format: TemplateFormat,
    private readonly reader: Reader,
  ) {
    this.path = `${format.sections.resources}.${name}`;
    this.keys = format.resource;
    if (!isMap(value))
      throw this.wrong(
        `"${format.sections.resources}" must contain a map of resource maps. Found ${kindOf(value)} instead`,
      );
    this.fields = value;
    this.checkName();
    this.checkKeys();
    this.type = this.typeOf();
  }

  isEnabled(): boolean {
    const { condition } = this.keys;
    const value = condition === undefined ? undefined : ownOf(this.fields, condition);
    return value === undefined || this.reader.holds(value, `${this.path}.${condition ?? ''}`);
  }

  read(): ResourceSnippet {
    const { keys, name, path, type } = this;
    const externalId = this.externalId();
    return {
      name,
      type,
      path,
      externalId,
      description: this.description(),
      properties: this.map(keys.properties),
      metadata: this.map(keys.metadata),
      updatePolicy: this.map(keys.updatePolicy),
      dependsOn: this.dependsOn(),
      // An external resource is never deleted.
      deletionPolicy: externalId === undefined ? this.deletionPolicy() : 'Retain',
    };
  }

  private checkName(): void {
    const { name } = this;
    if (name === '' || name.length > 255 || name.includes('/'))
      throw this.wrong('Resource name must have 1 to 255 characters, and may not contain "/"');
  }

  private checkKeys(): void {
    const { ignored = [], ...keys } = this.keys;
    const known: readonly string[] = [...Object.values<string>(keys), ...ignored];
    const unknown = Object.keys(this.fields).find((key) => !known.includes(key));
    if (unknown !== undefined)
      throw this.wrong(`"${unknown}" is not a valid keyword inside a resource definition`);
  }

  private typeOf(): string {
    const type = ownOf(this.fields, this.keys.type) ?? null;
    if (type === null || type === '')
      throw this.wrong(`Each resource must contain a ${this.keys.type} key.`);
    if (typeof type !== 'string') throw this.typeError(this.keys.type, 'string');
    return type;
  }

  private map(key: string): Expression {
    const value = ownOf(this.fields, key);
    if (value === undefined) return { kind: 'value', value: {} };
    const read = this.reader.reduce(value, `${this.path}.${key}`);
    if (read.kind === 'list' || (read.kind === 'value' && !isMap(read.value)))
      throw this.typeError(key, 'object');
    return read;
  }

  private description(): string {
    const value = ownOf(this.fields, this.keys.description) ?? '';
    if (typeof value !== 'string') throw this.typeError(this.keys.description, 'string');
    return value;
  }

  private dependsOn(): readonly string[] {
    const key = this.keys.dependsOn;
    const value = ownOf(this.fields, key);
    const names = typeof value === 'string' ? [value] : (value ?? (value === null ? null : []));
    if (!isList(names)) throw this.typeError(key, 'list or string');
    if (!names.every((name) => typeof name === 'string'))
      throw this.wrong(`Resource ${this.name} ${key} must be a list of strings`, key);
    return names;
  }

  private deletionPolicy(): DeletionPolicy {
    const key = this.keys.deletionPolicy;
    const value = ownOf(this.fields, key);
    if (value === undefined) return 'Delete';
    const read = this.reader.reduce(value, `${this.path}.${key}`);
    if (read.kind !== 'value' || typeof read.value !== 'string')
      throw this.typeError(key, 'string');
    const policy = ownOf(this.format.deletionPolicies, read.value);
    if (policy === undefined) throw this.wrong(`Invalid deletion policy "${read.value}"`, key);
    return policy;
  }

  private externalId(): Expression | undefined {
    const key = this.keys.externalId;
    const value = key === undefined ? undefined : ownOf(this.fields, key);
    if (key === undefined || value === undefined) return undefined;
    const read = this.reader.reduce(value, `${this.path}.${key}`);
    const isMissing = read.kind === 'call' && this.reader.scope.missingParameters.size > 0;
    if (!isMissing && (read.kind !== 'value' || typeof read.value !== 'string'))
      throw this.typeError(key, 'string that is known before anything is made');
    return read;
  }

  private typeError(key: string, type: string): StackValidationFailedError {
    return this.wrong(`Resource ${this.name} ${key} type must be ${type}`, key);
  }

  private wrong(text: string, key?: string): StackValidationFailedError {
    return new StackValidationFailedError(
      text,
      key === undefined ? this.path : `${this.path}.${key}`,
    );
  }
}
