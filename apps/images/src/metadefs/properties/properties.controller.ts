import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { Get, Query } from '@nestjs/common';
import { definitionsController } from '../definitions.controller.js';
import {
  InNamespace,
  MetadefController,
  NameParam,
  ResourceTypeQuery,
} from '../metadef-requests.js';
import { metadefAssociations } from '../resource-types/resource-type.resource.js';
import {
  metadefProperties,
  MetadefProperty,
  PropertyDto,
  PropertyList,
  propertyOf,
  propertyView,
  schemasByName,
} from './property.resource.js';

const Definitions = definitionsController<MetadefProperty, PropertyDto>({
  words: { one: 'a property definition', many: 'property definitions' },
  definitions: metadefProperties,
  parameter: 'property_name',
  body: PropertyDto,
  view: PropertyDto,
  list: PropertyList,
  rowOf: propertyOf,
  viewOf: propertyView,
  listOf: (rows) => ({ properties: schemasByName(rows) }),
});

@MetadefController('namespaces/:namespace_name/properties')
export class PropertiesController extends Definitions {
  /** With a resource type, the name must have the association's prefix. */
  @Get(':property_name')
  @Allow('reader')
  @Operation('Show a property definition', PropertyDto)
  override async show(
    @Ctx() ctx: RequestContext,
    @InNamespace() namespace: string,
    @NameParam('property_name') name: string,
    @Query() { resource_type: resourceType }: ResourceTypeQuery = {},
  ): Promise<object> {
    if (!resourceType) return super.show(ctx, namespace, name);
    const { prefix } = await metadefAssociations.show(ctx, namespace, resourceType);
    if (prefix && name.startsWith(prefix))
      return super.show(ctx, namespace, name.slice(prefix.length));
    throw new DomainError(
      'not-found',
      prefix === null
        ? `No property '${name}' found: names have no prefix for '${resourceType}'.`
        : `No property '${name}' found: for '${resourceType}' it must start with '${prefix}'.`,
    );
  }
}

@Feature({ controllers: [PropertiesController], entities: [MetadefProperty] })
export class PropertiesModule {}
