/** Registered limits on the wire. Public source: Keystone API reference, "Unified Limits". */
import type { RegisteredLimitFields } from './registered-limit.repository.js';

export function registeredLimitView(limit: RegisteredLimitFields, baseUrl: string): object {
  return {
    id: limit.id,
    service_id: limit.serviceId,
    region_id: limit.regionId,
    resource_name: limit.resourceName,
    default_limit: limit.defaultLimit,
    description: limit.description,
    links: { self: `${baseUrl}/v3/registered_limits/${limit.id}` },
  };
}
