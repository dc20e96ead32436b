/** All that answers for metadata definitions. */
import type { Provider, Type } from '@nestjs/common';
import { NamespaceContents } from './namespaces/namespace-contents.js';
import { NamespaceLookup } from './namespaces/namespace-lookup.js';
import { NamespaceRepository } from './namespaces/namespace.repository.js';
import { NamespacesController } from './namespaces/namespaces.controller.js';
import { NamespacesService } from './namespaces/namespaces.service.js';
import { ObjectRepository } from './objects/object.repository.js';
import { ObjectsController } from './objects/objects.controller.js';
import { ObjectsService } from './objects/objects.service.js';
import { PropertiesController } from './properties/properties.controller.js';
import { PropertiesService } from './properties/properties.service.js';
import { PropertyRepository } from './properties/property.repository.js';
import { AssociationRepository } from './resource-types/association.repository.js';
import { AssociationsController } from './resource-types/associations.controller.js';
import { AssociationsService } from './resource-types/associations.service.js';
import { ResourceTypeRepository } from './resource-types/resource-type.repository.js';
import { ResourceTypesController } from './resource-types/resource-types.controller.js';
import { MetadefSchemasController } from './schemas/metadef-schemas.controller.js';
import { TagRepository } from './tags/tag.repository.js';
import { MetadefTagsController } from './tags/tags.controller.js';
import { MetadefTagsService } from './tags/tags.service.js';

export const METADEF_CONTROLLERS: Type[] = [
  AssociationsController,
  MetadefSchemasController,
  MetadefTagsController,
  NamespacesController,
  ObjectsController,
  PropertiesController,
  ResourceTypesController,
];

export const METADEF_PROVIDERS: Provider[] = [
  AssociationRepository,
  AssociationsService,
  MetadefTagsService,
  NamespaceContents,
  NamespaceLookup,
  NamespaceRepository,
  NamespacesService,
  ObjectRepository,
  ObjectsService,
  PropertiesService,
  PropertyRepository,
  ResourceTypeRepository,
  TagRepository,
];
