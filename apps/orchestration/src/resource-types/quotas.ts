/**
 * A project's quotas in a service as a resource: set while the stack exists, the defaults afterwards.
 */
import type { PropertySchemas, SupportStatus } from '../constraints/property-schema.js';
import { PropertyError } from '../constraints/property.errors.js';
import type { JsonObject } from '../json/json.js';
import type { ServiceName } from '../sister-services.js';
import { integer, named, range } from './declare.js';
import { computeOptions } from './nova/nova-calls.js';
import { asObject, given, isGiven, textIn, withoutGaps } from './property-values.js';
import type { ResourceScope, ResourceType } from './resource-type.js';
import { part, ServiceCalls, type CallOptions } from './service-calls.js';

export interface QuotaDeclaration {
  readonly name: string;
  /** Heat's release. */
  readonly since?: string;
  readonly service: ServiceName;
  readonly collection: string;
  readonly entity: string;
  readonly limits: Readonly<Record<string, QuotaLimit>>;
  readonly options?: CallOptions;
}

export interface QuotaLimit {
  readonly about: string;
  readonly since?: string;
  readonly support?: SupportStatus;
}

export function quotaType(declared: QuotaDeclaration): ResourceType {
  const { name, since = '8.0.0', service, collection, entity, limits, options } = declared;
  const names = Object.keys(limits);
  const path = ({ properties }: ResourceScope): string =>
    `${collection}/${part(textIn(properties, 'project') ?? '')}`;
  const calls = (scope: ResourceScope): ServiceCalls => new ServiceCalls(scope, service, options);

  const set = async (scope: ResourceScope): Promise<void> => {
    const body: JsonObject = withoutGaps(given(scope.properties, ...names));
    await calls(scope).put(path(scope), { [entity]: body });
  };

  return {
    name,
    description: 'How much of each thing a project may have; for administrators.',
    support: { status: 'SUPPORTED', version: since },
    properties: {
      project: named('keystone.project', 'The project.', { required: true }),
      ...limitProperties(limits),
    },
    attributes: {},
    validate(properties) {
      if (!names.some((limit) => isGiven(properties, limit)))
        throw new PropertyError(
          'project',
          `At least one of the following properties must be specified: ${[...names].sort().join(', ')}.`,
        );
    },
    async create(scope) {
      await set(scope);
      return { physicalId: scope.physicalName() };
    },
    async update(scope) {
      // An omitted limit returns to its default.
      await calls(scope).remove(path(scope));
      await set(scope);
      return {};
    },
    remove: (scope) => calls(scope).remove(path(scope)),
    async read(scope) {
      return asObject((await calls(scope).find(path(scope)))?.[entity]);
    },
  };
}

function limitProperties(limits: QuotaDeclaration['limits']): PropertySchemas {
  return Object.fromEntries(
    Object.entries(limits).map(([name, { about, ...more }]) => [
      name,
      integer(`${about} that the project may have; -1 is without limit.`, {
        constraints: [range(-1)],
        updatable: true,
        ...more,
      }),
    ]),
  );
}

export const networkQuota = quotaType({
  name: 'OS::Neutron::Quota',
  service: 'network',
  collection: '/v2.0/quotas',
  entity: 'quota',
  limits: {
    subnet: { about: 'Subnets' },
    network: { about: 'Networks' },
    floatingip: { about: 'Floating IPs' },
    security_group_rule: { about: 'Rules of security groups' },
    security_group: { about: 'Security groups' },
    router: { about: 'Routers' },
    port: { about: 'Ports' },
    subnetpool: { about: 'Subnet pools', since: '12.0.0' },
    rbac_policy: { about: 'RBAC policies', since: '12.0.0' },
  },
});

const INJECTED = {
  status: 'DEPRECATED',
  version: '14.0.0',
  message: 'Compute no longer puts files into servers.',
} as const;

export const computeQuota = quotaType({
  name: 'OS::Nova::Quota',
  service: 'compute',
  collection: '/v2.1/os-quota-sets',
  entity: 'quota_set',
  // The last version with limits of other services' resources.
  options: computeOptions('2.35'),
  limits: {
    cores: { about: 'Processors' },
    fixed_ips: { about: 'Fixed IPs' },
    floating_ips: { about: 'Floating IPs' },
    instances: { about: 'Servers' },
    injected_files: { about: 'Files that are put into a server', support: INJECTED },
    injected_file_content_bytes: { about: 'Bytes of such a file', support: INJECTED },
    injected_file_path_bytes: { about: "Bytes of such a file's path", support: INJECTED },
    key_pairs: { about: 'Key pairs' },
    metadata_items: { about: 'Metadata of a server' },
    ram: { about: 'MiB of memory' },
    security_groups: { about: 'Security groups' },
    security_group_rules: { about: 'Rules of security groups' },
    server_groups: { about: 'Server groups' },
    server_group_members: { about: 'Servers of a server group' },
  },
});

export const balancerQuota = quotaType({
  name: 'OS::Octavia::Quota',
  since: '14.0.0',
  service: 'loadBalancer',
  collection: '/v2.0/lbaas/quotas',
  entity: 'quota',
  limits: {
    healthmonitor: { about: 'Health monitors' },
    listener: { about: 'Listeners' },
    loadbalancer: { about: 'Load balancers' },
    pool: { about: 'Pools' },
    member: { about: 'Members of pools' },
  },
});
