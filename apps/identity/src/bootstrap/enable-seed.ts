/**
 * What the cloud cannot do without is enabled again at each start, so that a start lets in again
 * whoever has shut everybody out. Public source: Keystone administrator guide, "Bootstrapping
 * Identity", which is its tool for recovery.
 */
import type { DomainId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainRepository } from '../domains/domain.repository.js';
import { ProjectRepository } from '../projects/project.repository.js';
import { UserRepository } from '../users/user.repository.js';
import type { Seed } from './seed.js';

/** The names of what was disabled. */
export type EnabledAgain = Readonly<Record<'domains' | 'projects' | 'users', readonly string[]>>;

export async function enableSeed(
  ctx: RequestContext,
  domainId: DomainId,
  { projects, users }: Seed,
): Promise<EnabledAgain> {
  return {
    domains: await new DomainRepository().enable(ctx, domainId),
    projects: await new ProjectRepository().enable(ctx, domainId, indispensable(projects)),
    users: await new UserRepository().enable(ctx, domainId, indispensable(users)),
  };
}

type Named = Pick<Seed['projects'][number], 'name' | 'isIndispensable'>;

function indispensable(seeds: readonly Named[]): string[] {
  return seeds.filter((seed) => seed.isIndispensable).map(({ name }) => name);
}
