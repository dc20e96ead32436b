import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { IdentityConfig } from '../config.js';
import { CredentialRepository } from '../credentials/credential.repository.js';
import { accessKeyId, signingSecret } from '../credentials/ec2-blob.js';
import { IDENTITY_CONFIG } from '../injection-tokens.js';
import { lockForIssue } from '../revocations/issuance-lock.js';
import { ScopeRepository } from '../tokens/scope.repository.js';
import { UserRepository } from '../users/user.repository.js';
import { AccessKeyNotFoundError } from './access-key.errors.js';
import type { AccessKey } from './access-key.js';

/**
 * Access keys for the service that checks signatures by itself.
 *
 * Always holds: what is handed out is like a token. It is made of rows as they were at its moment of
 * issue, and a revocation that commits afterwards revokes it.
 */
@Injectable()
export class AccessKeysService {
  constructor(
    @Inject(IDENTITY_CONFIG) private readonly config: IdentityConfig,
    private readonly credentials: CredentialRepository,
    private readonly users: UserRepository,
    private readonly scopes: ScopeRepository,
  ) {}

  /**
   * @throws AccessKeyNotFoundError also where the user, a domain or the project is disabled, and
   *   where the user has no role on the project any more
   */
  async get(ctx: RequestContext, access: string): Promise<AccessKey> {
    const key = await inTransaction(ctx, async (tx) => {
      const issuedAt = await lockForIssue(tx);
      return this.#read(tx, access, issuedAt);
    });
    if (!key) throw new AccessKeyNotFoundError(access);
    return key;
  }

  async #read(
    tx: RequestContext,
    access: string,
    issuedAt: number,
  ): Promise<AccessKey | undefined> {
    const credential = await this.credentials.find(tx, accessKeyId(access));
    const secret = credential && signingSecret(credential);
    if (!credential || credential.projectId === null || secret === undefined) return undefined;
    const user = await this.users.findAccount(tx, { id: credential.userId });
    if (!user?.enabled) return undefined;
    const scope = await this.scopes.project(tx, user.id, { id: credential.projectId });
    if (scope?.kind !== 'project') return undefined;
    return {
      access,
      secret,
      credentialId: credential.id,
      userId: user.id,
      userDomainId: user.domainId,
      projectId: scope.project.id,
      projectDomainId: scope.domain.id,
      roles: scope.roles.map(({ name }) => name),
      issuedAt,
      expiresAt: issuedAt + this.config.tokenLifetime * 1000,
    };
  }
}
