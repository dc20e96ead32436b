/**
 * Brings the rows that every cloud needs into being, at each start.
 *
 * Always holds: it runs in one transaction under a lock, so that replicas that start together make
 * everything once; what is there already is left as it is, but for a password whose setting has
 * changed.
 */
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
import { RoleAssignmentRepository } from '../role-assignments/role-assignment.repository.js';
import type { NewAssignment } from '../role-assignments/role-assignment.repository.js';
import { RoleRepository } from '../roles/role.repository.js';
import { generateSigningKey } from '../signing-keys/generate-signing-key.js';
import { SigningKeyRepository } from '../signing-keys/signing-key.repository.js';
import { DEFAULT_DOMAIN, ROLES, seedOf, type SeedUser } from './seed.js';
import { SeedPasswords } from './seed-passwords.js';

const LOCK = 'cumulet:identity:bootstrap';

export interface BootstrapOptions {
  readonly config: IdentityConfig;
  readonly passwords: PasswordHasher;
  readonly seal: Seal;
}

export async function bootstrap(ctx: RequestContext, options: BootstrapOptions): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await transactionLock(tx.manager, LOCK);
    await ensureSigningKey(tx, options.seal);
    const domainId = asId<DomainId>(DEFAULT_DOMAIN.id);
    await new DomainRepository().ensure(tx, { id: domainId, name: DEFAULT_DOMAIN.name });
    const seed = seedOf(options.config);
    const roles = await new RoleRepository().ensure(tx, ROLES);
    const projects = await new ProjectRepository().ensure(tx, domainId, seed.projects);
    const passwords = new SeedPasswords(options.passwords, options.config.secretKey);
    const users = await passwords.ensure(tx, domainId, seed.users);
    const assignments = seed.users.flatMap((user) =>
      assignmentsOf(user, domainId, {
        user: idOf(users, user.name),
        project: idOf(projects, user.project),
        roles: user.roles.map((role) => idOf(roles, role)),
      }),
    );
    await new RoleAssignmentRepository().ensure(tx, assignments);
  });
}

async function ensureSigningKey(ctx: RequestContext, seal: Seal): Promise<void> {
  const keys = new SigningKeyRepository();
  if (!(await keys.newest(ctx))) await keys.insert(ctx, await generateSigningKey(seal));
}

function assignmentsOf(
  { alsoOn }: SeedUser,
  domainId: DomainId,
  ids: {
    readonly user: NewAssignment['userId'];
    readonly project: Extract<NewAssignment['target'], { projectId: unknown }>['projectId'];
    readonly roles: readonly NewAssignment['roleId'][];
  },
): NewAssignment[] {
  const targets: NewAssignment['target'][] = [
    { projectId: ids.project },
    ...alsoOn.map((one) => (one === 'domain' ? { domainId } : { system: true as const })),
  ];
  return targets.flatMap((target) =>
    ids.roles.map((roleId) => ({ userId: ids.user, roleId, target })),
  );
}

function idOf<T>(ids: ReadonlyMap<string, T>, name: string): T {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`the seed names ${name}, which it does not make`);
  return id;
}
