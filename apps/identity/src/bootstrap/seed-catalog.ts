/**
 * Services and endpoints that come from settings.
 *
 * Always holds: an endpoint whose setting has not changed is left as it is, so that a URL that was
 * changed since stays, until the setting changes too; what no setting names any more goes, and so
 * does its service once it has no endpoint left.
 */
import { createHash } from 'node:crypto';
import { asId, type Id } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { IdentityConfig } from '../config.js';
import { INTERFACES } from '../endpoints/endpoint.entity.js';
import { EndpointRepository, type SettingEndpoint } from '../endpoints/endpoint.repository.js';
import { ensureRegion } from '../regions/regions.service.js';
import type { Service } from '../services/service.entity.js';
import { ServiceRepository } from '../services/service.repository.js';

interface SeedService {
  readonly type: string;
  /** The matching OpenStack project, as clients show it. */
  readonly name: string;
  /** The service's address, where it is configured. */
  readonly base: (config: IdentityConfig) => string | undefined;
  /** What stands behind it in the catalog. */
  readonly path: string;
}

const SERVICES: readonly SeedService[] = [
  {
    type: 'identity',
    name: 'keystone',
    base: (config) => config.publicUrl ?? '$(public_endpoint)s',
    path: '/v3',
  },
  { type: 'compute', name: 'nova', base: (config) => config.computeEndpoint, path: '/v2.1' },
  { type: 'image', name: 'glance', base: (config) => config.imageEndpoint, path: '' },
  { type: 'network', name: 'neutron', base: (config) => config.networkEndpoint, path: '' },
  {
    type: 'load-balancer',
    name: 'octavia',
    base: (config) => config.loadBalancerEndpoint,
    path: '',
  },
  {
    type: 'orchestration',
    name: 'heat',
    base: (config) => config.orchestrationEndpoint,
    path: '/v1/$(project_id)s',
  },
  {
    type: 'container-infra',
    name: 'magnum',
    base: (config) => config.containerInfraEndpoint,
    path: '/v1',
  },
];

export async function seedCatalog(tx: RequestContext, config: IdentityConfig): Promise<void> {
  const services = new ServiceRepository();
  const endpoints = new EndpointRepository();
  const named = SERVICES.filter(({ base }) => base(config) !== undefined);
  const unnamed = SERVICES.filter((service) => !named.includes(service));
  const wanted = named.flatMap((service) => endpointsOf(service, config));
  await ensureRegion(tx, config.region);
  await services.ensure(tx, named.map(serviceOf));
  await endpoints.ensure(tx, wanted);
  await endpoints.deleteSettingsBut(
    tx,
    wanted.map(({ id }) => id),
  );
  await services.deleteUnused(
    tx,
    unnamed.map(({ type }) => stableId(type)),
  );
}

function serviceOf({ type, name }: SeedService): Pick<Service, 'id' | 'type' | 'name'> {
  return { id: stableId(type), type, name };
}

function endpointsOf({ type, base, path }: SeedService, config: IdentityConfig): SettingEndpoint[] {
  return INTERFACES.map((one) => ({
    id: stableId(type, config.region, one),
    serviceId: stableId(type),
    regionId: asId(config.region),
    interface: one,
    url: `${base(config) ?? ''}${path}`,
  }));
}

/** The same id after every start, so that a row is known again whatever was changed in it. */
function stableId<T extends Id<string>>(...parts: readonly string[]): T {
  return asId(createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32));
}
