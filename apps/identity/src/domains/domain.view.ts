/** Domains on the wire. Public source: Keystone API reference, "Domains". */
import type { Domain } from './domain.entity.js';

export function domainView(domain: Domain, baseUrl: string): object {
  return {
    id: domain.id,
    name: domain.name,
    description: domain.description,
    enabled: domain.enabled,
    tags: [],
    options: {},
    links: { self: `${baseUrl}/v3/domains/${domain.id}` },
  };
}
