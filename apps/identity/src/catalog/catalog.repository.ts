import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { Feature } from '@cumulet/common/service/feature';
import { endpointsOfProject } from '../endpoint-groups/endpoint-group.entity.js';
import type { EndpointId, Interface } from '../endpoints/endpoint.entity.js';
import type { RegionId } from '../regions/region.entity.js';
import type { ServiceId } from '../services/service.entity.js';

/** A service of the catalog with one of its endpoints, or without any. */
export interface CatalogRow {
  readonly serviceId: ServiceId;
  readonly type: string;
  readonly name: string;
  readonly endpoint: CatalogRowEndpoint | null;
}

export interface CatalogRowEndpoint {
  readonly id: EndpointId;
  readonly interface: Interface;
  readonly regionId: RegionId | null;
  /** May hold placeholders that the catalog replaces. */
  readonly url: string;
}

@Injectable()
export class CatalogRepository {
  /**
   * The enabled services and endpoints, in catalog order. A project with endpoints of its own sees
   * no others, and no service without one (Keystone API reference, "OS-EP-FILTER API").
   */
  async list(ctx: RequestContext, projectId?: string): Promise<CatalogRow[]> {
    return preparedRows(
      ctx.manager,
      `WITH given (id) AS (${endpointsOfProject('$1::text')})
       SELECT services.id AS "serviceId", type, name,
              CASE WHEN endpoints.id IS NOT NULL THEN json_build_object(
                'id', endpoints.id, 'interface', interface, 'regionId', region_id, 'url', url)
              END AS endpoint
         FROM services LEFT JOIN endpoints ON service_id = services.id
              AND endpoints.enabled
              AND (NOT EXISTS (SELECT FROM given) OR endpoints.id IN (SELECT id FROM given))
        WHERE services.enabled AND (endpoints.id IS NOT NULL OR NOT EXISTS (SELECT FROM given))
        -- Which puts public before internal before admin.
        ORDER BY type, services.id, region_id, interface DESC, endpoints.id`,
      [projectId],
    );
  }
}

@Feature({
  providers: [CatalogRepository],
})
export class CatalogModule {}
