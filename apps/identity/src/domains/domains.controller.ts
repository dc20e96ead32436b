import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Feature } from '@cumulet/common/service/feature';
import { inexactFilters } from '../http/inexact-filter.js';
import { pageView } from '../http/page.js';
import { Protected } from '../policy/protected.js';
import { DomainDependentsRepository } from './domain-dependents.repository.js';
import { CreateDomainBody, ListDomainsQuery, UpdateDomainBody } from './domain.dto.js';
import { Domain } from './domain.entity.js';
import { DomainRepository } from './domain.repository.js';
import { domainView } from './domain.view.js';
import { DomainsService } from './domains.service.js';

@ApiTags('domains')
@Controller('v3/domains')
export class DomainsController {
  constructor(private readonly domains: DomainsService) {}

  @Get()
  @Protected('identity:list_domains')
  async list(@Ctx() ctx: RequestContext, @Query() query: ListDomainsQuery): Promise<object> {
    const { name, enabled } = query;
    const filter = { name, enabled, inexact: inexactFilters(query) };
    const domains = await this.domains.list(ctx, filter, query);
    return pageView(ctx, query, ['domains', domains], domainView);
  }

  @Post()
  @Protected('identity:create_domain')
  async create(@Ctx() ctx: RequestContext, @Body() { domain }: CreateDomainBody): Promise<object> {
    return { domain: domainView(await this.domains.create(ctx, domain), ctx.baseUrl) };
  }

  @Get(':domain_id')
  @Protected('identity:get_domain')
  async show(@Ctx() ctx: RequestContext, @Param('domain_id') id: string): Promise<object> {
    return { domain: domainView(await this.domains.get(ctx, id), ctx.baseUrl) };
  }

  @Patch(':domain_id')
  @Protected('identity:update_domain')
  async update(
    @Ctx() ctx: RequestContext,
    @Param('domain_id') id: string,
    @Body() { domain }: UpdateDomainBody,
  ): Promise<object> {
    return { domain: domainView(await this.domains.update(ctx, id, domain), ctx.baseUrl) };
  }

  @Delete(':domain_id')
  @Protected('identity:delete_domain')
  @HttpCode(204)
  delete(@Ctx() ctx: RequestContext, @Param('domain_id') id: string): Promise<void> {
    return this.domains.delete(ctx, id);
  }
}

@Feature({
  controllers: [DomainsController],
  providers: [DomainsService, DomainRepository, DomainDependentsRepository],
  entities: [Domain],
})
export class DomainsModule {}
