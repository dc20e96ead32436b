/** A new cloud's domain, projects, roles and users, and their role assignments. */
import { Injectable } from '@nestjs/common';
import { asId, type DomainId, type ProjectId, type UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainRepository } from '../domains/domain.repository.js';
import { ProjectRepository } from '../projects/project.repository.js';
import {
  RoleAssignmentRepository,
  type Assignment,
} from '../role-assignments/role-assignment.repository.js';
import type { RoleId } from '../roles/role.entity.js';
import { UserRepository } from '../users/user.repository.js';
import { DEFAULT_DOMAIN, namedIn, type Seed, type SeedUser } from './seed.js';
import { SeedPasswords } from './seed-passwords.js';
import { ensureRoles } from './seed-roles.js';

/** The names of what was disabled. */
export type EnabledAgain = Readonly<Record<'domains' | 'projects' | 'users', readonly string[]>>;

const DOMAIN_ID = asId<DomainId>(DEFAULT_DOMAIN.id);

@Injectable()
export class SeedDirectory {
  constructor(
    private readonly domains: DomainRepository,
    private readonly projects: ProjectRepository,
    private readonly users: UserRepository,
    private readonly assignments: RoleAssignmentRepository,
    private readonly passwords: SeedPasswords,
  ) {}

  async ensure(ctx: RequestContext, seed: Seed): Promise<void> {
    await this.domains.ensure(ctx, { id: DOMAIN_ID, name: DEFAULT_DOMAIN.name });
    const roles = await ensureRoles(ctx);
    const projects = await this.projects.ensure(ctx, DOMAIN_ID, seed.projects);
    const users = await this.passwords.ensure(ctx, DOMAIN_ID, seed.users);
    const assignments = seed.users.flatMap((user) =>
      assignmentsOf(user, {
        user: namedIn(users, user.name),
        project: namedIn(projects, user.project),
        roles: user.roles.map((role) => namedIn(roles, role)),
      }),
    );
    await this.assignments.ensure(ctx, assignments);
  }

  /**
   * Re-enables what the cloud cannot do without, so that a restart restores access after somebody
   * has locked everyone out. Public source: Keystone administrator guide, "Bootstrapping Identity",
   * Keystone's tool for recovery.
   */
  async enable(ctx: RequestContext, { projects, users }: Seed): Promise<EnabledAgain> {
    return {
      domains: await this.domains.enable(ctx, DOMAIN_ID),
      projects: await this.projects.enable(ctx, DOMAIN_ID, indispensable(projects)),
      users: await this.users.enable(ctx, DOMAIN_ID, indispensable(users)),
    };
  }
}

function assignmentsOf(
  { alsoOn }: SeedUser,
  ids: { readonly user: UserId; readonly project: ProjectId; readonly roles: readonly RoleId[] },
): Assignment[] {
  const none = {
    groupId: null,
    projectId: null,
    domainId: null,
    onSystem: false,
    inherited: false,
  };
  const targets = [
    { projectId: ids.project },
    ...alsoOn.map((kind) => (kind === 'domain' ? { domainId: DOMAIN_ID } : { onSystem: true })),
  ];
  return targets.flatMap((target) =>
    ids.roles.map((roleId) => ({ ...none, ...target, roleId, userId: ids.user })),
  );
}

type Named = Pick<Seed['projects'][number], 'name' | 'isIndispensable'>;

function indispensable(seeds: readonly Named[]): string[] {
  return seeds.filter((seed) => seed.isIndispensable).map(({ name }) => name);
}
