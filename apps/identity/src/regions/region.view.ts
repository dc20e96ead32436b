/** Regions on the wire. Public source: Keystone API reference, "Regions". */
import type { RegionFields } from './region.repository.js';

export function regionView(region: RegionFields, baseUrl: string): object {
  return {
    ...region.extra,
    id: region.id,
    description: region.description,
    parent_region_id: region.parentRegionId,
    links: { self: `${baseUrl}/v3/regions/${encodeURIComponent(region.id)}` },
  };
}
