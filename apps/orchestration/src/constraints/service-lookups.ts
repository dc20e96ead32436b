/**
 * Resolves the names and IDs in templates in the services that own them.
 *
 * Always holds: each one is requested once, and an ambiguous name is refused. Make a new one for each
 * request and each step of a resource's work, because results go stale.
 */
import type { Actor } from '@cumulet/clients/http/actor';
import type { ServiceClient } from '@cumulet/clients/http/service-client';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import { isUuid } from '@cumulet/common/context/ids';
import { invalid } from '@cumulet/common/errors/domain-error';
import { stringifyExact } from '../json/exact-json.js';
import { isList, isMap, type Json, type JsonObject } from '../json/json.js';
import { textOf } from '../json/texts.js';
import type { Services } from '../sister-services.js';
import type { Properties, PropertySchema, PropertySchemas } from './property-schema.js';
import { PropertyError } from './property.errors.js';
import { SERVICE_CONSTRAINTS, type ServiceConstraint } from './service-constraints.js';

/** A value is not found, or its name is ambiguous. */
export class LookupError extends invalid((message: string) => message) {}

export interface LookupScope {
  readonly services: Services;
  readonly actor: Actor;
  readonly projectId: string;
}

type Item = Readonly<Record<string, unknown>>;

export class ServiceLookups {
  readonly #found = new Map<string, Promise<string>>();

  constructor(private readonly scope: LookupScope) {}

  /**
   * @param constraint a key of SERVICE_CONSTRAINTS, such as `neutron.network`
   * @param value an ID or a name
   * @returns the ID, or the constraint's own reference
   * @throws LookupError
   * @throws ServiceUnavailableError
   */
  find(constraint: string, value: string): Promise<string> {
    const key = stringifyExact([constraint, value]);
    const known = this.#found.get(key);
    if (known) return known;
    const asked = this.#ask(constraint, value);
    this.#found.set(key, asked);
    return asked;
  }

  async #ask(name: string, value: string): Promise<string> {
    const constraint = SERVICE_CONSTRAINTS[name];
    if (!constraint) throw new Error(`no service answers for ${name}`);
    if (value === '' && constraint.isEmptyGood) return value;
    try {
      const found = value === '' ? undefined : await this.#one(constraint, value);
      const reference = found?.[constraint.reference ?? 'id'];
      if (typeof reference === 'string' || typeof reference === 'number') return String(reference);
    } catch (error) {
      if (error instanceof ServiceRefusedError && error.status < 500)
        throw new LookupError(error.serviceMessage ?? error.message);
      throw error;
    }
    throw new LookupError(`The ${constraint.entity} (${value}) could not be found.`);
  }

  async #one(constraint: ServiceConstraint, value: string): Promise<Item | undefined> {
    // A secret is referred to by a URL that ends with its ID.
    const id = constraint.service === 'secrets' ? (value.split('/').at(-1) ?? '') : value;
    const isId = constraint.byId === 'any' || (constraint.byId === 'uuids' && isUuid(id));
    const found = isId ? await this.#byId(constraint, id) : undefined;
    return found ?? (constraint.byName ? this.#byName(constraint, value) : undefined);
  }

  async #byId(constraint: ServiceConstraint, id: string): Promise<Item | undefined> {
    const path = `${constraint.path}/${encodeURIComponent(id)}`;
    try {
      const answer = await this.#client(constraint).find({ actor: this.scope.actor, path });
      const body = answer?.body as Item | undefined;
      return constraint.wrapper === undefined
        ? body
        : (body?.[constraint.wrapper] as Item | undefined);
    } catch (error) {
      // A value that is not a valid ID, or may not be read by ID, may be a name.
      const isOther = error instanceof ServiceRefusedError && [400, 403].includes(error.status);
      if (isOther && constraint.byName) return undefined;
      throw error;
    }
  }

  async #byName(constraint: ServiceConstraint, value: string): Promise<Item | undefined> {
    const { byName, path } = constraint;
    if (!byName) return undefined;
    const [, plain = value, domain] = byName.inDomains
      ? (/^(.+)\{([^{}]+)\}$/s.exec(value) ?? [])
      : [];
    const query = {
      name: byName.isFiltered ? plain : undefined,
      project_id: byName.ofProject ? this.scope.projectId : undefined,
      domain_id: domain === undefined ? undefined : await this.find('keystone.domain', domain),
    };
    const { body } = await this.#client(constraint).send({ actor: this.scope.actor, path, query });
    const items = ((body as Item)[byName.wrapper] ?? []) as readonly Item[];
    const key = constraint.byId === 'never' ? (constraint.reference ?? 'name') : 'name';
    const found = items.filter((one) => one[key] === plain);
    if (found.length > 1)
      throw new LookupError(`Multiple physical resources were found with name (${plain}).`);
    return found[0];
  }

  #client({ service, entity }: ServiceConstraint): ServiceClient {
    const client = (this.scope.services as Partial<Services>)[service];
    if (client) return client;
    throw new LookupError(`This cloud has no service that has a ${entity}.`);
  }
}

/**
 * Replaces names in properties by IDs where the schema asks for IDs.
 *
 * @param properties from `resolveProperties`
 * @throws PropertyError for a name that is not found or ambiguous
 * @throws ServiceUnavailableError
 */
export function resolveNames(
  schemas: PropertySchemas,
  properties: Properties,
  lookups: Pick<ServiceLookups, 'find'>,
): Promise<Properties> {
  return namesOfMap(schemas, properties, '', lookups);
}

async function namesOfMap(
  schemas: PropertySchemas,
  map: JsonObject,
  path: string,
  lookups: Pick<ServiceLookups, 'find'>,
): Promise<JsonObject> {
  const resolved = Object.entries(map).map(async ([name, value]): Promise<[string, Json]> => {
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    const at = path === '' ? name : `${path}.${name}`;
    return [name, schema ? await namesOf(schema, value, at, lookups) : value];
  });
  return Object.fromEntries(await Promise.all(resolved));
}

async function namesOf(
  schema: PropertySchema,
  value: Json,
  path: string,
  lookups: Pick<ServiceLookups, 'find'>,
): Promise<Json> {
  if (value === null || value === '') return value;
  const constraint = schema.translation?.resolves;
  const item = constraint === undefined ? schema.schema?.['*'] : schema;
  if (isList(value) && item)
    return Promise.all(value.map((one, at) => namesOf(item, one, `${path}[${at}]`, lookups)));
  if (isMap(value) && schema.schema) return namesOfMap(schema.schema, value, path, lookups);
  if (constraint === undefined) return value;
  try {
    return await lookups.find(constraint, textOf(value));
  } catch (error) {
    throw error instanceof LookupError ? new PropertyError(path, error.message) : error;
  }
}
