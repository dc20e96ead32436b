/** All that stands in a namespace, where it comes or is read with it. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Injectable } from '@nestjs/common';
import type { NewDefinition } from '../definition.js';
import type { MetadefObject } from '../objects/object.entity.js';
import type { ShownObject } from '../objects/object.view.js';
import { ObjectsService } from '../objects/objects.service.js';
import { PropertiesService } from '../properties/properties.service.js';
import type { MetadefProperty } from '../properties/property.entity.js';
import type { MetadefAssociation } from '../resource-types/association.entity.js';
import { AssociationsService } from '../resource-types/associations.service.js';
import type { MetadefTag } from '../tags/tag.entity.js';
import { MetadefTagsService } from '../tags/tags.service.js';
import type { MetadefNamespace } from './namespace.entity.js';

export interface Contents {
  readonly associations: readonly MetadefAssociation[];
  readonly properties: readonly NewDefinition<MetadefProperty>[];
  readonly objects: readonly ShownObject[];
  readonly tags: readonly MetadefTag[];
}

export interface NewContents {
  readonly associations: readonly NewDefinition<MetadefAssociation>[];
  readonly properties: readonly NewDefinition<MetadefProperty>[];
  readonly objects: readonly NewDefinition<MetadefObject>[];
  readonly tags: readonly NewDefinition<MetadefTag>[];
}

@Injectable()
export class NamespaceContents {
  constructor(
    private readonly associations: AssociationsService,
    private readonly properties: PropertiesService,
    private readonly objects: ObjectsService,
    private readonly tags: MetadefTagsService,
  ) {}

  /** @throws DefinitionExistsError for two of one name */
  async insert(
    tx: RequestContext,
    namespace: MetadefNamespace,
    given: NewContents,
  ): Promise<Contents> {
    return {
      associations: await this.associations.insert(tx, namespace, given.associations),
      properties: await this.properties.insert(tx, namespace, given.properties),
      objects: await this.objects.insert(tx, namespace, given.objects),
      tags: await this.tags.insert(tx, namespace, given.tags),
    };
  }

  async read(ctx: RequestContext, namespace: MetadefNamespace): Promise<Contents> {
    const [associations, properties, objects, tags] = await Promise.all([
      this.associations.listOf(ctx, namespace),
      this.properties.listOf(ctx, namespace),
      this.objects.listOf(ctx, namespace),
      this.tags.listOf(ctx, namespace),
    ]);
    return { associations, properties, objects, tags };
  }
}
