/**
 * Declares a plain resource of a REST API as a resource type.
 *
 * Always holds: a request is a pure function of the properties. An update sends the fields in which the
 * requests for the old and the new properties differ, so that creation and update cannot diverge.
 */
import { isList, type Json, type JsonObject } from '../json/json.js';
import { isNumeric } from '../json/numbers.js';
import { isSame } from '../json/same-json.js';
import type { AttributeSchema, Properties } from '../constraints/property-schema.js';
import { asText, mapIn, withoutGaps, type Fields } from './property-values.js';
import { ResourceInErrorError } from './resource-type.errors.js';
import type { Change, ExistingScope, ResourceScope, ResourceType } from './resource-type.js';
import { entityIn, idIn, part, ServiceCalls, type CallOptions } from './service-calls.js';
import { PropertyError } from '../constraints/property.errors.js';
import type { ServiceName } from '../sister-services.js';

type Declared =
  | 'name'
  | 'description'
  | 'support'
  | 'properties'
  | 'validate'
  | 'implicitRequires'
  | 'referenceOf';

export interface RestDeclaration extends Pick<ResourceType, Declared> {
  readonly api: RestApi;
  readonly attributes: Readonly<Record<string, RestAttribute>>;
  /**
   * The names of properties in requests, where they differ; null for a property that is not sent. A map
   * `value_specs` adds fields, and empty `tags` are not sent. Null if `body` gives all fields.
   */
  readonly fields?: Readonly<Record<string, string | null>> | null;
  /** Computed fields; undefined ones are left out. */
  readonly body?: (properties: Properties, scope: ResourceScope) => Fields;
  readonly nameLength?: number;
  /** Absent if every change is a replacement. */
  readonly change?: RestChange;
  /** Absent if it exists as soon as it is created. */
  readonly states?: RestStates;
  /** Whether the request only begins the deletion, so that it is polled until it is gone. */
  readonly deletesAsynchronously?: true;
  /** Completes the creation; repeatable. */
  readonly complete?: (scope: ExistingScope, calls: ServiceCalls) => Promise<void>;
}

export interface RestApi {
  readonly service: ServiceName;
  /** Such as `/v2.0/networks`; parts of another resource have its ID in the path. */
  readonly collection: string | ((properties: Properties) => string);
  /** The key in bodies; null for a body without one. */
  readonly entity: string | null;
  /** The field with the physical ID; `id` by default. */
  readonly id?: string;
  /** The part of the physical ID that paths contain; by default all of it. */
  readonly segmentOf?: (physicalId: string) => string;
  readonly options?: CallOptions;
}

export interface RestChange {
  readonly method: 'PUT' | 'PATCH';
  /** Fields that updates do not send. */
  readonly createOnly?: readonly string[];
  /** Properties that the service cannot change, though Heat allows it: refused by name. */
  readonly fixed?: readonly string[];
  /** Values of omitted fields; null by default. */
  readonly cleared?: JsonObject;
  /** Fields that keep their value when they are omitted. */
  readonly retained?: readonly string[];
  /** Changes that have requests of their own, such as tags. Repeatable. */
  aside?(scope: ExistingScope, change: Change, calls: ServiceCalls): Promise<void>;
}

export interface RestStates {
  readonly field: string;
  readonly ready: readonly string[];
  readonly failed: readonly string[];
  /** Statuses that count as deleted. */
  readonly gone?: readonly string[];
  reason?(shown: JsonObject): string;
}

export interface RestAttribute extends AttributeSchema {
  /** The field, if it is not the attribute's name. */
  readonly from?: string | AttributeReader;
}

export type AttributeReader = (
  shown: JsonObject,
  scope: ExistingScope,
  calls: ServiceCalls,
) => JsonValue | Promise<JsonValue>;

type JsonValue = JsonObject[string] | undefined;

