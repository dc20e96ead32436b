import type { JsonObject } from '../../json/json.js';
import { attribute, decimal, flag, integer, listOf, map, named, text } from '../declare.js';
import { asObject, asObjects, asText, flagIn, mapIn, textsIn } from '../property-values.js';
import type { ExistingScope } from '../resource-type.js';
import { restResource } from '../rest-resource.js';
import { part, type ServiceCalls } from '../service-calls.js';
import { computeOptions } from './nova-calls.js';

export const flavor = restResource({
  name: 'OS::Nova::Flavor',
  description: 'A size that servers may have; for administrators.',
  support: { status: 'SUPPORTED', version: '2014.2' },
  api: {
    service: 'compute',
    collection: '/v2.1/flavors',
    entity: 'flavor',
    options: computeOptions(),
  },
  properties: {
    tenants: listOf(named('keystone.project', 'A project.'), 'Projects that may use it.', {
      updatable: true,
      default: [],
      since: '8.0.0',
    }),
    flavorid: text('Its id; by default one is made.', { since: '7.0.0' }),
    name: text('Its name.', { since: '7.0.0' }),
    ram: integer('MiB of memory.', { required: true }),
    vcpus: integer('Processors.', { required: true }),
    disk: integer('GiB of the disk of the image; 0 for as large as that is.', { default: 0 }),
    swap: integer('MiB of swap.', { default: 0 }),
    ephemeral: integer('GiB of an empty disk.', { default: 0 }),
    rxtx_factor: decimal('How much of the network it gets, where a cloud tells apart.', {
      default: 1,
    }),
    extra_specs: map('What else is said of it.', { updatable: true }),
    is_public: flag('Whether all projects may use it.', { default: true, since: '6.0.0' }),
  },
  attributes: {
    is_public: {
      ...attribute('boolean', 'Whether all projects may use it.', '6.0.0'),
      from: 'os-flavor-access:is_public',
    },
    extra_specs: {
      ...attribute('map', 'What else is said of it.', '7.0.0'),
      from: async (_, { row }, calls) => specsOf(calls, row.physicalId),
    },
  },
  fields: {
    ephemeral: 'OS-FLV-EXT-DATA:ephemeral',
    is_public: 'os-flavor-access:is_public',
    extra_specs: null,
    flavorid: null,
    tenants: null,
  },
  body: ({ flavorid: id = null }) => ({ id }),
  async complete(scope, calls) {
    await settleSpecs(scope, calls);
    await settleProjects(scope, calls);
  },
  change: {
    method: 'PUT',
    async aside(scope, { changed }, calls) {
      if (changed.has('extra_specs')) await settleSpecs(scope, calls);
      if (changed.has('tenants')) await settleProjects(scope, calls);
    },
  },
});

const pathOf = (id: string): string => `/v2.1/flavors/${part(id)}`;

async function specsOf(calls: ServiceCalls, id: string): Promise<JsonObject> {
  return asObject((await calls.get(`${pathOf(id)}/os-extra_specs`))['extra_specs']) ?? {};
}

async function settleSpecs({ row, properties }: ExistingScope, calls: ServiceCalls): Promise<void> {
  const wanted = mapIn(properties, 'extra_specs') ?? {};
  const path = `${pathOf(row.physicalId)}/os-extra_specs`;
  for (const key of Object.keys(await specsOf(calls, row.physicalId)))
    if (!Object.hasOwn(wanted, key)) await calls.remove(`${path}/${part(key)}`);
  if (Object.keys(wanted).length > 0) {
    const specs = Object.entries(wanted).map(([key, value]) => [key, asText(value)]);
    await calls.act(path, { extra_specs: Object.fromEntries(specs) as JsonObject });
  }
}

/** One that is not for all is at least for the project whose stack it is. */
async function settleProjects(scope: ExistingScope, calls: ServiceCalls): Promise<void> {
  const { properties, row, stack } = scope;
  if (flagIn(properties, 'is_public') !== false) return;
  const path = pathOf(row.physicalId);
  const named = textsIn(properties, 'tenants') ?? [];
  const wanted = named.length > 0 ? named : [stack.projectId];
  const { flavor_access: access } = await calls.get(`${path}/os-flavor-access`);
  const present = asObjects(access).map(({ tenant_id: id }) => asText(id));
  for (const tenant of present.filter((one) => !wanted.includes(one)))
    await calls.act(`${path}/action`, { removeTenantAccess: { tenant } });
  for (const tenant of wanted.filter((one) => !present.includes(one)))
    await calls.act(`${path}/action`, { addTenantAccess: { tenant } });
}
