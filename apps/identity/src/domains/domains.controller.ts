import { Controller } from '@nestjs/common';
import { Feature } from '@cumulet/common/service/feature';
import { changeOf } from '../resource/resource.dto.js';
import { crudController } from '../resource/crud.controller.js';
import {
  CreateDomainDto,
  Domain,
  DomainDto,
  DomainView,
  ListDomainsQuery,
} from './domain.resource.js';
import { DomainsService } from './domains.service.js';

@Controller('v3/domains')
export class DomainsController extends crudController({
  kind: 'domain',
  service: DomainsService,
  query: ListDomainsQuery,
  create: CreateDomainDto,
  update: changeOf(DomainDto),
  view: DomainView,
  errors: { create: [409], update: [409], delete: [409] },
}) {}

@Feature({ controllers: [DomainsController], providers: [DomainsService], entities: [Domain] })
export class DomainsModule {}
