import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { selectRows } from '@cumulet/common/database/rows';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { Body, Delete, Get, Post } from '@nestjs/common';
import { InNamespace, MetadefController, NameParam } from '../metadef-requests.js';
import {
  AssociationDto,
  AssociationList,
  associationOf,
  AssociationView,
  associationView,
  MetadefAssociation,
  metadefAssociations,
  MetadefResourceType,
  ResourceTypeList,
  resourceTypeView,
} from './resource-type.resource.js';

@MetadefController('resource_types')
export class ResourceTypesController {
  @Get()
  @Allow('reader')
  @Operation('List resource types', ResourceTypeList)
  async list(@Ctx() ctx: RequestContext): Promise<object> {
    const rows = await selectRows(ctx.manager, MetadefResourceType, 'ORDER BY name');
    return { resource_types: rows.map(resourceTypeView) };
  }
}

@MetadefController('namespaces/:namespace_name/resource_types')
export class AssociationsController {
  @Post()
  @Allow('admin')
  @Operation('Associate a resource type', AssociationView, { creates: true, errors: [409] })
  async create(
    @Ctx() ctx: RequestContext,
    @InNamespace() namespace: string,
    @Body() body: AssociationDto,
  ): Promise<object> {
    return associationView(await metadefAssociations.create(ctx, namespace, associationOf(body)));
  }

  @Get()
  @Allow('reader')
  @Operation('List associated resource types', AssociationList)
  async list(@Ctx() ctx: RequestContext, @InNamespace() namespace: string): Promise<object> {
    const rows = await metadefAssociations.list(ctx, namespace);
    return { resource_type_associations: rows.map(associationView) };
  }

  @Delete(':name')
  @Allow('admin')
  @Operation('Dissociate a resource type', null)
  delete(
    @Ctx() ctx: RequestContext,
    @InNamespace() namespace: string,
    @NameParam('name') name: string,
  ): Promise<void> {
    return metadefAssociations.remove(ctx, namespace, name);
  }
}

@Feature({
  controllers: [ResourceTypesController, AssociationsController],
  entities: [MetadefResourceType, MetadefAssociation],
})
export class ResourceTypesModule {}
