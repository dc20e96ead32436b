import { MetadefNamespace } from './namespaces/namespace.entity.js';
import { MetadefObject } from './objects/object.entity.js';
import { MetadefProperty } from './properties/property.entity.js';
import { MetadefAssociation } from './resource-types/association.entity.js';
import { MetadefResourceType } from './resource-types/resource-type.entity.js';
import { MetadefTag } from './tags/tag.entity.js';

export const metadefEntities = [
  MetadefAssociation,
  MetadefNamespace,
  MetadefObject,
  MetadefProperty,
  MetadefResourceType,
  MetadefTag,
];
