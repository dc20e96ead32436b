import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Seal } from '@cumulet/common/crypto/seal';
import {
  DomainError,
  ForbiddenError,
  InvalidInputError,
} from '@cumulet/common/errors/domain-error';
import { equals, equalsIfGiven, type Condition } from '@cumulet/common/tables/condition';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { FixedPropertyError, notFoundBy, refuseEmpty } from '../resource/resource.errors.js';
import { newId } from '../database/new-id.js';
import { isRestricted } from '../policy/caller.js';
import { NOTHING } from '../policy/policy-target.js';
import { authorise } from '../policy/policy.js';
import { ResourceTable } from '../resource/resource.service.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import type { TrustId } from '../trusts/trust.entity.js';
import type {
  CreateCredentialDto,
  ListCredentialsQuery,
  UpdateCredentialDto,
} from './credential.dto.js';
import { Credential, type CredentialId, type OpenCredential } from './credential.entity.js';
import { accessKeyId, isEc2, readEc2Blob, refuseOtherDelegation } from './ec2-blob.js';

export const credentials = new ResourceTable(Credential, 'credential', {
  refusals: {
    // Another credential, anybody's, has the same access key.
    credentials_pkey: ({ id = '' }) =>
      new DomainError(
        'conflict',
        `A credential with the id ${id} exists already: its access key is taken.`,
      ),
    credentials_user_id_fkey: notFoundBy('user'),
    credentials_project_id_fkey: notFoundBy('project'),
    credentials_trust_id_fkey: notFoundBy('trust'),
  },
});

/**
 * Credentials of any type, as their clients give them. Public source: Keystone API reference,
 * "Credentials".
 *
 * Always holds: rows hold blobs only sealed, and a service that remembers an access key learns from
 * a revocation event that it has changed.
 */
@Injectable()
export class CredentialsService {
  constructor(
    private readonly seal: Seal,
    private readonly revocations: RevocationsService,
  ) {}

  /** Does not check who asks. */
  async find(ctx: RequestContext, id: string): Promise<OpenCredential | undefined> {
    const row = await credentials.find(ctx, id);
    return row && this.#open(row);
  }

  /** The secrets of one type that a user has. */
  async listBlobs(ctx: RequestContext, userId: string, type: string): Promise<string[]> {
    const rows = await credentials.select(ctx, [equals('userId', userId), equals('type', type)]);
    return rows.map(({ sealedBlob }) => this.seal.open(sealedBlob));
  }

  /**
   * @param scope what the caller may see; a delegated token sees those of its project alone, and
   *   of a trust those that were made by it
   * @throws MarkerNotFoundError
   */
  async list(
    ctx: RequestContext,
    query: ListCredentialsQuery,
    scope: readonly Condition[],
  ): Promise<PageOfRows<OpenCredential>> {
    const { projectId, trustId } = reachOf(ctx);
    const { rows, more } = await credentials.page(ctx, query, [
      ...scope,
      ...equalsIfGiven('projectId', projectId),
      ...equalsIfGiven('trustId', trustId),
    ]);
    return { rows: rows.map((row) => this.#open(row)), more };
  }

  /** @throws NotFoundError, ForbiddenError for what a delegated token does not reach */
  async get(ctx: RequestContext, id: string): Promise<OpenCredential> {
    const credential = this.#open(await credentials.get(ctx, id));
    refuseOutOfReach(ctx, credential);
    return credential;
  }

  /**
   * @throws InvalidInputError for an access key without a project or of another form
   * @throws DomainError for an access key that is taken, and NotFoundError for its user or project
   */
  async create(ctx: RequestContext, dto: CreateCredentialDto): Promise<OpenCredential> {
    refuseWriting(ctx, dto.project_id ?? null);
    return this.#insert(ctx, dto, null);
  }

  /**
   * An access key that acts within the trust of the caller's token, and is removed with it.
   * @throws ForbiddenError for another user or project than the token's; NotFoundError for a trust
   *   that has been removed meanwhile
   */
  async createWithin(
    ctx: RequestContext,
    trustId: TrustId,
    dto: CreateCredentialDto,
  ): Promise<OpenCredential> {
    if (dto.user_id !== ctx.userId)
      throw new ForbiddenError(
        `A token of a trust makes access keys of its own user alone, ${ctx.userId}.`,
      );
    refuseOutOfReach(ctx, { projectId: dto.project_id ?? null, trustId });
    return this.#insert(ctx, dto, trustId);
  }

  async #insert(
    ctx: RequestContext,
    dto: CreateCredentialDto,
    trustId: TrustId | null,
  ): Promise<OpenCredential> {
    const { project_id: projectId = null, type, blob } = dto;
    const id = isEc2(type) ? accessKeyId(accessOf({ projectId, blob })) : newId<CredentialId>();
    const columns = credentials.changeOf(ctx, dto);
    const sealedBlob = this.seal.seal(blob);
    return this.#open(await credentials.insert(ctx, { ...columns, id, trustId, sealedBlob }));
  }

  /**
   * An access key keeps its id, so it is still found by the key that it was made with, whatever its
   * blob says afterwards.
   * @throws ForbiddenError if it would become another user's, unless the caller is an administrator
   * @throws InvalidInputError for what cannot be changed
   */
  async update(
    ctx: RequestContext,
    id: string,
    { id: _id, links: _links, ...dto }: UpdateCredentialDto,
  ): Promise<OpenCredential> {
    refuseEmpty('credential', dto);
    return this.revocations.change(ctx, async (tx) => {
      const row = await credentials.get(tx, id);
      const before = this.#open(row);
      const change = credentials.changeOf(tx, dto, row);
      const after = { ...before, ...change, blob: dto.blob ?? before.blob };
      refuseOutOfReach(tx, before);
      authorise(tx, 'identity:update_credential', { ...NOTHING, ownerIds: [after.userId] });
      refuseWriting(tx, after.projectId);
      checkChange(before, after);
      const sealedBlob = this.seal.seal(after.blob);
      const changed = await credentials.update(tx, id, { ...change, sealedBlob });
      await this.revocations.revoke(tx, { credentialId: id });
      return this.#open(changed);
    });
  }

  /** @throws NotFoundError, ForbiddenError for what a delegated token does not reach */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.revocations.change(ctx, async (tx) => {
      await this.get(tx, id);
      await credentials.delete(tx, id);
      await this.revocations.revoke(tx, { credentialId: id });
    });
  }

