/**
 * Services and endpoints that come from settings.
 *
 * Always holds: an endpoint whose setting has not changed is left as it is, so that a changed URL
 * stays until the setting changes too; an endpoint that no setting names any more is removed, and
 * so is its service once it has no endpoint left.
 */
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { asId, type Id } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { CONFIG } from '@cumulet/common/service/tokens';
import { oneOf } from '@cumulet/common/tables/condition';
import type { FurtherService, IdentityConfig } from '../config.js';
import { INTERFACES, type Endpoint } from '../endpoints/endpoint.entity.js';
import { endpoints } from '../endpoints/endpoints.service.js';
import { ensureRegion } from '../regions/regions.service.js';
import type { Service } from '../services/service.entity.js';
import { services } from '../services/services.service.js';

interface SeedService {
  readonly type: string;
  /** The matching OpenStack project, as clients show it. */
  readonly name: string;
  /** The service's address, if configured. */
  readonly base: (config: IdentityConfig) => string | undefined;
  /** The path after it in the catalog. */
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

function furtherService({ name, type, url }: FurtherService): SeedService {
  return { name, type, base: () => url, path: '' };
}

/** An endpoint as its setting describes it. */
type SettingEndpoint = Pick<Endpoint, 'id' | 'serviceId' | 'regionId' | 'interface' | 'url'>;

@Injectable()
export class SeedCatalog {
  constructor(@Inject(CONFIG) private readonly config: IdentityConfig) {}

  async ensure(tx: RequestContext): Promise<void> {
    const { config } = this;
    const known = [...SERVICES, ...config.furtherServices.map(furtherService)];
    const named = known.filter(({ base }) => base(config) !== undefined);
    const unnamed = known.filter((service) => !named.includes(service));
    const rows = named.map(({ type, name }) => ({ id: stableId<Service['id']>(type), type, name }));
    const wanted = named.flatMap((service) => endpointsOf(service, config));
    const ids = wanted.map(({ id }) => id);
    await ensureRegion(tx, config.region);
    await services.insertAll(tx, rows, { exceptTaken: true });
    await ensureEndpoints(tx, wanted);
    await endpoints.deleteAll(tx, [
      (bind) => `setting_url IS NOT NULL AND id <> ALL(${bind(ids)})`,
    ]);
    await services.deleteAll(tx, [
      oneOf(
        'id',
        unnamed.map(({ type }) => stableId(type)),
      ),
      () => `NOT EXISTS (SELECT FROM endpoints WHERE service_id = services.id)
         AND NOT EXISTS (SELECT FROM registered_limits WHERE service_id = services.id)`,
    ]);
  }
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

/**
 * Creates missing endpoints, and gives existing ones the URL of their setting if that has changed
 * since they were last set from it.
 */
async function ensureEndpoints(
  { manager }: RequestContext,
  wanted: readonly SettingEndpoint[],
): Promise<void> {
  const column = (field: keyof SettingEndpoint): (string | null)[] =>
    wanted.map((endpoint) => endpoint[field]);
  await manager.query(
    `INSERT INTO endpoints (id, service_id, region_id, interface, url, setting_url)
     SELECT id, service_id, region_id, interface, url, url
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
         AS settings (id, service_id, region_id, interface, url)
     ON CONFLICT (id) DO UPDATE SET url = excluded.url, setting_url = excluded.setting_url
      WHERE endpoints.setting_url IS DISTINCT FROM excluded.setting_url`,
    [column('id'), column('serviceId'), column('regionId'), column('interface'), column('url')],
  );
}

/** The same id at every start, so that a row is recognised whatever was changed in it. */
function stableId<T extends Id<string>>(...parts: readonly string[]): T {
  return asId(createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32));
}
