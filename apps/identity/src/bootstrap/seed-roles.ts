import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { RoleInferenceRepository } from '../role-inferences/role-inference.repository.js';
import type { RoleId } from '../roles/role.entity.js';
import { RoleRepository } from '../roles/role.repository.js';
import { INFERENCES, namedIn, ROLES } from './seed.js';

/** The roles that services know, and what they imply. */
@Injectable()
export class SeedRoles {
  constructor(
    private readonly roles: RoleRepository,
    private readonly inferences: RoleInferenceRepository,
  ) {}

  /**
   * An inference that was removed since stays removed: it is made together with its roles only.
   * @returns the roles' ids by name
   */
  async ensure(ctx: RequestContext): Promise<ReadonlyMap<string, RoleId>> {
    const { ids, made } = await this.roles.ensure(ctx, ROLES);
    const inferences = INFERENCES.filter((names) => names.some((name) => made.has(name)));
    await this.inferences.ensure(
      ctx,
      inferences.map(([prior, implied]) => ({
        prior: namedIn(ids, prior),
        implied: namedIn(ids, implied),
      })),
    );
    return ids;
  }
}
