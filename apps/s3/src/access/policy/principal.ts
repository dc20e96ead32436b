/**
 * Whom a statement is about. Pure. Public source: IAM user guide, "AWS JSON policy elements:
 * Principal". A project is an account: `arn:aws:iam::{project}:root`, or its id alone; a user is
 * `arn:aws:iam::{project}:user/{user_id}`.
 */
import type { Caller, SignedCaller } from '../../auth/caller.js';

export type PrincipalPattern =
  | { readonly kind: 'everybody' }
  | { readonly kind: 'project'; readonly id: string }
  | { readonly kind: 'user'; readonly projectId: string; readonly id: string }
  /** Roles, services and federations: nobody signs as one here. */
  | { readonly kind: 'nobody' };

const KINDS = new Set(['AWS', 'CanonicalUser', 'Federated', 'Service']);
const PROJECT = /^[\w-]{1,64}$/;
const ARN = /^arn:aws[\w-]*:(iam|sts)::([\w-]*):(.+)$/;
const USER = /^user\/(?:.*\/)?([^/]+)$/;

/** @returns undefined for what is no principal */
export function principalOf(kind: string, text: string): PrincipalPattern | undefined {
  if (!KINDS.has(kind) || text === '') return undefined;
  if (kind === 'Federated' || kind === 'Service') return { kind: 'nobody' };
  if (text === '*') return kind === 'AWS' ? { kind: 'everybody' } : undefined;
  if (PROJECT.test(text)) return { kind: 'project', id: text };
  const [, service, projectId = '', rest = ''] = ARN.exec(text) ?? [];
  // Nobody is named by a part of a name.
  if (kind !== 'AWS' || service === undefined || /[*?]/.test(rest)) return undefined;
  if (service === 'iam' && rest === 'root') return { kind: 'project', id: projectId };
  const [, id] = USER.exec(rest) ?? [];
  if (service === 'iam' && id !== undefined) return { kind: 'user', projectId, id };
  return { kind: 'nobody' };
}

export function isMeantBy(caller: Caller, principal: PrincipalPattern): boolean {
  if (principal.kind === 'everybody') return true;
  if (principal.kind === 'nobody' || caller.kind === 'anonymous') return false;
  if (principal.kind === 'project') return caller.projectId === principal.id;
  return caller.projectId === principal.projectId && caller.userId === principal.id;
}

export function arnOf({ projectId, userId }: SignedCaller): string {
  return `arn:aws:iam::${projectId}:user/${userId}`;
}
