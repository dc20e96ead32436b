import type { RequestContext } from '@cumulet/common/context/request-context';
import { Injectable } from '@nestjs/common';
import { PropertyPrefixError } from '../definition.errors.js';
import { DefinitionsService } from '../definitions.service.js';
import { NamespaceLookup } from '../namespaces/namespace-lookup.js';
import { AssociationsService } from '../resource-types/associations.service.js';
import type { MetadefProperty } from './property.entity.js';
import { PropertyRepository } from './property.repository.js';

@Injectable()
export class PropertiesService extends DefinitionsService<MetadefProperty> {
  constructor(
    namespaces: NamespaceLookup,
    properties: PropertyRepository,
    private readonly associations: AssociationsService,
  ) {
    super('property', namespaces, properties);
  }

  /**
   * By the name that it has on resources of this type: with the prefix of the association.
   * @throws NamespaceNotFoundError, DefinitionNotFoundError or PropertyPrefixError
   */
  async showFor(
    ctx: RequestContext,
    namespace: string,
    prefixed: string,
    resourceType: string,
  ): Promise<MetadefProperty> {
    const { prefix } = await this.associations.show(ctx, namespace, resourceType);
    if (!prefix || !prefixed.startsWith(prefix)) {
      throw new PropertyPrefixError(prefixed, prefix, resourceType);
    }
    return this.show(ctx, namespace, prefixed.slice(prefix.length));
  }
}
