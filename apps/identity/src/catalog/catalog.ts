/**
 * The catalog of a token: services and their endpoints, built from the rows.
 * Public source: Keystone API reference, "Service catalog and endpoints".
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { addressIn, type GuestView } from '@cumulet/common/context/service-addresses';
import type { TokenClaims } from '@cumulet/common/context/token-claims';
import { preparedRows } from '@cumulet/common/database/rows';
import { Shown } from '@cumulet/common/http/shown';
import { endpointsOfProject } from '../endpoint-groups/endpoint-group.resource.js';
import type { EndpointId, Interface } from '../endpoints/endpoint.resource.js';
import { substitute } from '../endpoints/url-template.js';
import type { RegionId } from '../regions/region.resource.js';
import type { ServiceId } from '../services/service.resource.js';

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
  /** With placeholders. */
  readonly url: string;
}

export class CatalogEndpoint {
  @Shown(String, 'The ID of the endpoint.')
  readonly id: string;

  @Shown(String, 'The interface: who the endpoint is for.', {
    enum: ['public', 'internal', 'admin'],
  })
  readonly interface: string;

  @Shown(String, 'The ID of the region.', { nullable: true })
  readonly region_id: string | null;

  @Shown(String, 'The same as `region_id`, by its former name.', { nullable: true })
  readonly region: string | null;

  @Shown(String, 'The URL, with the values of the token filled in.')
  readonly url: string;
}

export class CatalogEntry {
  @Shown(String, 'The ID of the service.')
  readonly id: string;

  @Shown(String, 'The type of the service.', { example: 'compute' })
  readonly type: string;

  @Shown(String, 'The name of the service.')
  readonly name: string;

  @Shown([() => CatalogEndpoint], 'The endpoints of the service.')
  readonly endpoints: readonly CatalogEndpoint[];
}

export interface CatalogFor {
  readonly userId: string;
  /** A token without a project gets no endpoints whose URL names one. */
  readonly projectId: string | undefined;
  /** This service's own address, without `/v3`. */
  readonly baseUrl: string;
  /** For a guest, which reaches the cloud by another address. */
  readonly view?: GuestView | undefined;
}

/** Pure. @param rows grouped by service; a service without endpoints is kept */
export function catalogOf(
  rows: readonly CatalogRow[],
  { userId, projectId, baseUrl, view }: CatalogFor,
): CatalogEntry[] {
  const values = {
    user_id: userId,
    project_id: projectId,
    tenant_id: projectId,
    public_endpoint: baseUrl,
  };
  const entries = new Map<string, CatalogEntry & { readonly endpoints: CatalogEndpoint[] }>();
  for (const { serviceId: id, type, name, endpoint } of rows) {
    const entry = entries.get(id) ?? { id, type, name, endpoints: [] };
    entries.set(id, entry);
    const url = endpoint && substitute(endpoint.url, values);
    if (endpoint && url != null) entry.endpoints.push(endpointView(endpoint, addressIn(view, url)));
  }
  return [...entries.values()];
}

function endpointView({ id, regionId, ...rest }: CatalogRowEndpoint, url: string): CatalogEndpoint {
  return { id, interface: rest.interface, region_id: regionId, region: regionId, url };
}

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
      -- Descending: public, internal, admin.
      ORDER BY type, services.id, region_id, interface DESC, endpoints.id`,
    [projectId],
  );
}
