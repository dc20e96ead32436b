import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { equals } from '@cumulet/common/tables/condition';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { NotFoundError } from '../resource/resource.errors.js';
import type { OpenCredential } from '../credentials/credential.entity.js';
import { CredentialsService, refuseOutOfReach } from '../credentials/credentials.service.js';
import { accessKeyId, EC2, newEc2Blob } from '../credentials/ec2-blob.js';
import { refuseRestrictedCredential } from '../policy/caller.js';
import { projects } from '../projects/project.repository.js';
import { scopes } from '../roles/scope.repository.js';
import { users } from '../users/user.repository.js';

const ACCESS_BYTES = 16;
const SECRET_BYTES = 32;

/**
 * Access keys that identity makes, named by the key itself.
 *
 * Always holds: a key is looked for among those of the user in the path alone, for which the policy
 * let the caller in. One that is made by a token of a trust or of an application credential acts within
 * that, and ends with it.
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
    // An access key would be good for nothing there. What a delegation gives is looked up at each use.
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
