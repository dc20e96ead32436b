/**
 * Reads a request's body as a resource's attributes: `{"network": {…}}`, or several under the
 * plural. Errors are Neutron's, and precede any lookup. Public source: neutron, `api/v2/base.py`;
 * neutron-lib, `api/attributes.py`.
 */
import {
  isGiven,
  isNamed,
  type AnyAttributes,
  type Attribute,
  type ChangeBody,
  type NewBody,
} from './attribute.js';
import { HTTPBadRequestError, InvalidValueError } from './resource.errors.js';
import { attributesOf, type Resource } from './resource.js';
import { Refusal, shortened } from './value-type.js';

export interface NewBodies<A extends object> {
  readonly bodies: readonly NewBody<A>[];
  /** Whether they came as a list, and are answered as one. */
  readonly isBulk: boolean;
}

/** Unknown attributes named in a message. */
const MOST_UNKNOWN = 20;

/** Resources per request, which are created in one transaction. */
const MAX_BULK = 1000;

/** @throws HTTPBadRequestError naming the attribute */
export function readNew<A extends object>(resource: Resource<A>, body: unknown): NewBodies<A> {
  const { singular, plural } = resource;
  const given = asObject(body);
  // If singular and plural are equal, a list decides.
  const isBulk =
    Object.hasOwn(given, plural) && (plural !== singular || Array.isArray(given[plural]));
  if (!isBulk && !Object.hasOwn(given, singular)) throw notFoundIn(singular);
  const several = isBulk ? given[plural] : [given[singular]];
  if (!Array.isArray(several) || several.length === 0) throw notFoundIn(plural);
  if (several.length > MAX_BULK)
    throw new HTTPBadRequestError(`A request creates ${MAX_BULK} ${plural} at most`);
  const bodies = several.map((one: unknown) => {
    // Each of several may be wrapped, too.
    const inner = asObject(one);
    const isWrapped = isBulk && Object.hasOwn(inner, singular);
    return readAttributes(resource, isWrapped ? inner[singular] : inner);
  });
  return { bodies, isBulk };
}

/** Reads a single resource. @throws HTTPBadRequestError naming the attribute */
export function readOne<A extends object>(resource: Resource<A>, body: unknown): NewBody<A> {
  const given = asObject(body);
  const { singular } = resource;
  if (!Object.hasOwn(given, singular)) throw notFoundIn(singular);
  return readAttributes(resource, given[singular]);
}

/** @throws HTTPBadRequestError naming the attribute */
export function readChange<A extends object>(resource: Resource<A>, body: unknown): ChangeBody<A> {
  const { singular } = resource;
  const given = asObject(body);
  if (!Object.hasOwn(given, singular)) throw notFoundIn(singular);
  const named = withoutTwins(asObject(given[singular]));
  refuseUnknown(resource, named);
  const changes = attributesOf(resource).flatMap(([name, attribute, key]) => {
    if (named[name] === undefined) return [];
    if (!isGiven(attribute, 'after-creation'))
      throw new HTTPBadRequestError(`Cannot update read-only attribute ${name}`);
    return [[key, read(name, attribute, named[name])] as const];
  });
  return Object.fromEntries(changes) as ChangeBody<A>;
}

/**
 * The object under this name, which must be the only key, for services that require that; Neutron
 * does not. Public source: wsme, `rest/json.py`, fromjson.
 * @throws HTTPBadRequestError naming another key
 */
export function onlyUnder(name: string, body: unknown): object {
  const given = asObject(body);
  const [odd] = Object.keys(given).filter((one) => one !== name);
  if (odd === undefined) return given;
  throw new HTTPBadRequestError(`Unrecognized attribute(s) '${shortened(odd)}'`);
}

/**
 * Reads the attributes of a new resource.
 * @param path of a nested object in the body: `listeners[0].`
 * @throws HTTPBadRequestError naming the attribute
 */
export function readAttributes<A extends object>(
  resource: Pick<Resource<A>, 'attributes'>,
  value: unknown,
  path = '',
): NewBody<A> {
  const named = withoutTwins(asObject(value, path));
  refuseUnknown(resource, named, path);
  const values = attributesOf(resource).flatMap(([name, attribute, key]) => {
    const value = named[name];
    if (value === undefined) {
      if (attribute.required) throw missing(path + name);
      return attribute.default === undefined ? [] : [[key, attribute.default] as const];
    }
    if (!isGiven(attribute, 'at-creation'))
      throw new HTTPBadRequestError(`Attribute '${path}${name}' not allowed in POST`);
    return [[key, read(path + name, attribute, value)] as const];
  });
  return Object.fromEntries(values) as NewBody<A>;
}

function read(name: string, { type }: Attribute, value: unknown): unknown {
  try {
    return type.read(value, name);
  } catch (error) {
    throw error instanceof Refusal ? new InvalidValueError(name, error.message) : error;
  }
}

/** `tenant_id` is the former name of `project_id`; either is accepted. */
function withoutTwins(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { tenant_id: tenant, ...rest } = given;
  if (tenant === undefined) return given;
  if (rest['project_id'] !== undefined && rest['project_id'] !== tenant)
    throw new HTTPBadRequestError("'project_id' and 'tenant_id' do not match");
  return { ...rest, project_id: tenant };
}

function refuseUnknown(
  resource: Pick<Resource<object>, 'attributes'>,
  given: object,
  path = '',
): void {
  const attributes = resource.attributes as AnyAttributes;
  const unknown = Object.keys(given).filter((name) => !isNamed(attributes, name));
  if (unknown.length === 0) return;
  throw new HTTPBadRequestError(
    `Unrecognized attribute(s) '${shortened(
      unknown
        .slice(0, MOST_UNKNOWN)
        .map((name) => path + name)
        .join(', '),
    )}'`,
  );
}

function asObject(value: unknown, path = ''): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  if (path !== '')
    throw new InvalidValueError(path.slice(0, -1), `'${shortened(value)}' is not a dictionary`);
  throw new HTTPBadRequestError('Resource body required');
}

function notFoundIn(name: string): HTTPBadRequestError {
  return new HTTPBadRequestError(`Unable to find '${name}' in request body`);
}

function missing(name: string): HTTPBadRequestError {
  return new HTTPBadRequestError(
    `Failed to parse request. Required attribute '${name}' not specified`,
  );
}
