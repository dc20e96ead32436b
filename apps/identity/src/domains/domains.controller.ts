import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { changeOf } from '../resource/change-of.js';
import { crudController } from '../resource/crud.controller.js';
import { CreateDomainDto, DomainDto, DomainView, ListDomainsQuery } from './domain.dto.js';
import { Domain } from './domain.entity.js';
import { DomainRepository } from './domain.repository.js';
import { DomainsService } from './domains.service.js';

const Crud = crudController<Domain, DomainDto>({
  kind: 'domain',
  query: ListDomainsQuery,
  create: CreateDomainDto,
  update: changeOf(DomainDto),
  view: DomainView,
  errors: { create: [409], update: [409], delete: [409] },
});

@ApiTags('domains')
@Controller('v3/domains')
export class DomainsController extends Crud {
  constructor(override readonly service: DomainsService) {
    super(service);
  }
}

@Feature({
  controllers: [DomainsController],
  providers: [DomainsService, DomainRepository],
  entities: [Domain],
})
export class DomainsModule {}
