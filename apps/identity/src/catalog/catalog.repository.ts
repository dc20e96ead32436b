import type { TokenClaims } from '@cumulet/common/context/token-claims';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { endpointsOfProject } from '../endpoint-groups/endpoint-group.entity.js';
import { catalogOf, type CatalogEntry, type CatalogRow } from './catalog.js';

/** The catalog that goes with a token. */
export async function catalogFor(
  ctx: RequestContext,
  { userId, projectId }: Pick<TokenClaims, 'userId' | 'projectId'>,
): Promise<CatalogEntry[]> {
  const { baseUrl, fields } = ctx;
  const rows = await listRows(ctx, projectId);
  return catalogOf(rows, { userId, projectId, baseUrl, view: fields.guestView });
}

/**
 * The enabled services and endpoints, in catalog order. A project with endpoints of its own sees
 * no others, and no service without one (Keystone API reference, "OS-EP-FILTER API").
 */
function listRows(ctx: RequestContext, projectId: string | undefined): Promise<CatalogRow[]> {
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
