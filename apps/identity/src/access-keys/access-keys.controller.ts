import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Shown, viewOf } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { SortedBy } from '@cumulet/common/tables/listing';
import { RuleView } from '../access-rules/access-rule.dto.js';
import type { Credential } from '../credentials/credential.entity.js';
import { CredentialsService } from '../credentials/credentials.service.js';
import { timestamp } from '../http/timestamp.js';
import { Protected } from '../policy/protected.js';
import { PageQuery } from '../resource/resource.dto.js';
import { listedUnder, pageView, shownUnder } from '../resource/resource.view.js';
import type { CredentialDelegation, TrustDelegation } from '../tokens/token.js';
import { AccessKeysService, type AccessKey } from './access-keys.service.js';

/** The trust within which a key acts, with everybody whose end ends it. */
class AccessKeyTrustView {
  @Shown(String, 'Its id.')
  id: string;

  @Shown<TrustDelegation>(String, 'Whose roles it gives.', { from: ({ trustorId }) => trustorId })
  trustor_user_id: string;

  @Shown<TrustDelegation>(String, 'To whom it was given.', { from: ({ trusteeId }) => trusteeId })
  trustee_user_id: string;

  @Shown<TrustDelegation>([String], 'Who passed it on before.', {
    from: ({ intermediaryIds = [] }) => intermediaryIds,
  })
  intermediary_user_ids: readonly string[];
}

/** The application credential within which a key acts, and with which it ends. */
class AccessKeyCredentialView {
  @Shown(String, 'Its id.')
  id: string;

  @Shown(Boolean, 'Whether it may manage its user’s credentials and trusts.')
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

/** An access key as sister services read it: an interface of this platform alone. */
class AccessKeyView {
  @Shown(String, 'The access key.')
  access: string;

  @Shown(String, 'What its requests are signed with.')
  secret: string;

  @Shown(String, 'Id of the credential that it is, as revocation events name it.')
  credential_id: string;

  @Shown(String, 'The user that it acts for.')
  user_id: string;

  @Shown(String, 'The domain of that user.')
  user_domain_id: string;

  @Shown(String, 'The project that it is for.')
  project_id: string;

  @Shown(String, 'The domain of that project.')
  project_domain_id: string;

  @Shown([String], 'What it may do, by name.')
  roles: readonly string[];

  @Shown<AccessKey>(() => AccessKeyTrustView, 'The trust within which it acts.', {
    nullable: true,
    from: ({ trust }) => trust && trustView(trust),
  })
  trust: AccessKeyTrustView | null;

  @Shown<AccessKey>(
    () => AccessKeyCredentialView,
    'The application credential within which it acts.',
    {
      nullable: true,
      from: ({ applicationCredential }) =>
        applicationCredential && credentialView(applicationCredential),
    },
  )
  application_credential: AccessKeyCredentialView | null;

  @Shown<AccessKey>('date-time', 'What is revoked later is not seen yet.', {
    from: ({ issuedAt }) => timestamp(issuedAt),
  })
  issued_at: string;

  @Shown<AccessKey>('date-time', 'Until when it may be used without being read again.', {
    from: ({ expiresAt }) => timestamp(expiresAt),
  })
  expires_at: string;
}

const view = viewOf<AccessKey, AccessKeyView>(AccessKeyView);

@SortedBy(['createdAt'])
class ListAccessKeysQuery extends PageQuery {}

/** An access key without what it signs with. */
class UnknownMakersKeyView {
  @Shown(String, 'Id of the credential that it is.')
  id: string;

  @Shown(String, 'The user that it acts for.')
  user_id: string;

  @Shown(String, 'The project that it is for.', { nullable: true })
  project_id: string | null;

  @Shown<Credential>('date-time', 'When it was made.', {
    from: ({ createdAt }) => timestamp(createdAt.getTime()),
  })
  created_at: string;
}

const listView = viewOf<Credential, UnknownMakersKeyView>(UnknownMakersKeyView);

/**
 * Ours alone: Keystone has services send it each signature; here no request to s3 waits for
 * identity.
 */
@ApiTags('access keys')
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
        'Those from before keys were bound to the application credential that makes them: they act for their user, as they did.',
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
  controllers: [AccessKeysController],
  providers: [AccessKeysService],
})
export class AccessKeysModule {}
