/** A new cloud's domain, projects, roles and users, and their role assignments. */
import { Injectable } from '@nestjs/common';
import { asId, type DomainId, type ProjectId, type UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { equals, oneOf, type Condition } from '@cumulet/common/tables/condition';
import type { Table } from '@cumulet/common/tables/table';
import type { Domain } from '../domains/domain.entity.js';
import { domains } from '../domains/domain.repository.js';
import type { Project } from '../projects/project.entity.js';
import { projects } from '../projects/project.repository.js';
import { roleAssignments, type Assignment } from '../roles/role-assignment.repository.js';
import type { RoleId } from '../roles/role.entity.js';
import type { User } from '../users/user.entity.js';
import { users } from '../users/user.repository.js';
import { DEFAULT_DOMAIN, namedIn, type Seed, type SeedDomain, type SeedUser } from './seed.js';
import { SeedPasswords } from './seed-passwords.js';
import { ensureRoles } from './seed-roles.js';

/** The names of what was disabled. */
export type EnabledAgain = Readonly<Record<'domains' | 'projects' | 'users', readonly string[]>>;

const DOMAIN_ID = asId<DomainId>(DEFAULT_DOMAIN.id);

@Injectable()
export class SeedDirectory {
  constructor(private readonly passwords: SeedPasswords) {}

  async ensure(ctx: RequestContext, seed: Seed): Promise<void> {
    if (!(await domains.find(ctx, DOMAIN_ID)))
      await domains.insert(ctx, { id: DOMAIN_ID, name: DEFAULT_DOMAIN.name });
    for (const domain of seed.domains)
      if (!(await domains.find(ctx, domain.id))) await domains.insert(ctx, rowOf(domain));
    const roles = await ensureRoles(ctx);
    const projectIds = await projects.ensure(ctx, DOMAIN_ID, seed.projects);
    const userIds = await this.passwords.ensure(ctx, DOMAIN_ID, seed.users);
    const assignments = seed.users.flatMap((user) =>
      assignmentsOf(user, {
        user: namedIn(userIds, user.name),
        project: namedIn(projectIds, user.project),
        roles: user.roles.map((role) => namedIn(roles, role)),
      }),
    );
    await roleAssignments.ensure(ctx, assignments);
  }

  /**
   * Re-enables what the cloud cannot do without, so that a restart restores access after somebody
   * has locked everyone out. Public source: Keystone administrator guide, "Bootstrapping Identity",
   * Keystone's tool for recovery.
   */
  async enable(ctx: RequestContext, seed: Seed): Promise<EnabledAgain> {
    const isOurs = (seeds: readonly Named[]): Condition[] => [
      equals('domainId', DOMAIN_ID),
      oneOf(
        'name',
        seeds.filter((one) => one.isIndispensable).map(({ name }) => name),
      ),
    ];
    const wanted = await projects.select(ctx, isOurs(seed.projects));
    const withThoseAbove = wanted.flatMap(({ id, ancestorIds }) => [id, ...ancestorIds]);
    return {
      domains: await enableAll(ctx, domains, [
        oneOf('id', [DOMAIN_ID, ...seed.domains.map(({ id }) => id)]),
      ]),
      projects: await enableAll(ctx, projects, [oneOf('id', withThoseAbove)]),
      users: await enableAll(ctx, users, isOurs(seed.users)),
    };
  }
}

/** @returns the names of those that were disabled */
async function enableAll<Row extends Domain | Project | User>(
  ctx: RequestContext,
  table: Table<Row>,
  which: readonly Condition[],
): Promise<string[]> {
  const disabled = await table.select(ctx, [equals('enabled', false), ...which], 'FOR UPDATE');
  for (const { id } of disabled) await table.update(ctx, id, { enabled: true } as Partial<Row>);
  return disabled.map(({ name }) => name);
}

function rowOf({ id, ...texts }: SeedDomain): Partial<Domain> {
  return { id: asId(id), ...texts };
}

function assignmentsOf(
  { alsoOn, keeps }: SeedUser,
  ids: { readonly user: UserId; readonly project: ProjectId; readonly roles: readonly RoleId[] },
): Assignment[] {
  const none = {
    groupId: null,
    projectId: null,
    domainId: null,
    asProject: false,
    onSystem: false,
    inherited: false,
  };
  const targets = [
    { projectId: ids.project },
    ...alsoOn.map((kind) => (kind === 'domain' ? { domainId: DOMAIN_ID } : { onSystem: true })),
    ...(keeps ? [{ domainId: asId<DomainId>(keeps.id) }] : []),
  ];
  return targets.flatMap((target) =>
    ids.roles.map((roleId) => ({ ...none, ...target, roleId, userId: ids.user })),
  );
}

type Named = Pick<Seed['projects'][number], 'name' | 'isIndispensable'>;