export function restResource(declared: RestDeclaration): ResourceType {
  const {
    api,
    attributes,
    fields: _,
    body: __,
    change,
    states,
    deletesAsynchronously,
    ...own
  } = declared;
  const { complete, nameLength: ___, ...texts } = own;
  const { segmentOf = (id: string) => id } = api;
  const calls = (scope: ResourceScope): ServiceCalls =>
    new ServiceCalls(scope, api.service, api.options);
  const collection = ({ properties }: ResourceScope): string =>
    typeof api.collection === 'string' ? api.collection : api.collection(properties);
  const path = (scope: ExistingScope): string =>
    `${collection(scope)}/${part(segmentOf(scope.row.physicalId))}`;
  const wrapped = (fields: JsonObject): JsonObject =>
    api.entity === null ? fields : { [api.entity]: fields };

  const find = async (scope: ExistingScope): Promise<JsonObject | undefined> => {
    const answer = await calls(scope).find(path(scope));
    return answer && entityIn(answer, api.entity);
  };

  const isReady = async (scope: ExistingScope): Promise<boolean> => {
    if (!states) return true;
    const shown = await find(scope);
    if (!shown) throw new ResourceInErrorError('DELETED', 'It is gone.');
    const state = asText(shown[states.field]);
    if (states.failed.includes(state))
      throw new ResourceInErrorError(state, states.reason?.(shown) ?? 'Unknown');
    return states.ready.includes(state);
  };

  return {
    ...texts,
    attributes,

    async create(scope) {
      const fields = withoutGaps(requestOf(declared, scope.properties, scope));
      const answer = await calls(scope).create(collection(scope), wrapped(fields));
      return { physicalId: idIn(entityIn(answer, api.entity), api.id) };
    },

    async isCreated(scope) {
      if (!(await isReady(scope))) return false;
      await complete?.(scope, calls(scope));
      return true;
    },

    ...(change && {
      async update(scope: ExistingScope, changed: Change) {
        checkFixed(change, changed);
        const fields = changedFields(
          requestOf(declared, changed.before, scope),
          requestOf(declared, scope.properties, scope),
          change,
        );
        const method = change.method === 'PUT' ? 'put' : 'patch';
        if (Object.keys(fields).length > 0)
          await calls(scope)[method](path(scope), wrapped(fields));
        await change.aside?.(scope, changed, calls(scope));
        return {};
      },
      isUpdated: isReady,
      async drifted(scope: ExistingScope) {
        const shown = await find(scope);
        return shown && driftedIn(shown, declared, scope);
      },
    }),

    async remove(scope) {
      await calls(scope).remove(path(scope));
    },

    ...(deletesAsynchronously && {
      async isRemoved(scope: ExistingScope) {
        const shown = await find(scope);
        if (!shown || !states) return !shown;
        const state = asText(shown[states.field]);
        if (states.gone?.includes(state)) return true;
        if (states.failed.includes(state))
          throw new ResourceInErrorError(state, states.reason?.(shown) ?? 'Unknown');
        return false;
      },
    }),

    read: find,

    async attributesOf(scope, names) {
      const shown = await find(scope);
      if (!shown) return {};
      const values: Record<string, JsonObject[string]> = {};
      for (const name of names) {
        const from = attributes[name]?.from ?? name;
        const value =
          typeof from === 'string' ? shown[from] : await from(shown, scope, calls(scope));
        values[name] = value ?? null;
      }
      return values;
    },
  };
}

function requestOf(
  { properties: schemas, fields = {}, body, nameLength }: RestDeclaration,
  properties: Properties,
  scope: ResourceScope,
): Fields {
  const sent: Record<string, Json> = {};
  if (fields) {
    Object.assign(sent, mapIn(properties, 'value_specs'));
    for (const [name, { translation }] of Object.entries(schemas)) {
      const field = Object.hasOwn(fields, name) ? fields[name] : name;
      const value = name === 'name' ? nameOf(properties, scope, nameLength) : properties[name];
      const isEmpty = name === 'tags' && isList(value) && value.length === 0;
      const isSent = name !== 'value_specs' && translation?.replacedBy === undefined && !isEmpty;
      if (typeof field === 'string' && value !== undefined && value !== null && isSent)
        sent[field] = value;
    }
  }
  return { ...sent, ...body?.(properties, scope) };
}

function checkFixed({ fixed = [] }: RestChange, { changed }: Change): void {
  const name = fixed.find((one) => changed.has(one));
  if (name !== undefined)
    throw new PropertyError(
      name,
      `Property ${name} cannot be changed: the service takes it only when the resource is made.`,
    );
}

function changedFields(before: Fields, after: Fields, change: RestChange): JsonObject {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const fields: Record<string, JsonObject[string]> = {};
  for (const name of names) {
    const isLeft = after[name] === undefined && change.retained?.includes(name);
    if (isLeft || change.createOnly?.includes(name) || isSame(before[name], after[name])) continue;
    fields[name] = after[name] ?? change.cleared?.[name] ?? null;
  }
  return fields;
}

/**
 * Compares the properties that are sent under their own names; others may have another form in answers.
 */
function driftedIn(shown: JsonObject, declared: RestDeclaration, scope: ExistingScope): Properties {
  const { properties: schemas, change } = declared;
  const sent = requestOf(declared, scope.properties, scope);
  const drifted: Record<string, JsonObject[string]> = {};
  for (const [name, { updatable }] of Object.entries(schemas)) {
    const [is, was] = [shown[name], sent[name]];
    if (updatable !== true || change?.createOnly?.includes(name)) continue;
    if (is === undefined || was === undefined || !isOtherValue(is, was)) continue;
    const asIs = requestOf(declared, { ...scope.properties, [name]: is }, scope)[name];
    if (isSame(asIs, is)) drifted[name] = is;
  }
  return drifted;
}

/** Lists are compared regardless of order. */
function isOtherValue(one: JsonObject[string], other: JsonObject[string]): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    const [here, there] = [new Set<unknown>(one), new Set<unknown>(other)];
    const isPlain = [...here, ...there].every((item) => typeof item !== 'object');
    return isPlain && (here.size !== there.size || [...here].some((item) => !there.has(item)));
  }
  if (isNumeric(one) && isNumeric(other)) return !isSame(one, other);
  return typeof one === typeof other && typeof one !== 'object' && one !== other;
}

/** The given name, or one from the names of stack and resource. */
export function nameOf(properties: Properties, scope: ResourceScope, max?: number): string {
  const { name } = properties;
  return typeof name === 'string' && name !== '' ? name : scope.physicalName(max);
}
