import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { newId } from '../database/new-id.js';
import { refuseEmpty } from '../http/refuse-empty.js';
import { FixedPropertyError } from '../http/resource-errors.js';
import { NOTHING } from '../policy/policy-target.js';
import { authorise } from '../policy/policy.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import { CredentialNotFoundError, Ec2ProjectRequiredError } from './credential.errors.js';
import { CredentialRepository, type OpenCredential } from './credential.repository.js';
import { refuseForeignProject, refuseWriting } from './delegation-bounds.js';
import { accessKeyId, isEc2, readEc2Blob, refuseOtherDelegation } from './ec2-blob.js';

export type NewCredential = Omit<OpenCredential, 'id'>;
/** What is undefined stays as it is. */
export type CredentialChange = {
  readonly [Field in keyof NewCredential]?: NewCredential[Field] | undefined;
};

/**
 * Credentials of any type, as their clients give them. Public source: Keystone API reference,
 * "Credentials".
 *
 * Always holds: whoever remembers an access key learns by a revocation event that it has changed.
 */
@Injectable()
export class CredentialsService {
  constructor(
    private readonly credentials: CredentialRepository,
    private readonly revocations: RevocationsService,
  ) {}

  /** @throws CredentialNotFoundError, ForeignProjectError */
  async get(ctx: RequestContext, id: string): Promise<OpenCredential> {
    const credential = await this.credentials.find(ctx, id);
    if (!credential) throw new CredentialNotFoundError(id);
    refuseForeignProject(ctx, credential.projectId);
    return credential;
  }

  /**
   * @throws InvalidInputError for an access key without a project or of another form
   * @throws CredentialExistsError, UserNotFoundError, ProjectNotFoundError
   */
  async create(ctx: RequestContext, wanted: NewCredential): Promise<OpenCredential> {
    refuseWriting(ctx, wanted.projectId);
    const credential: OpenCredential = { ...wanted, id: idOf(wanted) };
    await this.credentials.insert(ctx, credential);
    return credential;
  }

  /**
   * An access key keeps its id, and so is found by the key that it was made with, whatever its blob
   * says afterwards.
   * @throws ForbiddenError where it would become another user's, and the caller is no administrator
   * @throws InvalidInputError for what cannot be changed
   */
  async update(ctx: RequestContext, id: string, change: CredentialChange): Promise<OpenCredential> {
    refuseEmpty('credential', change);
    return this.revocations.change(ctx, async (tx) => {
      const before = await this.get(tx, id);
      const after = changed(before, change);
      authorise(tx, 'identity:update_credential', { ...NOTHING, ownerIds: [after.userId] });
      refuseWriting(tx, after.projectId);
      checkChange(before, after);
      await this.credentials.update(tx, after);
      await this.revocations.revoke(tx, { credentialId: id });
      return after;
    });
  }

  /** @throws CredentialNotFoundError, ForeignProjectError */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.revocations.change(ctx, async (tx) => {
      await this.get(tx, id);
      await this.credentials.delete(tx, id);
      await this.revocations.revoke(tx, { credentialId: id });
    });
  }
}

function idOf(wanted: NewCredential): OpenCredential['id'] {
  if (!isEc2(wanted.type)) return newId();
  return accessKeyId(accessOf(wanted));
}

/** @throws InvalidInputError for an access key without a project or of another form */
function accessOf({ projectId, blob }: NewCredential): string {
  if (projectId === null) throw new Ec2ProjectRequiredError();
  return readEc2Blob(blob).access;
}

function changed(before: OpenCredential, change: CredentialChange): OpenCredential {
  const { userId, projectId, type, blob, extra } = change;
  return {
    id: before.id,
    userId: userId ?? before.userId,
    projectId: projectId === undefined ? before.projectId : projectId,
    type: type ?? before.type,
    blob: blob ?? before.blob,
    extra: { ...before.extra, ...extra },
  };
}

function checkChange(before: OpenCredential, after: OpenCredential): void {
  // The id says which of the two it is: of an access key it is made from the key.
  if (isEc2(before.type) !== isEc2(after.type)) throw new FixedPropertyError('credential.type');
  if (!isEc2(after.type)) return;
  accessOf(after);
  refuseOtherDelegation(before.blob, after.blob);
}
