import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Seal } from '@cumulet/common/crypto/seal';
import {
  DomainError,
  ForbiddenError,
  InvalidInputError,
} from '@cumulet/common/errors/domain-error';
import { equals, type Condition } from '@cumulet/common/tables/condition';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { FixedPropertyError, notFoundBy, refuseEmpty } from '../resource/resource.errors.js';
import { newId } from '../database/new-id.js';
import { isRestricted } from '../policy/caller.js';
import { NOTHING } from '../policy/policy-target.js';
import { authorise } from '../policy/policy.js';
import type { PageQuery } from '../resource/resource.dto.js';
import { ResourceTable } from '../resource/resource.service.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import {
  type Binding,
  type CreateCredentialDto,
  Credential,
  type CredentialId,
  type ListCredentialsQuery,
  type OpenCredential,
  type UpdateCredentialDto,
} from './credential.resource.js';
import {
  accessKeyId,
  boundBlob,
  EC2,
  isEc2,
  readEc2Blob,
  refuseOtherDelegation,
} from './ec2-blob.js';

/** Whoever has the secret of such a one logs in as its user. */
const TOTP = 'totp';

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
    credentials_application_credential_id_fkey: notFoundBy(
      'application credential',
      'applicationCredentialId',
    ),
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

  /** The secrets that a user has given in person by which to log in: they are worth all that it may. */
  async listSeeds(ctx: RequestContext, userId: string): Promise<string[]> {
    const rows = await credentials.select(ctx, [
      equals('userId', userId),
      equals('type', TOTP),
      ...isBoundAs({ trustId: null, applicationCredentialId: null }),
    ]);
    return rows.map(({ sealedBlob }) => this.seal.open(sealedBlob));
  }

  /**
   * @param scope what the caller may see; a delegated token sees those that were made by its
   *   delegation alone
   * @throws MarkerNotFoundError
   */
  async list(
    ctx: RequestContext,
    query: ListCredentialsQuery,
    scope: readonly Condition[],
  ): Promise<PageOfRows<OpenCredential>> {
    const reach = reachOf(ctx);
    const { rows, more } = await credentials.page(ctx, query, [
      ...scope,
      ...(reach ? [equals('projectId', reach.projectId), ...isBoundAs(reach)] : []),
    ]);
    return { rows: rows.map((row) => this.#open(row)), more };
  }

  /**
   * The access keys that act for their user although an application credential may have made them,
   * without their secrets.
   * @throws MarkerNotFoundError
   */
  listOfUnknownMakers(ctx: RequestContext, query: PageQuery): Promise<PageOfRows<Credential>> {
    return credentials.page(ctx, query, [
      equals('type', EC2),
      equals('isMakerKnown', false),
      equals('trustId', null),
    ]);
  }

  /** @throws NotFoundError, ForbiddenError for what a delegated token does not reach */
  async get(ctx: RequestContext, id: string): Promise<OpenCredential> {
    const credential = this.#open(await credentials.get(ctx, id));
    refuseOutOfReach(ctx, credential);
    return credential;
  }

  /** @throws as `make`, and ForbiddenError for a token that makes access keys at most */
  create(ctx: RequestContext, dto: CreateCredentialDto): Promise<OpenCredential> {
    refuseRestricted(ctx);
    return this.make(ctx, dto);
  }

  /**
   * Does not check who asks. What a token of a delegation makes acts within that, is of its user and
   * project, and is removed with it.
   * @throws InvalidInputError for an access key without a project or of another form
   * @throws DomainError for an access key that is taken; NotFoundError for its user or project, and for
   *   a delegation that has been removed meanwhile
   * @throws ForbiddenError for what a delegated token cannot make
   */
  async make(ctx: RequestContext, dto: CreateCredentialDto): Promise<OpenCredential> {
    const { user_id: userId, project_id: projectId = null, type } = dto;
    const binding = bindingOf(ctx);
    refuseByDelegation(ctx, { userId, projectId, type, ...binding });
    const blob = isEc2(type) ? boundBlob(dto.blob, binding) : dto.blob;
    const id = isEc2(type) ? accessKeyId(accessOf({ projectId, blob })) : newId<CredentialId>();
    const columns = { ...credentials.changeOf(ctx, dto), ...binding, isMakerKnown: true };
    const sealedBlob = this.seal.seal(blob);
    return this.#open(await credentials.insert(ctx, { ...columns, id, sealedBlob }));
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
      refuseRestricted(tx);
      refuseByDelegation(tx, after);
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

  #open({ sealedBlob, createdAt: _, isMakerKnown: __, ...columns }: Credential): OpenCredential {
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

type Reach = Binding & { readonly projectId: string | null };

interface Made extends Reach {
  readonly userId: string;
  readonly type: string;
}

/** By what the caller acts; neither in person. */
function bindingOf({ fields: { delegation } }: RequestContext): Binding {
  const idOf = (kind: string): string | null => (delegation?.kind === kind ? delegation.id : null);
  const [trustId, credentialId] = [idOf('trust'), idOf('application-credential')];
  return {
    trustId: trustId === null ? null : asId(trustId),
    applicationCredentialId: credentialId === null ? null : asId(credentialId),
  };
}

function isBoundAs({ trustId, applicationCredentialId }: Binding): Condition[] {
  return [equals('trustId', trustId), equals('applicationCredentialId', applicationCredentialId)];
}

/**
 * What a credential must be of for the caller to reach it; undefined where it reaches all. Public
 * source: Keystone's source, `keystone/api/credentials.py`, on delegated tokens, which reach no
 * credential there. Here they reach what they have made: all others of their user may be worth more.
 */
function reachOf(ctx: RequestContext): Reach | undefined {
  const { delegation, projectId = asId('') } = ctx.fields;
  return delegation && { projectId, ...bindingOf(ctx) };
}

/** @throws ForbiddenError if a delegated token is of another project or delegation than the credential */
export function refuseOutOfReach(ctx: RequestContext, credential: Reach): void {
  const reach = reachOf(ctx);
  if (!reach) return;
  const { projectId, trustId, applicationCredentialId } = credential;
  if (reach.projectId !== projectId) {
    const where = projectId === null ? 'is of no project' : `is of the project ${projectId}`;
    throw new ForbiddenError(
      `The credential ${where}; a delegated token reaches those of its own project alone.`,
    );
  }
  if (reach.trustId !== trustId || reach.applicationCredentialId !== applicationCredentialId)
    throw new ForbiddenError(
      `The credential was not made by the ${delegationIn(reach)}, whose token reaches no other.`,
    );
}

/**
 * What is made, or becomes of a credential, must be worth no more than the delegation.
 * @throws ForbiddenError for another user or project than the token's, and for what logs its user in
 */
function refuseByDelegation(ctx: RequestContext, wanted: Made): void {
  const reach = reachOf(ctx);
  if (!reach) return;
  if (wanted.userId !== ctx.userId)
    throw new ForbiddenError(
      `A token of the ${delegationIn(reach)} makes credentials of its own user alone, ${ctx.userId}.`,
    );
  refuseOutOfReach(ctx, wanted);
  if (wanted.type.toLowerCase() === TOTP)
    throw new ForbiddenError(
      `A token of the ${delegationIn(reach)} makes no credential of the type ${TOTP}: whoever has one logs in as its user, with all roles.`,
    );
}

function delegationIn({ trustId, applicationCredentialId }: Binding): string {
  return trustId === null
    ? `application credential ${applicationCredentialId ?? ''}`
    : `trust ${trustId}`;
}

/**
 * Only access keys are made by trusts, and nothing by a restricted application credential.
 * @throws ForbiddenError
 */
function refuseRestricted(ctx: RequestContext): void {
  if (isRestricted(ctx))
    throw new ForbiddenError(
      'Tokens of trusts and of restricted application credentials neither make nor change credentials.',
    );
}
