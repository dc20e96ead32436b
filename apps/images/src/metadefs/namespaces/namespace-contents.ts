/** The contents of a namespace, for requests that create or read them with it. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { NewDefinition } from '../definitions.js';
import { metadefObjects, type MetadefObject } from '../objects/object.entity.js';
import { metadefProperties, type MetadefProperty } from '../properties/property.entity.js';
import {
  metadefAssociations,
  type MetadefAssociation,
} from '../resource-types/resource-type.entity.js';
import { metadefTags, type MetadefTag } from '../tags/tag.entity.js';
import type { MetadefNamespace } from './namespace.entity.js';

export interface Contents {
  readonly associations: readonly MetadefAssociation[];
  readonly properties: readonly NewDefinition<MetadefProperty>[];
  readonly objects: readonly Omit<MetadefObject, 'namespaceId'>[];
  readonly tags: readonly MetadefTag[];
}

export interface NewContents {
  readonly associations: readonly NewDefinition<MetadefAssociation>[];
  readonly properties: readonly NewDefinition<MetadefProperty>[];
  readonly objects: readonly NewDefinition<MetadefObject>[];
  readonly tags: readonly NewDefinition<MetadefTag>[];
}

/** @throws DomainError of kind `conflict` for two with the same name */
export async function insertContents(
  tx: RequestContext,
  namespace: MetadefNamespace,
  given: NewContents,
): Promise<Contents> {
  return {
    associations: await metadefAssociations.insert(tx, namespace, given.associations),
    properties: await metadefProperties.insert(tx, namespace, given.properties),
    objects: await metadefObjects.insert(tx, namespace, given.objects),
    tags: await metadefTags.insert(tx, namespace, given.tags),
  };
}

/**
 * @param resourceType its association gives the names of properties their prefix. Without such an
 * association, or one without a prefix, they are unchanged.
 */
export async function contentsOf(
  ctx: RequestContext,
  namespace: MetadefNamespace,
  resourceType: string | undefined,
): Promise<Contents> {
  const [associations, properties, objects, tags] = await Promise.all([
    metadefAssociations.listOf(ctx, namespace),
    metadefProperties.listOf(ctx, namespace),
    metadefObjects.listOf(ctx, namespace),
    metadefTags.listOf(ctx, namespace),
  ]);
  const prefix = associations.find(({ name }) => name === resourceType)?.prefix ?? '';
  return prefixed({ associations, properties, objects, tags }, prefix);
}

function prefixed(contents: Contents, prefix: string): Contents {
  return {
    ...contents,
    properties: contents.properties.map((one) => ({ ...one, name: prefix + one.name })),
    objects: contents.objects.map((object) => ({
      ...object,
      required: object.required.map((name) => prefix + name),
      properties: Object.fromEntries(
        Object.entries(object.properties).map(([name, one]) => [prefix + name, one]),
      ),
    })),
  };
}
