/**
 * Brings the rows that every cloud needs into being, at each start.
 *
 * Always holds: it runs in one transaction under a lock, so that replicas that start together make
 * everything once; what is there already is left as it is, but for a password whose setting has
 * changed, and for what the cloud cannot do without and somebody has disabled.
 */
import type { Logger } from 'pino';
import type { DomainId } from '@cumulet/common/context/ids';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Seal } from '@cumulet/common/crypto/seal';
import { transactionLock } from '@cumulet/common/database/advisory-lock';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { IdentityConfig } from '../config.js';
import { DomainRepository } from '../domains/domain.repository.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import { ProjectRepository } from '../projects/project.repository.js';
import type { Assignment, AssignmentTarget } from '../role-assignments/assignment-place.js';
import { RoleAssignmentRepository } from '../role-assignments/role-assignment.repository.js';
import { RoleInferenceRepository } from '../role-inferences/role-inference.repository.js';
import type { RoleId } from '../roles/role.entity.js';
import { RoleRepository } from '../roles/role.repository.js';
import { generateSigningKey } from '../signing-keys/generate-signing-key.js';
import { SigningKeyRepository } from '../signing-keys/signing-key.repository.js';
import { enableSeed } from './enable-seed.js';
import { DEFAULT_DOMAIN, INFERENCES, ROLES, seedOf, type SeedUser } from './seed.js';
import { seedCatalog } from './seed-catalog.js';
import { SeedPasswords } from './seed-passwords.js';

const LOCK = 'cumulet:identity:bootstrap';

export interface BootstrapOptions {
  readonly config: IdentityConfig;
  readonly passwords: PasswordHasher;
  readonly seal: Seal;
  readonly logger: Logger;
}

export async function bootstrap(ctx: RequestContext, options: BootstrapOptions): Promise<void> {
  const enabled = await inTransaction(ctx, async (tx) => {
    await transactionLock(tx.manager, LOCK);
    await ensureSigningKey(tx, options);
    const domainId = asId<DomainId>(DEFAULT_DOMAIN.id);
    await new DomainRepository().ensure(tx, { id: domainId, name: DEFAULT_DOMAIN.name });
    const seed = seedOf(options.config);
    const roles = await ensureRoles(tx);
    const projects = await new ProjectRepository().ensure(tx, domainId, seed.projects);
    const passwords = new SeedPasswords(options.passwords, options.config);
    const users = await passwords.ensure(tx, domainId, seed.users);
    const assignments = seed.users.flatMap((user) =>
      assignmentsOf(user, domainId, {
        user: idOf(users, user.name),
        project: idOf(projects, user.project),
        roles: user.roles.map((role) => idOf(roles, role)),
      }),
    );
    await new RoleAssignmentRepository().ensure(tx, assignments);
    await seedCatalog(tx, options.config);
    return enableSeed(tx, domainId, seed);
  });
  if (Object.values(enabled).some((names) => names.length > 0))
    options.logger.warn({ enabled }, 'what the cloud cannot do without was disabled');
}

/** The first key signs at once: there is nobody yet who could have read another. */
async function ensureSigningKey(
  ctx: RequestContext,
  { config: { tokenLifetime }, seal }: BootstrapOptions,
): Promise<void> {
  const keys = new SigningKeyRepository();
  if ((await keys.list(ctx)).length === 0)
    await keys.insert(ctx, await generateSigningKey(seal), { signsInSeconds: 0, tokenLifetime });
  await keys.coverLifetime(ctx, tokenLifetime);
}

/** An inference that was removed since stays removed: it is made together with its roles only. */
async function ensureRoles(ctx: RequestContext): Promise<ReadonlyMap<string, RoleId>> {
  const { ids, made } = await new RoleRepository().ensure(ctx, ROLES);
  const inferences = INFERENCES.filter((names) => names.some((name) => made.has(name)));
  await new RoleInferenceRepository().ensure(
    ctx,
    inferences.map(([prior, implied]) => ({
      prior: idOf(ids, prior),
      implied: idOf(ids, implied),
    })),
  );
  return ids;
}

function assignmentsOf(
  { alsoOn }: SeedUser,
  domainId: DomainId,
  ids: { readonly user: string; readonly project: string; readonly roles: readonly string[] },
): Assignment[] {
  const targets: AssignmentTarget[] = [
    { kind: 'project', id: ids.project },
    ...alsoOn.map((kind) => (kind === 'domain' ? { kind, id: domainId } : { kind })),
  ];
  const actor = { kind: 'user', id: ids.user } as const;
  return targets.flatMap((target) =>
    ids.roles.map((roleId) => ({ actor, roleId, target, inherited: false })),
  );
}

function idOf<T>(ids: ReadonlyMap<string, T>, name: string): T {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`the seed names ${name}, which it does not make`);
  return id;
}
