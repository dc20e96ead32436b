import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import type { MetadefView } from '../shown-fields.js';
import { MetadefAssociation } from './association.entity.js';
import { AssociationRepository } from './association.repository.js';
import { AssociationsController } from './associations.controller.js';
import { AssociationsService } from './associations.service.js';
import { MetadefResourceType } from './resource-type.entity.js';
import { ResourceTypeRepository } from './resource-type.repository.js';
import { resourceTypeListView } from './resource-type.view.js';

/** Public source: Image API reference, "List resource types". */
@ApiTags('metadata definitions')
@Controller('v2/metadefs/resource_types')
export class ResourceTypesController {
  constructor(private readonly resourceTypes: ResourceTypeRepository) {}

  @Get()
  @Allow('reader')
  async list(@Ctx() ctx: RequestContext): Promise<MetadefView> {
    return resourceTypeListView(await this.resourceTypes.list(ctx));
  }
}

@Feature({
  controllers: [ResourceTypesController, AssociationsController],
  providers: [AssociationsService, AssociationRepository, ResourceTypeRepository],
  entities: [MetadefResourceType, MetadefAssociation],
})
export class ResourceTypesModule {}
