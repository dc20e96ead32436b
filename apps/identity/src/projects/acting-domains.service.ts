import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { DomainDto } from '../domains/domain.dto.js';
import { DomainsService } from '../domains/domains.service.js';
import { authorise } from '../policy/policy.js';
import { FixedPropertyError } from '../resource/resource.errors.js';
import type { ProjectDto } from './project.dto.js';
import { domainAsProject, type ShownProject } from './project.view.js';

/**
 * Projects that act as domains (`is_domain`): domains, made, changed and removed in the shape of
 * projects. Public source: Keystone API reference, "Create project".
 *
 * Always holds: who may not do it to a domain may not do it here.
 */
@Injectable()
export class ActingDomainsService {
  constructor(private readonly domains: DomainsService) {}

  /** @throws InvalidInputError for one below another, or as `DomainsService.create` */
  async create(ctx: RequestContext, dto: ProjectDto): Promise<ShownProject> {
    authorise(ctx, 'identity:create_domain');
    for (const property of ['domain_id', 'parent_id'] as const)
      if (dto[property] != null)
        throw new InvalidInputError(
          `Invalid input: a project that acts as a domain is at the root of its tree: project.${property} cannot be '${dto[property]}'.`,
        );
    return domainAsProject(await this.domains.create(ctx, domainDtoOf(dto)));
  }

  /** @throws FixedPropertyError for a place below another, or as `DomainsService.update` */
  async update(ctx: RequestContext, id: string, dto: Partial<ProjectDto>): Promise<ShownProject> {
    authorise(ctx, 'identity:update_domain');
    for (const property of ['domain_id', 'parent_id'] as const)
      if (dto[property] != null) throw new FixedPropertyError(`project.${property}`);
    if (dto.is_domain === false) throw new FixedPropertyError('project.is_domain');
    return domainAsProject(await this.domains.update(ctx, id, domainDtoOf(dto)));
  }

  /** With all that it owns, as the domain that it is. @throws as `DomainsService.delete` */
  delete(ctx: RequestContext, id: string): Promise<void> {
    authorise(ctx, 'identity:delete_domain');
    return this.domains.delete(ctx, id);
  }
}

/** @throws InvalidInputError for properties of its own, which domains do not keep */
function domainDtoOf<Dto extends Partial<ProjectDto>>(
  dto: Dto,
): Pick<Dto, keyof Dto & keyof DomainDto> {
  const { domain_id: _domain, parent_id: _parent, is_domain: _is, extra = {}, ...shared } = dto;
  const [unknown] = Object.keys(extra);
  if (unknown !== undefined)
    throw new InvalidInputError(
      `Invalid input: project.${unknown} is not a property that a domain has.`,
    );
  return shared as unknown as Pick<Dto, keyof Dto & keyof DomainDto>;
}
