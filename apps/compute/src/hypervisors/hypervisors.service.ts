import { Inject, Injectable } from '@nestjs/common';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { CONFIG } from '@cumulet/common/service/tokens';
import { textMatches } from '@cumulet/common/tables/condition';
import type { PageOfRows } from '@cumulet/common/tables/table';
import type { ComputeConfig } from '../config.js';
import type { Host } from '../hosts/host.entity.js';
import {
  HypervisorNotFoundError,
  NoHypervisorMatchesError,
  NotAUuidError,
} from '../hosts/host.errors.js';
import { hosts } from '../hosts/host.repository.js';
import { MAX_PAGE } from '../http/pages.js';
import { versionOf } from '../versions/microversions.js';
import { ServerRepository } from '../servers/server.repository.js';
import type { Hypervisor } from './hypervisor.answers.js';
import type { ListHypervisorsQuery } from './hypervisor.dto.js';

const SORT = [{ by: 'number', descending: false }];

/** Public source: Nova API reference, "Hypervisors (os-hypervisors)". */
@Injectable()
export class HypervisorsService {
  constructor(
    private readonly servers: ServerRepository,
    @Inject(CONFIG) private readonly config: ComputeConfig,
  ) {}

  /**
   * @throws NoHypervisorMatchesError; InvalidInputError for a pattern's page or an unknown marker
   */
  async page(ctx: RequestContext, query: ListHypervisorsQuery): Promise<PageOfRows<Hypervisor>> {
    const version = versionOf(ctx);
    const pattern = version.atLeast(53) ? query.hypervisor_hostname_pattern : undefined;
    const { limit, marker } = version.atLeast(33) ? query : {};
    const withServers = version.atLeast(53) && query.with_servers === true;
    if (pattern === undefined) {
      const { rows, more } = await this.#page(ctx, limit ?? MAX_PAGE, marker);
      return { rows: await this.#all(ctx, rows, withServers), more };
    }
    if (limit !== undefined || marker !== undefined)
      throw new InvalidInputError(
        'Paging over hypervisors with the hypervisor_hostname_pattern query parameter is not supported.',
      );
    return { rows: await this.search(ctx, pattern, withServers), more: false };
  }

  /** @throws NoHypervisorMatchesError */
  async search(ctx: RequestContext, pattern: string, withServers: boolean): Promise<Hypervisor[]> {
    const found = await hosts.select(
      ctx,
      [textMatches('name', 'icontains', pattern)],
      'ORDER BY number',
    );
    if (found.length === 0) throw new NoHypervisorMatchesError(pattern);
    return this.#all(ctx, found, withServers);
  }

  /** @throws HypervisorNotFoundError, NotAUuidError */
  async get(ctx: RequestContext, id: string, withServers = false): Promise<Hypervisor> {
    const key = keyOf(ctx, id);
    const host = key && (await hosts.find(ctx, key));
    if (!host) throw new HypervisorNotFoundError(id);
    const [hypervisor] = await this.#all(ctx, [host], withServers);
    return hypervisor as Hypervisor;
  }

  /** Counted in the sums: enabled, and up or not. */
  async enabled(ctx: RequestContext): Promise<Hypervisor[]> {
    const rows = await hosts.select(ctx, [() => 'enabled']);
    return this.#all(ctx, rows, false);
  }

  async #page(
    ctx: RequestContext,
    limit: number,
    marker: string | undefined,
  ): Promise<PageOfRows<Host>> {
    const page = { sort: SORT, limit: Math.min(limit, MAX_PAGE) };
    if (marker === undefined) return hosts.list(ctx, page);
    const isUuidNow = versionOf(ctx).atLeast(53);
    const isKnown = isUuidNow ? isUuid(marker) : isNumber(marker);
    const key = isUuidNow ? { hypervisorId: marker } : { number: Number(marker) };
    if (!isKnown || !(await hosts.find(ctx, key)))
      throw new InvalidInputError(`marker [${marker}] not found`);
    return hosts.list(ctx, { ...page, marker: key });
  }

  async #all(
    ctx: RequestContext,
    rows: readonly Host[],
    withServers: boolean,
  ): Promise<Hypervisor[]> {
    const names = rows.map(({ name }) => name);
    const loads = await this.servers.loadsOf(ctx, names);
    const servers = withServers ? await this.servers.namedOnHosts(ctx, names) : [];
    // Before 2.75 an empty list is left out.
    const showsNone = withServers && versionOf(ctx).atLeast(75);
    return rows.map((host) => {
      const { memoryMb, ...load } = loads.get(host.name) ?? NOTHING;
      const own = servers.filter((server) => server.host === host.name);
      return {
        host,
        load: { ...load, memoryMb: memoryMb + this.config.reservedMemoryMb },
        servers:
          own.length > 0 || showsNone ? own.map(({ name, uuid }) => ({ name, uuid })) : undefined,
      };
    });
  }
}

const NOTHING = { vcpus: 0, memoryMb: 0, diskGb: 0, servers: 0, working: 0 };

/** A UUID since 2.53, a number before; undefined for an impossible one. @throws NotAUuidError */
function keyOf(ctx: RequestContext, id: string): Partial<Host> | undefined {
  if (!versionOf(ctx).atLeast(53)) return isNumber(id) ? { number: Number(id) } : undefined;
  if (isUuid(id)) return { hypervisorId: id };
  throw new NotAUuidError(id);
}

function isNumber(text: string): boolean {
  return /^\d{1,9}$/.test(text);
}
