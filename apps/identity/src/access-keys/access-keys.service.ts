import { Inject, Injectable } from '@nestjs/common';
import type { DomainId, ProjectId, UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { CONFIG } from '@cumulet/common/service/tokens';
import { NotFoundError } from '../resource/resource.errors.js';
import type { IdentityConfig } from '../config.js';
import type { CredentialId } from '../credentials/credential.entity.js';
import { CredentialsService } from '../credentials/credentials.service.js';
import { accessKeyId, signingSecret } from '../credentials/ec2-blob.js';
import { lockForIssue } from '../revocations/issuance-lock.js';
import { ScopeRepository } from '../tokens/scope.repository.js';
import { UserRepository } from '../users/user.repository.js';

/** An access key with all that a request signed with it may do, as of a moment. */
export interface AccessKey {
  readonly access: string;
  /** In clear: version 2 and version 4 of the signature are both made from the secret itself. */
  readonly secret: string;
  readonly credentialId: CredentialId;
  readonly userId: UserId;
  readonly userDomainId: DomainId;
  readonly projectId: ProjectId;
  readonly projectDomainId: DomainId;
  /** By name. */
  readonly roles: readonly string[];
  /** Milliseconds since the epoch by the database's clock: whatever is revoked later is not yet seen. */
  readonly issuedAt: number;
  /** Until then a revocation of it is listed among the events; it must not be used for longer. */
  readonly expiresAt: number;
}

/**
 * Access keys for the service that checks signatures by itself.
 *
 * Always holds: what is handed out is like a token. It is made of rows as they were at its moment of
 * issue, and a revocation that commits afterwards revokes it.
 */
@Injectable()
export class AccessKeysService {
  constructor(
    @Inject(CONFIG) private readonly config: IdentityConfig,
    private readonly credentials: CredentialsService,
    private readonly users: UserRepository,
    private readonly scopes: ScopeRepository,
  ) {}

  /**
   * @throws NotFoundError also where the user, a domain or the project is disabled, and
   *   where the user has no role on the project any more
   */
  async get(ctx: RequestContext, access: string): Promise<AccessKey> {
    const key = await inTransaction(ctx, async (tx) => {
      const issuedAt = await lockForIssue(tx);
      return this.#read(tx, access, issuedAt);
    });
    if (!key) throw new NotFoundError('access key', access);
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
