/** A parsed bucket policy. Public source: IAM user guide, "IAM JSON policy elements reference". */
import type { Caller, SignedCaller } from '../../auth/caller.js';
import type { ConditionOperator } from './condition-operators.js';
import type { Pattern } from './pattern.js';

export interface Policy {
  readonly statements: readonly Statement[];
}

export interface Statement {
  readonly effect: 'Allow' | 'Deny';
  readonly principals: Listed<PrincipalPattern>;
  /** In lower case, because actions are case-insensitive. */
  readonly actions: Listed<Pattern>;
  readonly resources: Listed<ResourcePattern>;
  /** All of them must hold. */
  readonly conditions: readonly Condition[];
}

/** The items of a list, or (`NotAction`, …) everything else. */
export interface Listed<T> {
  readonly items: readonly T[];
  readonly isNegated: boolean;
}

export interface ResourcePattern {
  /** The project of the bucket; empty for any. */
  readonly account: Pattern;
  /** `bucket`, `bucket/key`. */
  readonly path: Pattern;
}

export interface Condition {
  readonly operator: ConditionOperator;
  /** How a key with several values is taken. */
  readonly quantifier: 'ForAllValues' | 'ForAnyValue' | undefined;
  /** Whether it holds where the key has no value. */
  readonly ifExists: boolean;
  /** In lower case, but for the name of a tag. */
  readonly key: string;
  /** One of them must do. */
  readonly values: readonly Pattern[];
}

/**
 * The principal of a statement. Pure. Public source: IAM user guide, "AWS JSON policy elements:
 * Principal". A project is an account: `arn:aws:iam::{project}:root`, or its id alone; a user is
 * `arn:aws:iam::{project}:user/{user_id}`.
 */
export type PrincipalPattern =
  | { readonly kind: 'everybody' }
  | { readonly kind: 'project'; readonly id: string }
  | { readonly kind: 'user'; readonly projectId: string; readonly id: string }
  /** Roles, services and federations, as which nobody signs here. */
  | { readonly kind: 'nobody' };

const KINDS = new Set(['AWS', 'CanonicalUser', 'Federated', 'Service']);
const PROJECT = /^[\w-]{1,64}$/;
const ARN = /^arn:aws[\w-]*:(iam|sts)::([\w-]*):(.+)$/;
const USER = /^user\/(?:.*\/)?([^/]+)$/;

/** @returns undefined for an invalid principal */
export function principalOf(kind: string, text: string): PrincipalPattern | undefined {
  if (!KINDS.has(kind) || text === '') return undefined;
  if (kind === 'Federated' || kind === 'Service') return { kind: 'nobody' };
  if (text === '*') return kind === 'AWS' ? { kind: 'everybody' } : undefined;
  if (PROJECT.test(text)) return { kind: 'project', id: text };
  const [, service, projectId = '', rest = ''] = ARN.exec(text) ?? [];
  // A principal cannot have wildcards.
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
