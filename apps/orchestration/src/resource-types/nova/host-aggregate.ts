import type { JsonObject } from '../../json/json.js';
import { custom, listOf, map, text } from '../declare.js';
import { asObject, asText, mapIn, textsIn } from '../property-values.js';
import type { ExistingScope, ResourceType } from '../resource-type.js';
import { restResource } from '../rest-resource.js';
import { part, type ServiceCalls } from '../service-calls.js';
import { computeCalls, computeOptions } from './nova-calls.js';

const COLLECTION = '/v2.1/os-aggregates';

const plain = restResource({
  name: 'OS::Nova::HostAggregate',
  description: 'Hosts that have something in common; for administrators.',
  support: { status: 'SUPPORTED', version: '6.0.0' },
  api: {
    service: 'compute',
    collection: COLLECTION,
    entity: 'aggregate',
    options: computeOptions(),
  },
  properties: {
    name: text('The name of the aggregate.', { required: true, updatable: true }),
    availability_zone: text('The availability zone that it makes.', { updatable: true }),
    hosts: listOf(text('A host.', { constraints: [custom('nova.host')] }), 'The hosts.', {
      updatable: true,
    }),
    metadata: map('What its hosts have in common.', { updatable: true, default: {} }),
  },
  attributes: {},
  fields: { hosts: null, metadata: null },
  complete: settle,
  change: {
    method: 'PUT',
    async aside(scope, { changed }, calls) {
      if (changed.has('hosts') || changed.has('metadata')) await settle(scope, calls);
    },
  },
});

export const hostAggregate: ResourceType = {
  ...plain,
  /** An aggregate with hosts cannot be deleted. */
  async remove(scope) {
    const calls = computeCalls(scope);
    const { hosts } = (await find(scope, calls)) ?? {};
    for (const host of hosts ?? []) await change(scope, calls, { remove_host: { host } });
    await plain.remove(scope);
  },
};

async function settle(scope: ExistingScope, calls: ServiceCalls): Promise<void> {
  const shown = await find(scope, calls);
  if (!shown) return;
  const hosts = textsIn(scope.properties, 'hosts') ?? [];
  for (const host of hosts.filter((one) => !shown.hosts.includes(one)))
    await change(scope, calls, { add_host: { host } });
  for (const host of shown.hosts.filter((one) => !hosts.includes(one)))
    await change(scope, calls, { remove_host: { host } });
  const metadata = metadataOf(scope, shown.metadata);
  if (Object.keys(metadata).length > 0) await change(scope, calls, { set_metadata: { metadata } });
}

/** Null removes a key. The zone is shown as metadata, but set as a field. */
function metadataOf({ properties }: ExistingScope, shown: JsonObject): JsonObject {
  const wanted = mapIn(properties, 'metadata') ?? {};
  const gone = Object.keys(shown).filter(
    (key) => key !== 'availability_zone' && !Object.hasOwn(wanted, key),
  );
  const set = Object.entries(wanted).map(([key, value]) => [key, asText(value)]);
  return Object.fromEntries([...gone.map((key) => [key, null]), ...set]) as JsonObject;
}

interface Shown {
  readonly hosts: readonly string[];
  readonly metadata: JsonObject;
}

async function find(scope: ExistingScope, calls: ServiceCalls): Promise<Shown | undefined> {
  const answer = await calls.find(`${COLLECTION}/${part(scope.row.physicalId)}`);
  const aggregate = asObject(answer?.['aggregate']);
  return (
    aggregate && {
      hosts: textsIn(aggregate, 'hosts') ?? [],
      metadata: mapIn(aggregate, 'metadata') ?? {},
    }
  );
}

async function change(
  { row }: ExistingScope,
  calls: ServiceCalls,
  action: JsonObject,
): Promise<void> {
  await calls.act(`${COLLECTION}/${part(row.physicalId)}/action`, action);
}
