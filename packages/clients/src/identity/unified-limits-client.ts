/**
 * The limits that administrators set for a service in identity. Public sources: Keystone API
 * reference, "Unified Limits"; oslo.limit, on which of them hold.
 */
import { asService } from '../http/actor.js';
import type { IdentityClientOptions } from '../http/credentials.js';
import { SisterClient } from '../http/service-client.js';
import { ServiceUnavailableError } from '../http/service-client-errors.js';

/** Units by resource name; -1 is unlimited. */
export type LimitsByResource = Readonly<Record<string, number>>;

export interface ServiceLimits {
  /** The registered limits: those of projects that have none of their own. */
  readonly defaults: LimitsByResource;
  readonly byProject: ReadonlyMap<string, LimitsByResource>;
}

interface CatalogService {
  readonly id: string;
  readonly type: string;
  readonly endpoints: readonly { readonly region_id: string | null }[];
}

interface RegisteredLimit {
  readonly region_id: string | null;
  readonly resource_name: string;
  readonly default_limit: number;
}

interface ProjectLimit {
  readonly region_id: string | null;
  readonly project_id: string | null;
  readonly resource_name: string;
  readonly resource_limit: number;
}

export class UnifiedLimitsClient extends SisterClient {
  /** The credentials are the service's, which sees the limits of all projects. */
  constructor({ identityUrl: baseUrl, credentials }: IdentityClientOptions) {
    super({
      service: 'identity',
      baseUrl,
      credentials,
      connections: 2,
    });
  }

  /**
   * A limit of the service's region comes before one of all regions. Limits of domains do not
   * concern the domains' projects: identity's model is flat.
   * @param serviceType as in the catalog: `image`. An unknown service has no limits.
   * @throws ServiceUnavailableError when identity is unreachable
   */
  async read(serviceType: string): Promise<ServiceLimits> {
    const catalog = await this.#list<CatalogService>('/v3/auth/catalog', 'catalog');
    const service = catalog.find(({ type }) => type === serviceType);
    if (!service) return { defaults: {}, byProject: new Map() };
    const query = `service_id=${encodeURIComponent(service.id)}`;
    const registered = await this.#list<RegisteredLimit>(
      `/v3/registered_limits?${query}`,
      'registered_limits',
    );
    const limits = await this.#list<ProjectLimit>(`/v3/limits?${query}`, 'limits');
    const defaults: Record<string, number> = {};
    for (const { resource_name, default_limit } of inRegionOf(service, registered))
      defaults[resource_name] = default_limit;
    const byProject = new Map<string, LimitsByResource>();
    for (const { project_id, resource_name, resource_limit } of inRegionOf(service, limits)) {
      if (project_id === null) continue;
      byProject.set(project_id, { ...byProject.get(project_id), [resource_name]: resource_limit });
    }
    return { defaults, byProject };
  }

  async #list<T>(path: string, key: string): Promise<readonly T[]> {
    const { body } = await this.client.send({ actor: asService(), path });
    const list = (body as Record<string, unknown> | undefined)?.[key];
    if (Array.isArray(list)) return list as T[];
    throw new ServiceUnavailableError('identity', `an answer without ${key}`);
  }
}

/** The limits of the service's region: those of all regions first, its own after them. */
function inRegionOf<Limit extends { readonly region_id: string | null }>(
  { endpoints }: CatalogService,
  limits: readonly Limit[],
): readonly Limit[] {
  const regions = new Set(endpoints.map(({ region_id }) => region_id));
  // With several regions, the one of this process is unknown.
  const [own = null] = regions.size === 1 ? regions : [];
  const everywhere = limits.filter(({ region_id }) => region_id === null);
  return own === null
    ? everywhere
    : [...everywhere, ...limits.filter((one) => one.region_id === own)];
}
