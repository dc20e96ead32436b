import { Controller, Get, Header, Inject, Injectable, Param, Query } from '@nestjs/common';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { ForbiddenError, UnauthenticatedError } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import { Shown, viewOf } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import { SortedBy } from '@cumulet/common/tables/listing';
import { RuleView } from '../application-credentials/application-credential.resource.js';
import type { IdentityConfig } from '../config.js';
import type { Credential, OpenCredential } from '../credentials/credential.resource.js';
import { CredentialsService } from '../credentials/credentials.service.js';
import { accessKeyId, signingSecret } from '../credentials/ec2-blob.js';
import { timestamp } from '../http/timestamp.js';
import { Protected } from '../policy/protected.js';
import { PageQuery } from '../resource/resource.dto.js';
import { NotFoundError } from '../resource/resource.errors.js';
import { listedUnder, pageView, shownUnder } from '../resource/resource.view.js';
import { lockForIssue } from '../revocations/revocation.repository.js';
import { grantOf, type TokenGrant } from '../tokens/token-grants.js';
import type { CredentialDelegation, TrustDelegation } from '../tokens/token.js';
import { Ec2CredentialsController, Ec2CredentialsService } from './ec2-credentials.controller.js';
import { Ec2TokensController, Ec2TokensService } from './ec2-tokens.controller.js';
import { keyHolder } from './key-holder.js';

/** An access key and its rights. Times are milliseconds since the epoch, by the database's clock. */
type AccessKey = Awaited<ReturnType<AccessKeysService['get']>>;

/**
 * Access keys for the S3 service, which checks signatures by itself.
 *
 * Always holds: like a token, an answer is made from the rows as of its time of issue, and a later
 * revocation revokes it.
 */
@Injectable()
export class AccessKeysService {
  constructor(
    @Inject(CONFIG) private readonly config: IdentityConfig,
    private readonly credentials: CredentialsService,
  ) {}

