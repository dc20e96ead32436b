import { Injectable } from '@nestjs/common';
import type { DomainId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError, ForbiddenError } from '@cumulet/common/errors/domain-error';
import { ImmutableError, refuseImmutable } from '../resource/resource.errors.js';
import { DEFAULT_DOMAIN_ID } from '../policy/caller.js';
import { ResourceService } from '../resource/resource.service.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import type { CreateDomainDto, Domain, DomainDto } from './domain.resource.js';
import { DomainIdTakenError, domains } from './domain.repository.js';

/**
 * Always holds: a disabled or deleted domain, its users and its projects have no valid tokens. Public
 * source: Keystone API reference, "Domains".
 */
@Injectable()
export class DomainsService extends ResourceService<Domain, DomainDto> {
  protected readonly table = domains;

  constructor(private readonly revocations: RevocationsService) {
    super();
  }

  /**
   * Domains are shown as projects too, so no domain and project have the same id.
   * @throws DuplicateNameError, DomainIdTakenError
   */
  override async create(ctx: RequestContext, dto: CreateDomainDto): Promise<Domain> {
    const id = dto.explicit_domain_id ?? undefined;
    if (id !== undefined && (await domains.isProject(ctx, id))) throw new DomainIdTakenError(id);
    return super.create(ctx, dto, id);
  }

  /**
   * @throws NotFoundError, OtherIdError, ImmutableError, DuplicateNameError
   * @throws ForbiddenError for the default domain, DomainError 409 for disabling the caller's
   */
  override update(ctx: RequestContext, id: string, dto: Partial<DomainDto>): Promise<Domain> {
    const work = (tx: RequestContext): Promise<Domain> => super.update(tx, id, dto);
    return dto.enabled === false ? this.revocations.change(ctx, work) : work(ctx);
  }

  /**
   * @throws NotFoundError, DomainError 409 for the caller's own
   * @throws ForbiddenError for the default domain, and for an enabled one: two steps prevent mistakes
   * @throws ImmutableError for the domain, and for what it owns
   */
  override async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.revocations.change(ctx, async (tx) => {
      const domain = await domains.lock(tx, id);
      refuseIndispensable(ctx, id, 'delete');
      refuseImmutable('domain', domain);
      if (domain.enabled)
        throw new ForbiddenError(
          `Cannot delete the domain ${id} while it is enabled. Disable it first.`,
        );
      const immutable = await domains.findImmutable(tx, id);
      if (immutable) throw new ImmutableError(immutable.kind, immutable.id);
      await this.#revokeAll(tx, domain.id);
      const guests = await domains.listGuests(tx, id);
      await this.revocations.revoke(tx, ...guests.map((userId) => ({ userId })));
      await domains.delete(tx, id);
    });
  }

  protected override async allow(
    tx: RequestContext,
    { id, enabled }: Domain,
    change: Partial<Domain>,
  ): Promise<void> {
    if (!enabled || change.enabled !== false) return;
    refuseIndispensable(tx, id, 'disable');
    await this.#revokeAll(tx, id);
  }

  async #revokeAll(tx: RequestContext, domainId: DomainId): Promise<void> {
    const trusts = await domains.listTrusts(tx, domainId);
    await this.revocations.revoke(tx, { domainId }, ...trusts.map((trustId) => ({ trustId })));
  }
}

/** Callers can lock out neither themselves nor everybody else. */
function refuseIndispensable(
  { fields }: RequestContext,
  id: string,
  what: 'delete' | 'disable',
): void {
  // It owns the users and projects of the cloud itself.
  if (id === DEFAULT_DOMAIN_ID)
    throw new ForbiddenError(`Cannot ${what} the domain ${id}: it is the default domain.`);
  if (id === fields.domainId)
    throw new DomainError(
      'conflict',
      `Cannot ${what} the domain ${id}: the token of this request is scoped to it, or to a project in it.`,
    );
}