  #open({ sealedBlob, createdAt: _, ...columns }: Credential): OpenCredential {
    return { ...columns, blob: this.seal.open(sealedBlob) };
  }
}

type Checked = Pick<OpenCredential, 'type' | 'blob'> & { readonly projectId: string | null };

/** @throws InvalidInputError for an access key without a project or of another form */
function accessOf({ projectId, blob }: Omit<Checked, 'type'>): string {
  if (projectId === null)
    throw new InvalidInputError(
      'Invalid input: credential.project_id is required for the type ec2.',
    );
  return readEc2Blob(blob).access;
}

function checkChange(before: Checked, after: Checked): void {
  // The id depends on the type: an access key's is made from the key.
  if (isEc2(before.type) !== isEc2(after.type)) throw new FixedPropertyError('credential.type');
  if (!isEc2(after.type)) return;
  accessOf(after);
  refuseOtherDelegation(before.blob, after.blob);
}

type Reach = Pick<OpenCredential, 'trustId'> & { readonly projectId: string | null };

/**
 * What a credential must be of for the caller to reach it; nothing where it reaches all. Public
 * source: Keystone's source, `keystone/api/credentials.py`, on delegated tokens, which are bound to
 * their project whatever their roles, even an administrator's. Unlike there, a trust does not show
 * the keys that its trustor has besides: they can do more.
 */
function reachOf({ fields: { delegation, projectId = asId('') } }: RequestContext): Partial<Reach> {
  if (delegation === undefined) return {};
  return delegation.kind === 'trust' ? { projectId, trustId: asId(delegation.id) } : { projectId };
}

/** @throws ForbiddenError if a delegated token is of another project or trust than the credential */
export function refuseOutOfReach(ctx: RequestContext, { projectId, trustId }: Reach): void {
  const reach = reachOf(ctx);
  if (reach.projectId !== undefined && reach.projectId !== projectId) {
    const where = projectId === null ? 'is of no project' : `is of the project ${projectId}`;
    throw new ForbiddenError(
      `The credential ${where}; a delegated token reaches those of its own project alone.`,
    );
  }
  if (reach.trustId !== undefined && reach.trustId !== trustId)
    throw new ForbiddenError(
      `The credential was not made by the trust ${reach.trustId ?? ''}, whose token reaches no other.`,
    );
}

/**
 * A credential would outlive the delegation by which it was made; only an access key can end with it.
 * @throws ForbiddenError for a token of a trust or a restricted application credential, and if the
 *   token is of another project than the credential
 */
export function refuseWriting(ctx: RequestContext, projectId: string | null): void {
  if (isRestricted(ctx))
    throw new ForbiddenError(
      'Tokens of trusts and of restricted application credentials neither make nor change credentials.',
    );
  refuseOutOfReach(ctx, { projectId, trustId: null });
}
