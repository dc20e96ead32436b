/**
 * Declares the properties of resource types, one call for each.
 *
 * Always holds: declarations are plain data, by which a type is shown as well as checked.
 */
import type { Json } from '../json/json.js';
import type {
  AttributeSchema,
  Constraint,
  PropertySchema,
  PropertyType,
  SupportStatus,
} from '../constraints/property-schema.js';

export interface PropertyOptions {
  readonly required?: true;
  readonly default?: Json;
  readonly updatable?: true;
  readonly immutable?: true;
  readonly constraints?: readonly Constraint[];
  /** The end of "is not offered: …". */
  readonly notOffered?: string;
  /** Heat's release. */
  readonly since?: string;
  readonly support?: SupportStatus;
}

type Schemas = Readonly<Record<string, PropertySchema>>;

function property(
  type: PropertyType,
  description: string,
  { since, ...options }: PropertyOptions = {},
): PropertySchema {
  return { type, description, ...options, ...(since === undefined ? {} : { support: of(since) }) };
}

function of(version: string): SupportStatus {
  return { status: 'SUPPORTED', version };
}

export function text(description: string, options?: PropertyOptions): PropertySchema {
  return property('string', description, options);
}

export function integer(description: string, options?: PropertyOptions): PropertySchema {
  return property('integer', description, options);
}

export function decimal(description: string, options?: PropertyOptions): PropertySchema {
  return property('number', description, options);
}

export function flag(description: string, options?: PropertyOptions): PropertySchema {
  return property('boolean', description, options);
}

export function map(description: string, options?: PropertyOptions): PropertySchema {
  return property('map', description, options);
}

export function mapOf(
  schema: Schemas,
  description: string,
  options?: PropertyOptions,
): PropertySchema {
  return { ...property('map', description, options), schema };
}

export function list(description: string, options?: PropertyOptions): PropertySchema {
  return property('list', description, options);
}

export function listOf(
  item: PropertySchema,
  description: string,
  options?: PropertyOptions,
): PropertySchema {
  return { ...property('list', description, options), schema: { '*': item } };
}

/** A name or ID in a service; the type gets the ID. */
export function named(
  constraint: string,
  description: string,
  options: PropertyOptions = {},
): PropertySchema {
  const constraints = [custom(constraint), ...(options.constraints ?? [])];
  return {
    ...text(description, { ...options, constraints }),
    translation: { resolves: constraint },
  };
}

/** An older name of another property, which schemas do not show. */
export function olderName(
  replacedBy: string,
  version: string,
  constraint?: string,
): PropertySchema {
  const message = `Use property ${replacedBy}.`;
  return {
    ...text(`The older name of ${replacedBy}.`, {
      support: { status: 'HIDDEN', version, message },
      ...(constraint === undefined ? {} : { constraints: [custom(constraint)] }),
    }),
    translation: { replacedBy },
  };
}

export function custom(name: string): Constraint {
  return { kind: 'custom', name };
}

export function range(
  min?: number,
  max?: number,
): { readonly kind: 'range'; readonly min?: number; readonly max?: number } {
  return {
    kind: 'range',
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
  };
}

export function lengths(min?: number, max?: number): Constraint {
  return { ...range(min, max), kind: 'length' };
}

export function oneOf(...allowed: readonly Json[]): Constraint {
  return { kind: 'values', allowed };
}

export const UPDATABLE = { updatable: true } as const;

export function tags(what: string, since = '9.0.0'): PropertySchema {
  return listOf(text('A tag.'), `Tags of the ${what}.`, { updatable: true, since });
}

export function attribute(
  type: PropertyType,
  description: string,
  since?: string,
): AttributeSchema {
  return { description, type, ...(since === undefined ? {} : { support: of(since) }) };
}
