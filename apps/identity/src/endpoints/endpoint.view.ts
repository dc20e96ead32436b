/** Endpoints on the wire. Public source: Keystone API reference, "Service catalog and endpoints". */
import type { EndpointFields } from './endpoint.repository.js';

export function endpointView(endpoint: EndpointFields, baseUrl: string): object {
  return {
    ...endpoint.extra,
    id: endpoint.id,
    interface: endpoint.interface,
    service_id: endpoint.serviceId,
    region_id: endpoint.regionId,
    region: endpoint.regionId,
    url: endpoint.url,
    enabled: endpoint.enabled,
    links: { self: `${baseUrl}/v3/endpoints/${endpoint.id}` },
  };
}
