import { randomUUID } from 'node:crypto';
import { Injectable, Inject } from '@nestjs/common';
import { actsAcrossProjects } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { equals, rowOf, type Condition } from '@cumulet/common/tables/condition';
import { matchesPattern } from '../http/pattern.js';
import { pageOfQuery } from '@cumulet/common/tables/page';
import { Table, type PageOfRows } from '@cumulet/common/tables/table';
import { asCaller } from '@cumulet/clients/http/actor';
import { MAX_PAGE } from '../http/pages.js';
import { refuseAfter, refuseBefore, versionOf } from '../versions/microversions.js';
import { InvalidProjectError, PROJECTS, type Projects } from '../projects.port.js';
import {
  Flavor,
  FlavorProject,
  isPublicOf,
  type CreateFlavorDto,
  type ListFlavorsQuery,
} from './flavor.resource.js';
import {
  FlavorExistsError,
  FlavorIdExistsError,
  FlavorNotFoundError,
  FlavorAccessExistsError,
  FlavorAccessNotFoundError,
  NoAccessListError,
  PublicFlavorError,
} from './flavor.errors.js';

/** Public source: Nova API reference, "Flavors (flavors)". */
@Injectable()
export class FlavorsService extends Table<Flavor> {
  constructor() {
    super(Flavor, {
      missing: (key) => new FlavorNotFoundError(rowOf(key).id ?? ''),
      missingMarker: (key) =>
        new InvalidInputError(`Invalid input: marker '${rowOf(key).id}' is not a flavor.`),
      touched: 'updatedAt',
      refusals: {
        flavors_pkey: ({ id }) => new FlavorIdExistsError(id ?? ''),
        flavors_name_key: ({ name }) => new FlavorExistsError(name ?? ''),
      },
    });
  }

  /** @throws InvalidInputError when the marker is not a flavor */
  page(ctx: RequestContext, query: ListFlavorsQuery): Promise<PageOfRows<Flavor>> {
    const scope = actsAcrossProjects(ctx) ? ofKind(ctx, query.is_public) : usable(ctx);
    const { where = [], ...page } = pageOfQuery<Flavor>(query, MAX_PAGE);
    // Before 2.102 `name` was an unknown parameter.
    const { name = '' } = versionOf(ctx).atLeast(102) ? query : {};
    if (query.sort_key === 'rxtx_factor') refuseAfter(ctx, 101, 'sort_key rxtx_factor');
    const named = name === '' ? [] : [matchesPattern('name', name)];
    return this.list(ctx, { ...page, where: [...where, ...named], scope });
  }

  /** @returns undefined also for a flavor that the caller may not use */
  findUsable(ctx: RequestContext, id: string): Promise<Flavor | undefined> {
    return this.find(ctx, id, usable(ctx));
  }

  /** @throws FlavorNotFoundError also for a flavor that the caller may not use */
  getUsable(ctx: RequestContext, id: string): Promise<Flavor> {
    return this.get(ctx, id, usable(ctx));
  }

  /** No project may use a private flavor yet. @throws FlavorIdExistsError, FlavorExistsError */
  create(ctx: RequestContext, dto: CreateFlavorDto): Promise<Flavor> {
    if (dto.description !== undefined) refuseBefore(ctx, 55, 'flavor.description');
    if (dto.rxtx_factor !== undefined) refuseAfter(ctx, 101, 'flavor.rxtx_factor');
    return this.insert(ctx, {
      id: dto.id == null || dto.id === '' ? randomUUID() : String(dto.id),
      name: dto.name.trim(),
      memoryMb: dto.ram,
      vcpus: dto.vcpus,
      diskGb: dto.disk,
      ephemeralGb: dto['OS-FLV-EXT-DATA:ephemeral'] ?? 0,
      swapMb: dto.swap ?? 0,
      rxtxFactor: Number(dto.rxtx_factor ?? 1),
      isPublic: dto['os-flavor-access:is_public'] ?? true,
      description: dto.description ?? null,
    });
  }

  /** @throws FlavorNotFoundError */
  describe(ctx: RequestContext, id: string, description: string | null): Promise<Flavor> {
    refuseBefore(ctx, 55, 'the change of a flavor');
    return this.update(ctx, id, { description });
  }
}

/** Public flavors, and private ones that the caller's project may use. */
function usable(ctx: RequestContext): Condition[] {
  return actsAcrossProjects(ctx) ? [] : [publicOrOwn(ctx)];
}

function publicOrOwn({ fields }: RequestContext): Condition {
  return (bind, column) => `${column('isPublic')} OR ${column('id')} IN (
    SELECT flavor_id FROM flavor_projects WHERE project_id = ${bind(fields.projectId ?? null)})`;
}

/** An administrator's filter; by default public flavors, as for everybody. */
function ofKind(ctx: RequestContext, word: string | undefined): Condition[] {
  const isPublic = word === undefined ? true : isPublicOf(word);
  if (isPublic === null || isPublic === undefined) return [];
  return [isPublic ? publicOrOwn(ctx) : equals('isPublic', false)];
}

const flavorProjects = new Table(FlavorProject, {
  missing: (key) => {
    const { flavorId = '', projectId = '' } = key as Partial<FlavorProject>;
    return new FlavorAccessNotFoundError(flavorId, projectId);
  },
  refusals: {
    flavor_projects_pkey: ({ flavorId, projectId }) =>
      new FlavorAccessExistsError(flavorId ?? '', projectId ?? ''),
  },
});

/** Projects with access to private flavors. Public source: Nova API reference, "Flavors access". */
@Injectable()
export class FlavorAccessService {
  constructor(
    private readonly flavors: FlavorsService,
    @Inject(PROJECTS) private readonly projects: Projects,
  ) {}

  /** @throws NoAccessListError for a public flavor */
  async list(ctx: RequestContext, flavorId: string): Promise<FlavorProject[]> {
    const { isPublic } = await this.flavors.get(ctx, flavorId);
    if (isPublic) throw new NoAccessListError();
    return this.#of(ctx, flavorId);
  }

  /** @throws InvalidProjectError for an unknown project; PublicFlavorError since 2.7 */
  async add(ctx: RequestContext, flavorId: string, projectId: string): Promise<FlavorProject[]> {
    if (!(await this.projects.exists(asCaller(ctx), projectId)))
      throw new InvalidProjectError(projectId);
    const { isPublic } = await this.flavors.get(ctx, flavorId);
    if (isPublic && versionOf(ctx).atLeast(7)) throw new PublicFlavorError();
    await flavorProjects.insert(ctx, { flavorId, projectId });
    return this.#of(ctx, flavorId);
  }

  /** The project need not exist any more. @throws FlavorAccessNotFoundError */
  async remove(ctx: RequestContext, flavorId: string, projectId: string): Promise<FlavorProject[]> {
    await this.flavors.get(ctx, flavorId);
    await flavorProjects.delete(ctx, { flavorId, projectId });
    return this.#of(ctx, flavorId);
  }

  #of(ctx: RequestContext, flavorId: string): Promise<FlavorProject[]> {
    return flavorProjects.select(ctx, [equals('flavorId', flavorId)], 'ORDER BY project_id');
  }
}
