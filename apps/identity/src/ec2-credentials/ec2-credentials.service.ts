import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { CredentialNotFoundError } from '../credentials/credential.errors.js';
import { CredentialRepository, type OpenCredential } from '../credentials/credential.repository.js';
import { reachOf, refuseForeignProject, refuseWriting } from '../credentials/delegation-bounds.js';
import { accessKeyId, EC2, newEc2Blob } from '../credentials/ec2-blob.js';
import { ProjectNotFoundError } from '../projects/project.errors.js';
import { ProjectRepository } from '../projects/project.repository.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import { ScopeRepository } from '../tokens/scope.repository.js';
import { UserNotFoundError } from '../users/user.errors.js';
import { UserRepository } from '../users/user.repository.js';
import { NoRoleOnProjectError } from './ec2-credential.errors.js';

const ACCESS_BYTES = 16;
const SECRET_BYTES = 32;

/**
 * Access keys that identity makes, named by the key itself.
 *
 * Always holds: a key is looked for among those of the user in the path alone, for which the policy
 * let the caller in.
 */
@Injectable()
export class Ec2CredentialsService {
  constructor(
    private readonly credentials: CredentialRepository,
    private readonly users: UserRepository,
    private readonly projects: ProjectRepository,
    private readonly scopes: ScopeRepository,
    private readonly revocations: RevocationsService,
  ) {}

  /** @throws UserNotFoundError */
  async list(ctx: RequestContext, userId: string): Promise<OpenCredential[]> {
    await this.#user(ctx, userId);
    return this.credentials.list(ctx, { userId, type: EC2, within: reachOf(ctx) }, {});
  }

  /**
   * @throws UserNotFoundError, ProjectNotFoundError
   * @throws NoRoleOnProjectError where the user has none
   */
  async create(ctx: RequestContext, userId: string, projectId: string): Promise<OpenCredential> {
    refuseWriting(ctx, projectId);
    await this.#user(ctx, userId);
    if (!(await this.projects.find(ctx, projectId))) throw new ProjectNotFoundError(projectId);
    if (!(await this.scopes.project(ctx, asId(userId), { id: projectId })))
      throw new NoRoleOnProjectError(userId, projectId);
    const access = randomBytes(ACCESS_BYTES).toString('hex');
    const credential: OpenCredential = {
      id: accessKeyId(access),
      userId: asId(userId),
      projectId: asId(projectId),
      type: EC2,
      blob: newEc2Blob(access, randomBytes(SECRET_BYTES).toString('hex')),
      extra: {},
    };
    await this.credentials.insert(ctx, credential);
    return credential;
  }

  /** @throws UserNotFoundError, CredentialNotFoundError, ForeignProjectError */
  async get(ctx: RequestContext, userId: string, access: string): Promise<OpenCredential> {
    await this.#user(ctx, userId);
    const credential = await this.credentials.findOf(ctx, userId, accessKeyId(access), EC2);
    if (!credential) throw new CredentialNotFoundError(access);
    refuseForeignProject(ctx, credential.projectId);
    return credential;
  }

  /** @throws UserNotFoundError, CredentialNotFoundError, ForeignProjectError */
  async delete(ctx: RequestContext, userId: string, access: string): Promise<void> {
    await this.revocations.change(ctx, async (tx) => {
      const { id } = await this.get(tx, userId, access);
      await this.credentials.delete(tx, id);
      await this.revocations.revoke(tx, { credentialId: id });
    });
  }

  async #user(ctx: RequestContext, userId: string): Promise<void> {
    if (!(await this.users.find(ctx, userId))) throw new UserNotFoundError(userId);
  }
}
