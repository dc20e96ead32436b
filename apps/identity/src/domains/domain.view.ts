/** Domains on the wire. Public source: Keystone API reference, "Domains". */
import type { DomainFields } from './domain.repository.js';

export function domainView(domain: DomainFields, baseUrl: string): object {
  return {
    id: domain.id,
    name: domain.name,
    description: domain.description,
    enabled: domain.enabled,
    tags: domain.tags,
    options: domain.options,
    links: { self: `${baseUrl}/v3/domains/${domain.id}` },
  };
}
