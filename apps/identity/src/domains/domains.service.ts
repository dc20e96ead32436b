import { Injectable } from '@nestjs/common';
import { asId, type DomainId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { newId } from '../database/new-id.js';
import { changedOptions } from '../http/option-fields.js';
import { refuseOtherId } from '../http/other-id.js';
import { pageStart, type PageQuery } from '../http/page.js';
import { refuseEmpty } from '../http/refuse-empty.js';
import { ImmutableError, refuseImmutable } from '../http/resource-errors.js';
import { trimmedTags } from '../http/tags.js';
import { DEFAULT_DOMAIN_ID } from '../policy/new-domain.js';
import { scopeDomainOf } from '../policy/personas.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import { DomainDependentsRepository } from './domain-dependents.repository.js';
import type { CreateDomainDto, DomainFieldsDto, UpdateDomainDto } from './domain.dto.js';
import type { Domain } from './domain.entity.js';
import {
  DefaultDomainError,
  DomainEnabledError,
  DomainNotFoundError,
  OwnDomainError,
} from './domain.errors.js';
import { DomainRepository, type DomainFields, type DomainFilter } from './domain.repository.js';

/**
 * What domains there are. Public source: Keystone API reference, "Domains".
 *
 * Always holds: no token is of a domain that is disabled or gone, of a user or of a project in it.
 */
@Injectable()
export class DomainsService {
  constructor(
    private readonly domains: DomainRepository,
    private readonly dependents: DomainDependentsRepository,
    private readonly revocations: RevocationsService,
  ) {}

  /**
   * A page of the domains that the caller may see.
   * @throws MarkerNotFoundError
   */
  async list(
    ctx: RequestContext,
    filter: Omit<DomainFilter, 'within'>,
    page: PageQuery,
  ): Promise<Domain[]> {
    const within = scopeDomainOf(ctx);
    const start = await pageStart(page, async (marker) =>
      within === undefined || marker === within ? this.domains.find(ctx, marker) : undefined,
    );
    return this.domains.list(ctx, { ...filter, within }, start);
  }

  /** @throws DomainNotFoundError */
  async get(ctx: RequestContext, id: string): Promise<Domain> {
    const domain = await this.domains.find(ctx, id);
    if (!domain) throw new DomainNotFoundError(id);
    return domain;
  }

  /** @throws DuplicateNameError, DomainIdTakenError */
  async create(ctx: RequestContext, wanted: CreateDomainDto): Promise<DomainFields> {
    const { explicit_domain_id: explicitId } = wanted;
    const id = explicitId == null ? newId<DomainId>() : asId<DomainId>(explicitId);
    const domain = changed({ ...BLANK, id }, wanted);
    await this.domains.insert(ctx, domain);
    return domain;
  }

  /**
   * @throws DomainNotFoundError, OtherIdError, ImmutableError, DuplicateNameError
   * @throws DefaultDomainError, OwnDomainError for one that is not to be disabled
   */
  async update(
    ctx: RequestContext,
    domainId: string,
    { id, links: _, ...change }: UpdateDomainDto,
  ): Promise<DomainFields> {
    refuseOtherId('domain', domainId, id);
    refuseEmpty('domain', { ...change, extra: {} });
    const work = async (tx: RequestContext): Promise<DomainFields> => {
      const before = await this.#lock(tx, domainId);
      if (before.enabled && change.enabled === false) refuseIndispensable(ctx, domainId, 'disable');
      refuseImmutable('domain', before, change);
      const after = changed(before, change);
      await this.domains.update(tx, after);
      if (before.enabled && !after.enabled) await this.#revokeAll(tx, before.id);
      return after;
    };
    return change.enabled === false ? this.revocations.change(ctx, work) : inTransaction(ctx, work);
  }

  /**
   * With all that the domain owns.
   * @throws DomainNotFoundError, DefaultDomainError, OwnDomainError, DomainEnabledError
   * @throws ImmutableError for the domain, and for what is in it
   */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.revocations.change(ctx, async (tx) => {
      const domain = await this.#lock(tx, id);
      refuseIndispensable(ctx, id, 'delete');
      refuseImmutable('domain', domain);
      if (domain.enabled) throw new DomainEnabledError(id);
      const immutable = await this.dependents.findImmutable(tx, id);
      if (immutable) throw new ImmutableError(immutable.kind, immutable.id);
      await this.#revokeAll(tx, domain.id);
      const guests = await this.dependents.listGuests(tx, id);
      await this.revocations.revoke(tx, ...guests.map((userId) => ({ userId })));
      await this.domains.delete(tx, id);
    });
  }

  async #lock(tx: RequestContext, id: string): Promise<Domain> {
    const domain = await this.domains.lock(tx, id);
    if (!domain) throw new DomainNotFoundError(id);
    return domain;
  }

  async #revokeAll(tx: RequestContext, domainId: DomainId): Promise<void> {
    const trusts = await this.dependents.listTrusts(tx, domainId);
    await this.revocations.revoke(tx, { domainId }, ...trusts.map((trustId) => ({ trustId })));
  }
}

/** Nobody shuts itself out, nor everybody else. */
function refuseIndispensable(
  { fields }: RequestContext,
  id: string,
  what: 'delete' | 'disable',
): void {
  if (id === DEFAULT_DOMAIN_ID) throw new DefaultDomainError(id, what);
  if (id === fields.domainId) throw new OwnDomainError(id, what);
}

const BLANK = { name: '', description: '', enabled: true, tags: [], options: {} };

function changed(
  before: DomainFields,
  change: DomainFieldsDto & { readonly name?: string },
): DomainFields {
  const { name, description, enabled, tags, options } = change;
  return {
    id: before.id,
    name: name?.trim() ?? before.name,
    description: description === undefined ? before.description : (description ?? ''),
    enabled: enabled ?? before.enabled,
    tags: tags === undefined ? before.tags : trimmedTags(tags),
    options: changedOptions(before.options, options),
  };
}
