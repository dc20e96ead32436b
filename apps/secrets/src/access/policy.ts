/**
 * The policy of secrets and containers, with the names and defaults of Barbican's
 * (`barbican/common/policies`), except that administrators act on those of every project, as in all
 * services. As in Barbican, they read payloads of their own project only.
 *
 * A sister service is a member of the project that it names (http/acting-project.ts).
 */
import { hasRole } from '@cumulet/common/auth/access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { OwnedRow } from './owned.js';

export type Owned = Pick<OwnedRow, 'projectId' | 'creatorId' | 'projectAccess' | 'aclUsers'>;

type Persona = keyof typeof PERSONAS;
type Holds = (ctx: RequestContext, owned: Owned) => boolean;

const PERSONAS = {
  administrator: ({ isAdmin }) => isAdmin,
  'administrator of its project': (ctx, owned) => ctx.isAdmin && isOwn(ctx, owned),
  'member of its project unless it is private': (ctx, owned) =>
    isMember(ctx, owned) && owned.projectAccess,
  'its creator as a member': (ctx, owned) => isMember(ctx, owned) && owned.creatorId === ctx.userId,
  'user on its ACL': (ctx, owned) => owned.aclUsers.includes(ctx.userId),
} as const satisfies Readonly<Record<string, Holds>>;

const MEMBERS = [
  'member of its project unless it is private',
  'its creator as a member',
] as const satisfies readonly Persona[];

const WRITERS: readonly Persona[] = ['administrator', ...MEMBERS];
const READERS: readonly Persona[] = [...WRITERS, 'user on its ACL'];
const OPENERS: readonly Persona[] = ['administrator of its project', ...MEMBERS, 'user on its ACL'];

export const POLICY = {
  'secret:get': READERS,
  'secret:decrypt': OPENERS,
  'secret:put': WRITERS,
  'secret:delete': WRITERS,
  'secret_meta:get': READERS,
  'secret_meta:post': WRITERS,
  'secret_meta:put': WRITERS,
  'secret_meta:delete': WRITERS,
  'secret_acls:get': WRITERS,
  'secret_acls:put_patch': WRITERS,
  'secret_acls:delete': WRITERS,
  'secret_consumers:get': READERS,
  'secret_consumers:post': READERS,
  'secret_consumers:delete': READERS,
  'container:get': READERS,
  'container:delete': WRITERS,
  'container_secret:post': WRITERS,
  'container_secret:delete': WRITERS,
  'container_acls:get': WRITERS,
  'container_acls:put_patch': WRITERS,
  'container_acls:delete': WRITERS,
  'container_consumers:get': READERS,
  'container_consumers:post': READERS,
  'container_consumers:delete': READERS,
} as const satisfies Readonly<Record<string, readonly Persona[]>>;

export type PolicyName = keyof typeof POLICY;

export function isAllowed(ctx: RequestContext, owned: Owned, operation: PolicyName): boolean {
  return POLICY[operation].some((persona) => PERSONAS[persona](ctx, owned));
}

function isOwn(ctx: RequestContext, { projectId }: Owned): boolean {
  return projectId === ctx.projectId;
}

function isMember(ctx: RequestContext, owned: Owned): boolean {
  return isOwn(ctx, owned) && hasRole(ctx.roles, 'member');
}
