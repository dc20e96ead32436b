/** Services on the wire. Public source: Keystone API reference, "Service catalog and endpoints". */
import type { ServiceFields } from './service.repository.js';

export function serviceView(service: ServiceFields, baseUrl: string): object {
  return {
    ...service.extra,
    id: service.id,
    type: service.type,
    name: service.name,
    description: service.description,
    enabled: service.enabled,
    links: { self: `${baseUrl}/v3/services/${service.id}` },
  };
}
