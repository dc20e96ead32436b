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
import type { CatalogService, IdentityConfig } from '../config.js';
import { INTERFACES, type Endpoint } from '../endpoints/endpoint.resource.js';
import { endpoints } from '../endpoints/endpoints.service.js';
import { ensureRegion } from '../regions/regions.service.js';
import type { Service } from '../services/service.resource.js';
import { services } from '../services/services.controller.js';

type SettingEndpoint = Pick<Endpoint, 'id' | 'serviceId' | 'regionId' | 'interface' | 'url'>;

@Injectable()
export class SeedCatalog {
  constructor(@Inject(CONFIG) private readonly config: IdentityConfig) {}

  async ensure(tx: RequestContext): Promise<void> {
    const { region, publicUrl = '$(public_endpoint)s', services: sisters } = this.config;
    const wanted = [{ type: 'identity', name: 'keystone', url: `${publicUrl}/v3` }, ...sisters];
    const rows = wanted.map(({ type, name }) => ({
      id: stableId<Service['id']>(type),
      type,
      name,
    }));
    const endpointRows = wanted.flatMap((service) => endpointsOf(service, region));
    const ids = endpointRows.map(({ id }) => id);
    await ensureRegion(tx, region);
    await services.insertAll(tx, rows, { exceptTaken: true });
    await ensureEndpoints(tx, endpointRows);
    await endpoints.deleteAll(tx, [
      (bind) => `setting_url IS NOT NULL AND id <> ALL(${bind(ids)})`,
    ]);
    await services.deleteAll(tx, [
      (bind) => `${IS_OF_SETTING} AND id <> ALL(${bind(rows.map(({ id }) => id))})
         AND NOT EXISTS (SELECT FROM endpoints WHERE service_id = services.id)
         AND NOT EXISTS (SELECT FROM registered_limits WHERE service_id = services.id)`,
    ]);
  }
}

function endpointsOf(
  { type, url }: Pick<CatalogService, 'type' | 'url'>,
  region: string,
): SettingEndpoint[] {
  return INTERFACES.map((one) => ({
    id: stableId(type, region, one),
    serviceId: stableId(type),
    regionId: asId(region),
    interface: one,
    url,
  }));
}

/** Creates missing endpoints, and updates the URLs of those whose setting has changed. */
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

/** A service's row has the `stableId` of its type. */
const IS_OF_SETTING = `id = left(encode(sha256(convert_to(type, 'UTF8')), 'hex'), 32)`;

/** The same id at every start, so that a row is recognised whatever was changed in it. */
function stableId<T extends Id<string>>(...parts: readonly string[]): T {
  return asId(createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32));
}
