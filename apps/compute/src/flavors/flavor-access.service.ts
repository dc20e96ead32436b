import { Inject, Injectable } from '@nestjs/common';
import { asCaller } from '@cumulet/clients/http/actor';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { equals } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { InvalidProjectError, PROJECTS, type Projects } from '../projects.port.js';
import { versionOf } from '../versions/microversions.js';
import { FlavorProject } from './flavor-project.entity.js';
import {
  FlavorAccessExistsError,
  FlavorAccessNotFoundError,
  NoAccessListError,
  PublicFlavorError,
} from './flavor.errors.js';
import { FlavorsService } from './flavors.service.js';

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

/** Which projects may use private flavors. Public source: Nova API reference, "Flavors access". */
@Injectable()
export class FlavorAccessService {
  constructor(
    private readonly flavors: FlavorsService,
    @Inject(PROJECTS) private readonly projects: Projects,
  ) {}

  /** @throws NoAccessListError of a public flavor */
  async list(ctx: RequestContext, flavorId: string): Promise<FlavorProject[]> {
    const { isPublic } = await this.flavors.get(ctx, flavorId);
    if (isPublic) throw new NoAccessListError();
    return this.#of(ctx, flavorId);
  }

  /**
   * @throws InvalidProjectError if there is no such project
   * @throws PublicFlavorError since microversion 2.7
   */
  async add(ctx: RequestContext, flavorId: string, projectId: string): Promise<FlavorProject[]> {
    if (!(await this.projects.exists(asCaller(ctx), projectId)))
      throw new InvalidProjectError(projectId);
    const { isPublic } = await this.flavors.get(ctx, flavorId);
    if (isPublic && versionOf(ctx).atLeast(7)) throw new PublicFlavorError();
    await flavorProjects.insert(ctx, { flavorId, projectId });
    return this.#of(ctx, flavorId);
  }

  /** The project may be gone. @throws FlavorAccessNotFoundError */
  async remove(ctx: RequestContext, flavorId: string, projectId: string): Promise<FlavorProject[]> {
    await this.flavors.get(ctx, flavorId);
    await flavorProjects.delete(ctx, { flavorId, projectId });
    return this.#of(ctx, flavorId);
  }

  #of(ctx: RequestContext, flavorId: string): Promise<FlavorProject[]> {
    return flavorProjects.select(ctx, [equals('flavorId', flavorId)], 'ORDER BY project_id');
  }
}
