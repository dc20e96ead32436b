import type { RequestContext } from '@cumulet/common/context/request-context';
import { Injectable } from '@nestjs/common';
import type { NewDefinition } from '../definition.js';
import { DefinitionsService } from '../definitions.service.js';
import { NamespaceLookup } from '../namespaces/namespace-lookup.js';
import type { MetadefNamespace } from '../namespaces/namespace.entity.js';
import type { MetadefAssociation } from './association.entity.js';
import { AssociationRepository } from './association.repository.js';
import { ResourceTypeRepository } from './resource-type.repository.js';

@Injectable()
export class AssociationsService extends DefinitionsService<MetadefAssociation> {
  constructor(
    namespaces: NamespaceLookup,
    associations: AssociationRepository,
    private readonly resourceTypes: ResourceTypeRepository,
  ) {
    super('resource type', namespaces, associations);
  }

  /** Makes the resource types too, where they are new. @throws DefinitionExistsError */
  override async insert(
    tx: RequestContext,
    namespace: MetadefNamespace,
    given: readonly NewDefinition<MetadefAssociation>[],
  ): Promise<MetadefAssociation[]> {
    const names = given.map(({ name }) => name);
    await this.resourceTypes.ensure(tx, names);
    return super.insert(tx, namespace, given);
  }
}
