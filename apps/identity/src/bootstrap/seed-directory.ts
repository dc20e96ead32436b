import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { asId, type DomainId, type ProjectId, type UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { CONFIG } from '@cumulet/common/service/tokens';
import { type Condition, equals, oneOf } from '@cumulet/common/tables/condition';
import type { Table } from '@cumulet/common/tables/table';
import type { IdentityConfig } from '../config.js';
import { newId } from '../database/new-id.js';
import type { Domain } from '../domains/domain.resource.js';
import { domains } from '../domains/domain.repository.js';
import type { Project } from '../projects/project.resource.js';
import { projects } from '../projects/project.repository.js';
import { lockForRevocation, revocationEvents } from '../revocations/revocation.repository.js';
import { inferences } from '../role-inferences/role-inferences.service.js';
import { type Assignment, roleAssignments } from '../roles/role-assignment.repository.js';
import type { RoleId } from '../roles/role.resource.js';
import { roles } from '../roles/roles.service.js';
import { PasswordHasher } from '../users/passwords/password-hasher.js';
import { formersKept, lifetimeOf } from '../users/passwords/password-rules.js';
import { type NewPassword, PasswordRepository } from '../users/passwords/password.repository.js';
import type { User } from '../users/user.resource.js';
import { type SettingUser, users } from '../users/user.repository.js';
import {
  DEFAULT_DOMAIN,
  INFERENCES,
  namedIn,
  ROLES,
  type Seed,
  type SeedDomain,
  type SeedUser,
} from './seed.js';

interface WantedUser {
  readonly seed: SeedUser;
  readonly id: UserId;
  readonly found: SettingUser | undefined;
  /** Of all passwords that let it in, its own first. */
  readonly digest: string;
  /** Undefined if it has the password already. */
  readonly password: NewPassword | undefined;
  /** Whether a password that let it in does so no more. */
  readonly hasLost: boolean;
}

/**
 * Users whose passwords come from settings.
 *
 * Always holds: a start whose settings have not changed runs no argon2; a password that its user
 * has changed stays until the setting changes too.
 */
@Injectable()
export class SeedPasswords {
  constructor(
    private readonly hasher: PasswordHasher,
    @Inject(CONFIG) private readonly config: IdentityConfig,
    private readonly passwords: PasswordRepository,
  ) {}

  /** @returns the ids by name */
  async ensure(
    ctx: RequestContext,
    domainId: DomainId,
    seeds: readonly SeedUser[],
  ): Promise<Map<string, UserId>> {
    const names = seeds.map(({ name }) => name);
    const found = await users.listOfSettings(ctx, domainId, names);
    const known = new Map(found.map((user) => [user.name, user]));
    // Hashing uses all available cores; the rows then share the one connection in turn.
    const wanted = await Promise.all(seeds.map((seed) => this.#wanted(seed, known.get(seed.name))));
    for (const user of wanted) await this.#save(ctx, domainId, user);
    return new Map(wanted.map(({ seed, id }) => [seed.name, id]));
  }

  async #wanted(seed: SeedUser, found: SettingUser | undefined): Promise<WantedUser> {
    const id = found?.id ?? newId<UserId>();
    const accepted = [seed.password, ...seed.otherPasswords];
    const { secretKey, oldSecretKeys = [] } = this.config;
    const digestsBy = (key: string): string[] => accepted.map((one) => digestOf(key, id, one));
    const digests = digestsBy(secretKey);
    const before = found?.settingDigest?.split(' ') ?? [];
    const has =
      found &&
      (before[0] === digests[0] || (await this.hasher.verify(found.passwordHash, seed.password)));
    const password = has ? undefined : await this.#password(seed, found);
    const known = new Set([digests, ...oldSecretKeys.map(digestsBy)].flat());
    const areAllKept = before.length > 0 && before.every((digest) => known.has(digest));
    // With one password before, it may be the same under another secret key.
    const hasLost = !areAllKept && (password !== undefined || before.length > 1);
    return { seed, id, found, digest: digests.join(' '), password, hasLost };
  }

  async #password(seed: SeedUser, found: SettingUser | undefined): Promise<NewPassword> {
    const options = found?.options ?? seed.options;
    return {
      hash: await this.hasher.hash(seed.password),
      isSelfSet: false,
      lifetime: lifetimeOf(this.config, options, 'setting'),
    };
  }

  async #save(
    ctx: RequestContext,
    domainId: DomainId,
    { seed, id, found, digest, password, hasLost }: WantedUser,
  ): Promise<void> {
    if (found?.settingDigest === digest) return;
    const { name, description, options } = seed;
    if (!found) await users.insert(ctx, { id, domainId, name, description, options });
    if (password) await this.passwords.replace(ctx, id, password, formersKept(this.config));
    if (found && hasLost) await this.#revoke(ctx, id);
    await users.update(ctx, id, { settingDigest: digest });
  }

  /** As after any change of a password. */
  async #revoke(ctx: RequestContext, userId: UserId): Promise<void> {
    await lockForRevocation(ctx);
    await revocationEvents.insert(ctx, [{ userId }]);
  }
}

/** Keyed, so that readers of the rows cannot guess the password. */
function digestOf(secretKey: string, userId: UserId, password: string): string {
  return createHmac('sha256', Buffer.from(secretKey, 'hex'))
    .update(`cumulet:setting:${userId}\0${password}`)
    .digest('base64');
}

/**
 * Creates missing roles, immutable as in Keystone's bootstrap, with their inferences. A removed
 * inference of existing roles stays removed.
 * @returns the IDs of the roles by name
 */
export async function ensureRoles(ctx: RequestContext): Promise<ReadonlyMap<string, RoleId>> {
  const rows = Object.entries(ROLES).map(([name, description]) => {
    return { id: newId<RoleId>(), name, description, options: { immutable: true } };
  });
  const made = await roles.insertAll(ctx, rows, { exceptTaken: true });
  const names = rows.map(({ name }) => name);
  const known = await roles.select(ctx, [equals('domainId', null), oneOf('name', names)]);
  const ids = new Map(known.map(({ id, name }) => [name, id]));
  const wanted = INFERENCES.filter((pair) => made.some(({ name }) => pair.includes(name)));
  await inferences.insertAll(
    ctx,
    wanted.map(([prior, implied]) => ({
      priorRoleId: namedIn(ids, prior),
      impliedRoleId: namedIn(ids, implied),
    })),
    { exceptTaken: true },
  );
  return ids;
}

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
   * Re-enables what the cloud requires, so that a restart restores access. Public source: Keystone
   * administrator guide, "Bootstrapping Identity".
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
