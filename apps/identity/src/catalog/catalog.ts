/**
 * The catalog: which services there are, and where. It follows from configuration alone.
 * Public source: Keystone API reference, "Service catalog and endpoints".
 */
import { createHash } from 'node:crypto';
import type { IdentityConfig } from '../config.js';

export interface CatalogEndpoint {
  readonly id: string;
  readonly interface: string;
  readonly region_id: string;
  readonly region: string;
  readonly url: string;
}

export interface CatalogEntry {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly endpoints: readonly CatalogEndpoint[];
}

interface CatalogService {
  readonly type: string;
  /** The matching OpenStack project, as clients show it. */
  readonly name: string;
  /** The service's address, where it is configured. */
  readonly base: (config: IdentityConfig) => string | undefined;
  /** What stands behind it in the catalog. */
  readonly path: string;
}

/** Stands in a URL for the project of the token. */
const PROJECT = '%(project_id)s';

const SERVICES: readonly CatalogService[] = [
  { type: 'compute', name: 'nova', base: (config) => config.computeEndpoint, path: '/v2.1' },
  { type: 'image', name: 'glance', base: (config) => config.imageEndpoint, path: '' },
  { type: 'network', name: 'neutron', base: (config) => config.networkEndpoint, path: '' },
  {
    type: 'load-balancer',
    name: 'octavia',
    base: (config) => config.loadBalancerEndpoint,
    path: '',
  },
  {
    type: 'orchestration',
    name: 'heat',
    base: (config) => config.orchestrationEndpoint,
    path: `/v1/${PROJECT}`,
  },
  {
    type: 'container-infra',
    name: 'magnum',
    base: (config) => config.containerInfraEndpoint,
    path: '/v1',
  },
];

const INTERFACES = ['public', 'internal', 'admin'];

/**
 * @param identityUrl this service's own public address, without /v3
 * @param projectId endpoints whose URL holds a project are left out for a token without one
 */
export function catalogFor(
  config: IdentityConfig,
  identityUrl: string,
  projectId: string | undefined,
): CatalogEntry[] {
  const identity = { type: 'identity', name: 'keystone', base: () => identityUrl, path: '/v3' };
  return [identity, ...SERVICES].flatMap((service): CatalogEntry[] => {
    const base = service.base(config);
    if (base === undefined || (projectId === undefined && service.path.includes(PROJECT)))
      return [];
    const url = base + service.path.replace(PROJECT, projectId ?? '');
    const { type, name } = service;
    return [{ id: stableId(type), type, name, endpoints: endpoints(type, config.region, url) }];
  });
}

function endpoints(type: string, region: string, url: string): CatalogEndpoint[] {
  return INTERFACES.map((one) => ({
    id: stableId(type, region, one),
    interface: one,
    region_id: region,
    region,
    url,
  }));
}

/** The same id on every replica and after every start, without a row that would hold it. */
function stableId(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32);
}