  /**
   * @throws NotFoundError also if a user, a domain or the project is disabled, if the user no longer
   *   has a role on the project, or if the key's delegation has ended
   */
  get(ctx: RequestContext, access: string) {
    return inTransaction(ctx, async (tx) => {
      const issuedAt = await lockForIssue(tx);
      const credential = await this.credentials.find(tx, accessKeyId(access));
      // In plain text: both versions of the signature are made from the secret itself.
      const secret = credential && signingSecret(credential);
      const grant = credential && secret !== undefined ? await grantFor(tx, credential) : undefined;
      if (!credential || secret === undefined || grant?.scope.kind !== 'project')
        throw new NotFoundError('access key', access);
      const { user, scope, delegation, notAfter } = grant;
      // Revocation events are kept for that long.
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

/** The grant of a login by the key; undefined if that would be refused. */
async function grantFor(
  tx: RequestContext,
  credential: OpenCredential,
): Promise<TokenGrant | undefined> {
  const holder = await keyHolder(tx, credential);
  try {
    return holder && (await grantOf(tx, holder, holder.scope));
  } catch (error) {
    if (error instanceof UnauthenticatedError || error instanceof ForbiddenError) return undefined;
    throw error;
  }
}

class AccessKeyTrustView {
  @Shown(String, 'The ID of the trust.')
  id: string;

  @Shown<TrustDelegation>(String, 'The ID of the user whose roles it gives.', {
    from: ({ trustorId }) => trustorId,
  })
  trustor_user_id: string;

  @Shown<TrustDelegation>(String, 'The ID of the user who received it.', {
    from: ({ trusteeId }) => trusteeId,
  })
  trustee_user_id: string;

  @Shown<TrustDelegation>([String], 'The IDs of the users who redelegated it.', {
    from: ({ intermediaryIds = [] }) => intermediaryIds,
  })
  intermediary_user_ids: readonly string[];
}

class AccessKeyCredentialView {
  @Shown(String, 'The ID of the application credential.')
  id: string;

  @Shown(Boolean, "Whether it may manage its user's credentials and trusts.")
  unrestricted: boolean;

  @Shown<CredentialDelegation>(
    [() => RuleView],
    'The requests that it is limited to; null for all that its roles allow.',
    { nullable: true, from: ({ accessRules }) => accessRules ?? null },
  )
  access_rules: readonly RuleView[] | null;
}

const trustView = viewOf<TrustDelegation, AccessKeyTrustView>(AccessKeyTrustView);

const credentialView = viewOf<CredentialDelegation, AccessKeyCredentialView>(
  AccessKeyCredentialView,
);

class AccessKeyView {
  @Shown(String, 'The access key.')
  access: string;

  @Shown(String, 'The secret that signs requests.')
  secret: string;

  @Shown(String, 'The ID of the credential, as revocation events name it.')
  credential_id: string;

  @Shown(String, 'The ID of the user for whom it acts.')
  user_id: string;

  @Shown(String, 'The ID of the domain of that user.')
  user_domain_id: string;

  @Shown(String, 'The ID of the project on which it acts.')
  project_id: string;

  @Shown(String, 'The ID of the domain of that project.')
  project_domain_id: string;

  @Shown([String], 'The names of the roles that it gives.')
  roles: readonly string[];

  @Shown<AccessKey>(() => AccessKeyTrustView, 'The trust that limits it.', {
    nullable: true,
    from: ({ trust }) => trust && trustView(trust),
  })
  trust: AccessKeyTrustView | null;

  @Shown<AccessKey>(() => AccessKeyCredentialView, 'The application credential that limits it.', {
    nullable: true,
    from: ({ applicationCredential }) =>
      applicationCredential && credentialView(applicationCredential),
  })
  application_credential: AccessKeyCredentialView | null;

  @Shown<AccessKey>('date-time', 'When it was read; later revocations are not considered.', {
    from: ({ issuedAt }) => timestamp(issuedAt),
  })
  issued_at: string;

  @Shown<AccessKey>('date-time', 'When it must be read again.', {
    from: ({ expiresAt }) => timestamp(expiresAt),
  })
  expires_at: string;
}

const view = viewOf<AccessKey, AccessKeyView>(AccessKeyView);

@SortedBy(['createdAt'])
class ListAccessKeysQuery extends PageQuery {}

class UnknownMakersKeyView {
  @Shown(String, 'The ID of the credential.')
  id: string;

  @Shown(String, 'The ID of the user for whom it acts.')
  user_id: string;

  @Shown(String, 'The ID of the project on which it acts.', { nullable: true })
  project_id: string | null;

  @Shown<Credential>('date-time', 'When it was made.', {
    from: ({ createdAt }) => timestamp(createdAt.getTime()),
  })
  created_at: string;
}

const listView = viewOf<Credential, UnknownMakersKeyView>(UnknownMakersKeyView);

/** Keystone has services send it each signature; here no request to S3 waits for identity. */
@Controller('v3/OS-EC2/access-keys')
export class AccessKeysController {
  constructor(
    private readonly accessKeys: AccessKeysService,
    private readonly credentials: CredentialsService,
  ) {}

  @Get()
  @Protected('identity:list_access_keys')
  @Operation(
    'List access keys whose maker is not known',
    listedUnder('access_keys', UnknownMakersKeyView),
    {
      description:
        'Lists the access keys that are older than the rule that binds keys to the application credential that makes them. They have all roles of their user on the project.',
      errors: [404],
    },
  )
  async list(@Ctx() ctx: RequestContext, @Query() query: ListAccessKeysQuery): Promise<object> {
    const page = await this.credentials.listOfUnknownMakers(ctx, query);
    return pageView(ctx, 'access_keys', page, listView);
  }

  @Get(':access')
  @Protected('identity:get_access_key')
  @Header('Cache-Control', 'no-store')
  @Operation('Show an access key to a service', shownUnder('access_key', AccessKeyView))
  async show(@Ctx() ctx: RequestContext, @Param('access') access: string): Promise<object> {
    return { access_key: view(await this.accessKeys.get(ctx, access)) };
  }
}

@Feature({
  controllers: [AccessKeysController, Ec2CredentialsController, Ec2TokensController],
  providers: [AccessKeysService, Ec2CredentialsService, Ec2TokensService],
})
export class AccessKeysModule {}
