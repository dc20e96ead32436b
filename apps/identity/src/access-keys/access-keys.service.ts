import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { ForbiddenError, UnauthenticatedError } from '@cumulet/common/errors/domain-error';
import { CONFIG } from '@cumulet/common/service/tokens';
import { NotFoundError } from '../resource/resource.errors.js';
import type { IdentityConfig } from '../config.js';
import type { OpenCredential } from '../credentials/credential.entity.js';
import { CredentialsService } from '../credentials/credentials.service.js';
import { accessKeyId, signingSecret } from '../credentials/ec2-blob.js';
import { lockForIssue } from '../revocations/issuance-lock.js';
import { grantOf, type TokenGrant } from '../tokens/token-grants.js';
import { keyHolder } from './key-holder.js';

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
   * @throws NotFoundError also if a user, a domain or the project is disabled, if the user no longer
   *   has a role on the project, or if the key's trust or application credential gives nothing any more
   */
  get(ctx: RequestContext, access: string) {
    return inTransaction(ctx, async (tx) => {
      const issuedAt = await lockForIssue(tx);
      const credential = await this.credentials.find(tx, accessKeyId(access));
      // In clear: version 2 and version 4 of the signature are both made from the secret itself.
      const secret = credential && signingSecret(credential);
      const grant = credential && secret !== undefined ? await grantFor(tx, credential) : undefined;
      if (!credential || secret === undefined || grant?.scope.kind !== 'project')
        throw new NotFoundError('access key', access);
      const { user, scope, delegation, notAfter } = grant;
      // Until then a revocation of it is listed among the events.
      const latest = issuedAt + this.config.tokenLifetime * 1000;
      return {
        access,
        secret,
        credentialId: credential.id,
        userId: user.id,
        userDomainId: user.domainId,
        projectId: scope.project.id,
        projectDomainId: scope.domain.id,
        roles: scope.roles.map(({ name }) => name),
        trust: delegation?.kind === 'trust' ? delegation : null,
        applicationCredential: delegation?.kind === 'application-credential' ? delegation : null,
        issuedAt,
        expiresAt: Math.min(latest, notAfter?.getTime() ?? latest),
      };
    });
  }
}

/** What whoever holds the key would get by a login; undefined where that would be refused. */
async function grantFor(
  tx: RequestContext,
  credential: OpenCredential,
): Promise<TokenGrant | undefined> {
  const holder = await keyHolder(tx, credential);
  try {
    return holder && (await grantOf(tx, holder, holder.asked));
  } catch (error) {
    if (error instanceof UnauthenticatedError || error instanceof ForbiddenError) return undefined;
    throw error;
  }
}
