/** The base of Neutron's types. Public source: Networking API reference. */
import type { JsonObject } from '../../json/json.js';
import { map } from '../declare.js';
import { isGiven, mapIn, textsIn, type Fields } from '../property-values.js';
import type { Change, ExistingScope } from '../resource-type.js';
import type { RestApi, RestStates } from '../rest-resource.js';
import { part, type ServiceCalls } from '../service-calls.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';

/** @param plural in the path; by default derived from the entity */
export function networkApi(entity: string, plural = `${entity}s`): RestApi {
  return { service: 'network', collection: `/v2.0/${plural}`, entity };
}

export const BUILT: RestStates = {
  field: 'status',
  ready: ['ACTIVE', 'DOWN'],
  failed: ['ERROR', 'DEGRADED'],
};

export const VALUE_SPECS = map(
  'Further fields of the request, for extensions that have no property here.',
  { default: {}, updatable: true },
);

/** `value_specs` must not repeat a property. @throws PropertyError */
export function checkSpecs(properties: Properties): void {
  const taken = Object.keys(mapIn(properties, 'value_specs') ?? {}).filter(
    (name) => ['shared', 'tenant_id'].includes(name) || Object.hasOwn(properties, name),
  );
  if (taken.length > 0)
    throw new PropertyError('value_specs', `${taken.join(', ')} not allowed in value_specs`);
}

/** Attributes that only administrators may send, even as false. */
export function onlyIfTrue(properties: Properties, ...names: readonly string[]): Fields {
  return Object.fromEntries(
    names.map((name) => [name, properties[name] === true ? true : undefined]),
  );
}

/** Tags have a path of their own. */
export function changesTags(plural: string) {
  return async (scope: ExistingScope, { changed }: Change, calls: ServiceCalls): Promise<void> => {
    if (!changed.has('tags')) return;
    const tags = textsIn(scope.properties, 'tags') ?? [];
    await calls.put(`/v2.0/${plural}/${part(scope.row.physicalId)}/tags`, { tags });
  };
}

/** At most one of these may be given. @throws PropertyError */
export function checkApart(properties: Properties, ...names: readonly [string, string]): void {
  const [one, other] = names;
  if (isGiven(properties, one) && isGiven(properties, other))
    throw new PropertyError(
      one,
      `Cannot define the following properties at the same time: ${one}, ${other}.`,
    );
}

/** At least one of these must be given. @throws PropertyError */
export function checkSome(properties: Properties, ...names: readonly [string, ...string[]]): void {
  if (!names.some((name) => isGiven(properties, name)))
    throw new PropertyError(
      names[0],
      `At least one of the following properties must be specified: ${names.join(', ')}.`,
    );
}

export function fixedIpOf({ subnet, ip_address }: JsonObject): JsonObject {
  return {
    ...(typeof subnet === 'string' ? { subnet_id: subnet } : {}),
    ...(typeof ip_address === 'string' ? { ip_address } : {}),
  };
}

const UUID = /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i;

/** Finds an ID by name or ID. @throws PropertyError if there is none, or several */
export async function idByName(
  calls: ServiceCalls,
  { plural, key }: { readonly plural: string; readonly key: string },
  name: string,
  property: string,
): Promise<string> {
  if (UUID.test(name)) return name;
  const { [key]: found } = await calls.get(`/v2.0/${plural}`, { name });
  const ids = (Array.isArray(found) ? (found as readonly JsonObject[]) : []).map(({ id }) => id);
  const [id] = ids;
  if (ids.length === 1 && typeof id === 'string') return id;
  const count = ids.length === 0 ? 'No' : 'More than one';
  throw new PropertyError(property, `${count} ${key.replace(/s$/, '')} has the name ${name}.`);
}
