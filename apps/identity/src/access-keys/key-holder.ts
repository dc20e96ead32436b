/**
 * Who an access key acts for.
 *
 * Always holds: a key that was made by a token of a trust gives what its trustee would get by the
 * trust now, and nothing where the key is no longer of the user and the project that the trust is
 * about. Public source: Keystone's source, `keystone/api/_shared/EC2_S3_Resource.py`.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { OpenCredential } from '../credentials/credential.entity.js';
import type { ScopeRequest } from '../tokens/scope.repository.js';
import { trusts } from '../trusts/trust.repository.js';
import { users, type Account } from '../users/user.repository.js';

export interface KeyHolder {
  /** Whose login by the trust the key stands for; otherwise the key's own user. */
  readonly account: Account;
  readonly asked: ScopeRequest;
}

type Key = Pick<OpenCredential, 'userId' | 'projectId' | 'trustId'>;

/** @returns undefined where there is nobody: a trust that has ended, a user who is disabled */
export async function keyHolder(
  ctx: RequestContext,
  { userId, projectId, trustId }: Key,
): Promise<KeyHolder | undefined> {
  if (projectId === null) return undefined;
  const trust = trustId === null ? undefined : await trusts.findUsable(ctx, trustId);
  const actsAs = trust?.impersonation ? trust.trustorUserId : trust?.trusteeUserId;
  const isOfTrust = trust?.projectId === projectId && actsAs === userId;
  if (trustId !== null && !isOfTrust) return undefined;
  const account = await users.findAccount(ctx, { id: trust?.trusteeUserId ?? userId });
  if (!account?.enabled) return undefined;
  const asked: ScopeRequest =
    trustId === null ? { kind: 'project', project: { id: projectId } } : { kind: 'trust', trustId };
  return { account, asked };
}
