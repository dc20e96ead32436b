/** Public source: Keystone API reference, "OS-EC2". */
import { randomBytes } from 'node:crypto';
import { Body, Controller, Delete, Get, Injectable, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { asId } from '@cumulet/common/context/ids';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { StringField } from '@cumulet/common/http/fields';
import { Operation } from '@cumulet/common/http/operation';
import { answerClass, Shown, viewOf } from '@cumulet/common/http/shown';
import { equals } from '@cumulet/common/tables/condition';
import type { PageOfRows } from '@cumulet/common/tables/table';
import type { OpenCredential } from '../credentials/credential.resource.js';
import { CredentialsService, refuseOutOfReach } from '../credentials/credentials.service.js';
import {
  accessKeyId,
  EC2,
  type Ec2Blob,
  newEc2Blob,
  readEc2Blob,
} from '../credentials/ec2-blob.js';
import { refuseRestrictedCredential } from '../policy/caller.js';
import { Protected } from '../policy/protected.js';
import { projects } from '../projects/project.repository.js';
import { NotFoundError } from '../resource/resource.errors.js';
import { LinksView, listedUnder, pageView, shownUnder } from '../resource/resource.view.js';
import { scopes } from '../roles/scope.repository.js';
import { users } from '../users/user.repository.js';

class CreateEc2CredentialBody {
  @StringField({ max: 64, description: 'The ID of the project that the access key is for.' })
  tenant_id: string;
}

type Ec2Credential = Ec2Blob & Pick<OpenCredential, 'userId' | 'projectId'>;

const Ec2CredentialView = answerClass('Ec2CredentialView', {
  access: Shown(String, 'The access key.'),
  secret: Shown(String, 'The secret that signs requests.', { nullable: true }),
  user_id: Shown(String, 'The ID of the user that it belongs to.'),
  tenant_id: Shown<Ec2Credential>(String, 'The ID of the project on which it acts.', {
    nullable: true,
    from: ({ projectId }) => projectId,
  }),
  trust_id: Shown(String, 'The ID of the trust that limits it.', { nullable: true }),
  links: Shown(() => LinksView, 'Links to the access key.'),
});

const shown: (row: Ec2Credential) => object = viewOf(Ec2CredentialView);

/** The link leads to `/v3`, also from `/v2.0`. */
function ec2CredentialView(credential: OpenCredential, baseUrl: string): object {
  const { userId, projectId, blob } = credential;
  const ec2 = readEc2Blob(blob);
  const path = `/v3/users/${userId}/credentials/OS-EC2/${encodeURIComponent(ec2.access)}`;
  return { ...shown({ ...ec2, userId, projectId }), links: { self: baseUrl + path } };
}

const ACCESS_BYTES = 16;
const SECRET_BYTES = 32;

/**
 * Always holds: a key is looked up among those of the user in the path, whom the policy has checked.
 * One that a delegated token creates is limited by the delegation, and ends with it.
 */
@Injectable()
export class Ec2CredentialsService {
  constructor(private readonly credentials: CredentialsService) {}

  /** @throws NotFoundError */
  async list(ctx: RequestContext, userId: string): Promise<PageOfRows<OpenCredential>> {
    await users.get(ctx, userId);
    return this.credentials.list(ctx, {}, [equals('userId', userId), equals('type', EC2)]);
  }

  /** @throws NotFoundError, ForbiddenError where the user has no role on the project */
  async create(ctx: RequestContext, userId: string, projectId: string): Promise<OpenCredential> {
    refuseRestrictedCredential(ctx, 'access keys');
    await users.get(ctx, userId);
    await projects.get(ctx, projectId);
    // Such a key would be useless. The roles of a delegation are looked up at each use.
    const isInPerson = ctx.fields.delegation === undefined;
    if (isInPerson && !(await scopes.project(ctx, asId(userId), { id: projectId })))
      throw new ForbiddenError(
        `The user ${userId} has no role on the project ${projectId}, or the project is disabled.`,
      );
    const access = randomBytes(ACCESS_BYTES).toString('hex');
    const blob = newEc2Blob(access, randomBytes(SECRET_BYTES).toString('hex'));
    return this.credentials.make(ctx, { user_id: userId, project_id: projectId, type: EC2, blob });
  }

  /** @throws NotFoundError, ForbiddenError for what a delegated token does not reach */
  async get(ctx: RequestContext, userId: string, access: string): Promise<OpenCredential> {
    await users.get(ctx, userId);
    const credential = await this.credentials.find(ctx, accessKeyId(access));
    if (credential?.userId !== userId || credential.type !== EC2)
      throw new NotFoundError('credential', access);
    refuseOutOfReach(ctx, credential);
    return credential;
  }

  /** @throws NotFoundError, ForbiddenError as `get` */
  async delete(ctx: RequestContext, userId: string, access: string): Promise<void> {
    const { id } = await this.get(ctx, userId, access);
    await this.credentials.delete(ctx, id);
  }
}

const answer = shownUnder('credential', Ec2CredentialView);

/** `credential_id` is the access key. Old clients know the prefix of version 2.0 only. */
@ApiTags('access keys')
@Controller(['v3/users/:user_id/credentials/OS-EC2', 'v2.0/users/:user_id/credentials/OS-EC2'])
export class Ec2CredentialsController {
  constructor(private readonly credentials: Ec2CredentialsService) {}

  @Get()
  @Protected('identity:ec2_list_credentials')
  @Operation('List access keys', listedUnder('credentials', Ec2CredentialView))
  async list(@Ctx() ctx: RequestContext, @Param('user_id') userId: string): Promise<object> {
    const page = await this.credentials.list(ctx, userId);
    return pageView(ctx, 'credentials', page, ec2CredentialView);
  }

  @Post()
  @Protected('identity:ec2_create_credential')
  @Operation('Create an access key', answer, { creates: true })
  async create(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
    @Body() { tenant_id: projectId }: CreateEc2CredentialBody,
  ): Promise<object> {
    const credential = await this.credentials.create(ctx, userId, projectId);
    return { credential: ec2CredentialView(credential, ctx.baseUrl) };
  }

  @Get(':credential_id')
  @Protected('identity:ec2_get_credential')
  @Operation('Show an access key', answer)
  async show(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
    @Param('credential_id') access: string,
  ): Promise<object> {
    const credential = await this.credentials.get(ctx, userId, access);
    return { credential: ec2CredentialView(credential, ctx.baseUrl) };
  }

  @Delete(':credential_id')
  @Protected('identity:ec2_delete_credential')
  @Operation('Delete an access key', null)
  delete(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
    @Param('credential_id') access: string,
  ): Promise<void> {
    return this.credentials.delete(ctx, userId, access);
  }
}
