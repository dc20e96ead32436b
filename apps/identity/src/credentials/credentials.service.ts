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

/** Its secret allows logins as its user. */
const TOTP = 'totp';

export const credentials = new ResourceTable(Credential, 'credential', {
  refusals: {
    credentials_pkey: ({ id = '' }) =>
      new DomainError(
        'conflict',
        `A credential with the id ${id} exists already: the access key is in use.`,
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
 * Always holds: blobs are stored encrypted, and a revocation event tells services that remember an
 * access key of each change. Public source: Keystone API reference, "Credentials".
 */
@Injectable()
export class CredentialsService {
  constructor(
    private readonly seal: Seal,
    private readonly revocations: RevocationsService,
  ) {}

  /** Does not authorise. */
  async find(ctx: RequestContext, id: string): Promise<OpenCredential | undefined> {
    const row = await credentials.find(ctx, id);
    return row && this.#open(row);
  }

  /** The secrets for logins that the user created in person, since they allow all that it may. */
  async listSeeds(ctx: RequestContext, userId: string): Promise<string[]> {
    const rows = await credentials.select(ctx, [
      equals('userId', userId),
      equals('type', TOTP),
      ...isBoundAs({ trustId: null, applicationCredentialId: null }),
    ]);
    return rows.map(({ sealedBlob }) => this.seal.open(sealedBlob));
  }

  /**
   * @param scope limits the list to what the caller may see; a delegated token sees only what its
   *   delegation created
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

  /** Access keys whose maker was not recorded. @throws MarkerNotFoundError */
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

  /** @throws as `make`, and ForbiddenError for a restricted token */
  create(ctx: RequestContext, dto: CreateCredentialDto): Promise<OpenCredential> {
    refuseRestricted(ctx);
    return this.make(ctx, dto);
  }

  /**
   * Does not authorise. The delegation of a delegated token limits what it creates, and ends it.
   * @throws InvalidInputError for an access key without a project or of another form
   * @throws DomainError for an access key in use; NotFoundError for its user or project, and for a
   *   delegation that was removed since
   * @throws ForbiddenError for what a delegated token cannot create
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
   * An access key keeps its ID, and so is still found by the key with which it was created.
   * @throws ForbiddenError for another user, unless the caller is an administrator; InvalidInputError
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

/** The delegation of the caller; both null in person. */
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
 * The project and the delegation of the credentials that the caller reaches; undefined for all. A
 * delegated token reaches what it has created: others may be worth more. In Keystone it reaches none.
 * Public source: Keystone's source, `keystone/api/credentials.py`.
 */
function reachOf(ctx: RequestContext): Reach | undefined {
  const { delegation, projectId = asId('') } = ctx.fields;
  return delegation && { projectId, ...bindingOf(ctx) };
}

/** @throws ForbiddenError for a credential of another project or delegation than the token's */
export function refuseOutOfReach(ctx: RequestContext, credential: Reach): void {
  const reach = reachOf(ctx);
  if (!reach) return;
  const { projectId, trustId, applicationCredentialId } = credential;
  if (reach.projectId !== projectId) {
    const where = projectId === null ? 'has no project' : `belongs to the project ${projectId}`;
    throw new ForbiddenError(
      `The credential ${where}; a delegated token can use credentials of its own project only.`,
    );
  }
  if (reach.trustId !== trustId || reach.applicationCredentialId !== applicationCredentialId)
    throw new ForbiddenError(
      `The credential was not created by the ${delegationIn(reach)}; a delegated token can use only credentials that its delegation created.`,
    );
}

/**
 * A credential must not be worth more than the delegation that creates or changes it.
 * @throws ForbiddenError for another user or project than the token's, and for what logs its user in
 */
function refuseByDelegation(ctx: RequestContext, wanted: Made): void {
  const reach = reachOf(ctx);
  if (!reach) return;
  if (wanted.userId !== ctx.userId)
    throw new ForbiddenError(
      `A token of the ${delegationIn(reach)} can create credentials of its own user only, ${ctx.userId}.`,
    );
  refuseOutOfReach(ctx, wanted);
  if (wanted.type.toLowerCase() === TOTP)
    throw new ForbiddenError(
      `A token of the ${delegationIn(reach)} cannot create credentials of the type ${TOTP}: they allow logins with all roles of the user.`,
    );
}

function delegationIn({ trustId, applicationCredentialId }: Binding): string {
  return trustId === null
    ? `application credential ${applicationCredentialId ?? ''}`
    : `trust ${trustId}`;
}

/** @throws ForbiddenError for a trust or a restricted application credential */
function refuseRestricted(ctx: RequestContext): void {
  if (isRestricted(ctx))
    throw new ForbiddenError(
      'Tokens of trusts and of restricted application credentials cannot create or change credentials.',
    );
}
