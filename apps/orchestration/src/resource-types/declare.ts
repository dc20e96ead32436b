/**
 * How a page of a type says what its properties are: one call for each.
 *
 * Always holds: what is written here is plain data, so that a type can be shown as well as checked.
 */
import type { Json } from '../json/json.js';
import type {
  AttributeSchema,
  Constraint,
  PropertySchema,
  PropertyType,
  SupportStatus,
} from '../constraints/property-schema.js';

/** What a property may say besides its type and text. */
export interface PropertyOptions {
  readonly required?: true;
  readonly default?: Json;
  readonly updatable?: true;
  readonly immutable?: true;
  readonly constraints?: readonly Constraint[];
  /** Why nothing here carries it out, as the end of "is not offered: …". */
  readonly notOffered?: string;
  /** Of Heat, which had it first. */
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

/** A map of any keys. */
export function map(description: string, options?: PropertyOptions): PropertySchema {
  return property('map', description, options);
}

/** A map of these keys. */
export function mapOf(
  schema: Schemas,
  description: string,
  options?: PropertyOptions,
): PropertySchema {
  return { ...property('map', description, options), schema };
}

/** A list of anything. */
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

/** A name or id of something that a service has; a type sees its id. */
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

/** An older name of another property, which schemas no longer show. */
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

/** Of a property that changes in place. */
export const UPDATABLE = { updatable: true } as const;

/** Words that a resource is found by. */
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
