import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { collectionLinks } from '../http/collection.view.js';
import { scopeDomainOf } from '../policy/personas.js';
import { Protected } from '../policy/protected.js';
import { ListDomainsQuery } from './domain.dto.js';
import { DomainNotFoundError } from './domain.errors.js';
import { DomainRepository } from './domain.repository.js';
import { domainView } from './domain.view.js';

@ApiTags('domains')
@Controller('v3/domains')
export class DomainsController {
  constructor(private readonly domains: DomainRepository) {}

  @Get()
  @Protected('identity:list_domains')
  async list(@Ctx() ctx: RequestContext, @Query() query: ListDomainsQuery): Promise<object> {
    const domains = await this.domains.list(ctx, {
      name: query.name,
      enabled: query.enabled,
      within: scopeDomainOf(ctx),
    });
    return {
      domains: domains.map((domain) => domainView(domain, ctx.baseUrl)),
      links: collectionLinks(ctx),
    };
  }

  @Get(':domain_id')
  @Protected('identity:get_domain')
  async show(@Ctx() ctx: RequestContext, @Param('domain_id') domainId: string): Promise<object> {
    const domain = await this.domains.find(ctx, domainId);
    if (!domain) throw new DomainNotFoundError(domainId);
    return { domain: domainView(domain, ctx.baseUrl) };
  }
}
