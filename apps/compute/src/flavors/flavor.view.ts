/** Flavors on the wire. Public source: Nova API reference, "Flavors (flavors)". */
import type { Microversion } from '@cumulet/common/http/microversion';
import type { Flavor } from './flavor.entity.js';

export interface FlavorLink {
  readonly rel: string;
  readonly href: string;
}

export function flavorLinks(id: string, baseUrl: string): FlavorLink[] {
  return [
    { rel: 'self', href: `${baseUrl}/v2.1/flavors/${id}` },
    { rel: 'bookmark', href: `${baseUrl}/flavors/${id}` },
  ];
}

export function flavorSummaryView(flavor: Flavor, baseUrl: string, version: Microversion): object {
  return {
    id: flavor.id,
    name: flavor.name,
    links: flavorLinks(flavor.id, baseUrl),
    ...(version.atLeast(55) ? { description: flavor.description } : {}),
  };
}

export function flavorView(flavor: Flavor, baseUrl: string, version: Microversion): object {
  return {
    ...flavorSummaryView(flavor, baseUrl, version),
    ram: flavor.memoryMb,
    disk: flavor.diskGb,
    vcpus: flavor.vcpus,
    // An absent swap is an empty text before 2.75, and the number 0 since.
    swap: version.atLeast(75) ? 0 : '',
    rxtx_factor: 1.0,
    'OS-FLV-EXT-DATA:ephemeral': 0,
    'OS-FLV-DISABLED:disabled': false,
    'os-flavor-access:is_public': flavor.isPublic,
    ...(version.atLeast(61) ? { extra_specs: {} } : {}),
  };
}
