/**
 * The login that an access key stands for.
 *
 * Always holds: a key that a delegated token created gives what a login by the delegation would give
 * now, and nothing once its user or project is not the delegation's. Public source: Keystone's
 * source, `keystone/api/_shared/EC2_S3_Resource.py`.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import {
  applicationCredentials,
  hasExpired,
  type LoginCredential,
} from '../application-credentials/application-credential.repository.js';
import type { OpenCredential } from '../credentials/credential.resource.js';
import type { ScopeRequest } from '../roles/scope.repository.js';
import { trusts } from '../trusts/trust.repository.js';
import { users, type Account } from '../users/user.repository.js';

export interface KeyHolder {
  /** The trustee for a key of a trust, otherwise the key's own user. */
  readonly account: Account;
  readonly credential?: LoginCredential | undefined;
  readonly scope: ScopeRequest;
}

type Key = Pick<OpenCredential, 'userId' | 'projectId' | 'trustId' | 'applicationCredentialId'>;

interface Login extends Omit<KeyHolder, 'account'> {
  readonly userId: string;
}

/** @returns undefined for a delegation that has ended, and for a disabled user */
export async function keyHolder(ctx: RequestContext, key: Key): Promise<KeyHolder | undefined> {
  const login = await loginOf(ctx, key);
  if (!login) return undefined;
  const { userId, ...rest } = login;
  const account = await users.findAccount(ctx, { id: userId });
  return account?.enabled ? { account, ...rest } : undefined;
}

function loginOf(ctx: RequestContext, key: Key): Promise<Login | undefined> | Login | undefined {
  const { userId, projectId, trustId, applicationCredentialId } = key;
  if (projectId === null) return undefined;
  if (trustId !== null) return byTrust(ctx, trustId, key);
  if (applicationCredentialId !== null) return byCredential(ctx, applicationCredentialId, key);
  return { userId, scope: { kind: 'project', project: { id: projectId } } };
}

async function byTrust(
  ctx: RequestContext,
  trustId: string,
  { userId, projectId }: Key,
): Promise<Login | undefined> {
  const trust = await trusts.findUsable(ctx, trustId);
  const actsAs = trust?.impersonation ? trust.trustorUserId : trust?.trusteeUserId;
  if (trust?.projectId !== projectId || actsAs !== userId) return undefined;
  return { userId: trust.trusteeUserId, scope: { kind: 'trust', trustId } };
}

async function byCredential(
  ctx: RequestContext,
  id: string,
  { userId, projectId }: Key,
): Promise<Login | undefined> {
  const credential = await applicationCredentials.findForLogin(ctx, { id });
  if (!credential || hasExpired(credential)) return undefined;
  if (credential.projectId !== projectId || credential.userId !== userId) return undefined;
  // It is limited to one project, which need not be named.
  return { userId, credential, scope: { kind: 'default' } };
}
