/**
 * The catalog of a token: which services there are, and where, made of the rows. Pure.
 * Public source: Keystone API reference, "Service catalog and endpoints".
 */
import type { CatalogRow, CatalogRowEndpoint } from './catalog.repository.js';
import { substitute } from './url-template.js';

export interface CatalogEndpoint {
  readonly id: string;
  readonly interface: string;
  readonly region_id: string | null;
  readonly region: string | null;
  readonly url: string;
}

export interface CatalogEntry {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly endpoints: readonly CatalogEndpoint[];
}

export interface CatalogFor {
  readonly userId: string;
  /** Endpoints whose URL names a project are left out for a token without one. */
  readonly projectId: string | undefined;
  /** This service's own address, without `/v3`. */
  readonly baseUrl: string;
}

/** @param rows the endpoints of a service one after the other; a service without any stays */
export function catalogOf(
  rows: readonly CatalogRow[],
  { userId, projectId, baseUrl }: CatalogFor,
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
    if (endpoint && url != null) entry.endpoints.push(endpointView(endpoint, url));
  }
  return [...entries.values()];
}

function endpointView({ id, regionId, ...rest }: CatalogRowEndpoint, url: string): CatalogEndpoint {
  return { id, interface: rest.interface, region_id: regionId, region: regionId, url };
}
