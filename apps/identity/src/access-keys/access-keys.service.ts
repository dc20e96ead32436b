import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { CONFIG } from '@cumulet/common/service/tokens';
import { NotFoundError } from '../resource/resource.errors.js';
import type { IdentityConfig } from '../config.js';
import { CredentialsService } from '../credentials/credentials.service.js';
import { accessKeyId, signingSecret } from '../credentials/ec2-blob.js';
import { lockForIssue } from '../revocations/issuance-lock.js';
import { scopes } from '../tokens/scope.repository.js';
import { users } from '../users/user.repository.js';

/**
 * An access key with all that a request signed with it may do, as of a moment. Times are milliseconds
 * since the epoch, by the database's clock.
 */
export type AccessKey = Awaited<ReturnType<AccessKeysService['get']>>;

/**
 * Access keys for the service that checks signatures by itself.
 *
 * Always holds: what is handed out is like a token: it is made from the rows as of its time of
 * issue, and a revocation that commits afterwards revokes it.
 */
@Injectable()
export class AccessKeysService {
  constructor(
    @Inject(CONFIG) private readonly config: IdentityConfig,
    private readonly credentials: CredentialsService,
  ) {}

  /**
   * @throws NotFoundError also if the user, a domain or the project is disabled, or if the user no
   *   longer has a role on the project
   */
  get(ctx: RequestContext, access: string) {
    return inTransaction(ctx, async (tx) => {
      const issuedAt = await lockForIssue(tx);
      const credential = await this.credentials.find(tx, accessKeyId(access));
      const projectId = credential?.projectId;
      // In clear: version 2 and version 4 of the signature are both made from the secret itself.
      const secret = credential && signingSecret(credential);
      const user = credential && (await users.findAccount(tx, { id: credential.userId }));
      const scope =
        user?.enabled && projectId
          ? await scopes.project(tx, user.id, { id: projectId })
          : undefined;
      if (!user || !scope || secret === undefined) throw new NotFoundError('access key', access);
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
        // Until then a revocation of it is listed among the events.
        expiresAt: issuedAt + this.config.tokenLifetime * 1000,
      };
    });
  }
}
