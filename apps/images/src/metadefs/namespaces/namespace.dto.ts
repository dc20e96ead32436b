import type { ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { EnumField, ListField, StringField } from '@cumulet/common/http/fields';
import { answerClass, Shown, viewOf } from '@cumulet/common/http/shown';
import { answerOf, bodyOf, columnsGiven, sortKeysOf } from '@cumulet/common/resources/classes';
import { FilteredBy } from '@cumulet/common/tables/listing';
import { ApiExtraModels } from '@nestjs/swagger';
import { SchemaPath } from '../../http/schema.view.js';
import { PAGE_LINKS, pageQuery } from '../../images/page-query.js';
import { timestamp } from '../../images/timestamp.js';
import { NAMESPACES_PATH, type NewDefinition } from '../definitions.js';
import { Ignoring } from '../metadef-requests.js';
import * as objects from '../objects/object.resource.js';
import {
  MappedPropertyDto,
  metadefProperties,
  type MetadefProperty,
  PropertyMapField,
  schemaOf,
  schemasByName,
  SHOWN_PROPERTIES,
} from '../properties/property.resource.js';
import * as types from '../resource-types/resource-type.resource.js';
import * as tags from '../tags/tag.resource.js';
import {
  NAMESPACE,
  NAMESPACE_VISIBILITIES,
  type MetadefNamespace,
  type NamespaceVisibility,
} from './namespace.resource.js';

const MAX_FILTER_LENGTH = 4096;

class NamespaceDto extends bodyOf(NAMESPACE) {}

@ApiExtraModels(MappedPropertyDto)
export class NewNamespaceDto extends NamespaceDto {
  @ListField(() => types.ContainedAssociationDto, { optional: true })
  resource_type_associations?: types.ContainedAssociationDto[];

  @PropertyMapField({ optional: true })
  properties?: Map<string, MappedPropertyDto>;

  @ListField(() => objects.ContainedObjectDto, { optional: true })
  objects?: objects.ContainedObjectDto[];

  @ListField(() => tags.MetadefTagDto, { optional: true })
  tags?: tags.MetadefTagDto[];
}

/** The contents stay unchanged, even if clients send them back. */
@Ignoring('resource_type_associations', 'properties', 'objects', 'tags')
export class NamespaceChangesDto extends NamespaceDto {}

export class ListNamespacesQuery extends pageQuery({ ...sortKeysOf(NAMESPACE), id: 'id' }, 25) {
  @FilteredBy()
  @EnumField(NAMESPACE_VISIBILITIES, { optional: true })
  visibility?: NamespaceVisibility;

  @FilteredBy(
    (types: string) => (bind) =>
      `id IN (SELECT namespace_id FROM metadef_associations
               WHERE name = ANY(${bind(types.split(','))}))`,
  )
  @StringField({
    optional: true,
    min: 0,
    max: MAX_FILTER_LENGTH,
    description: 'Resource types, separated by commas: namespaces that are associated with any.',
  })
  resource_types?: string;
}

export interface Contents {
  readonly associations: readonly types.MetadefAssociation[];
  readonly properties: readonly NewDefinition<MetadefProperty>[];
  readonly objects: readonly Omit<objects.MetadefObject, 'namespaceId'>[];
  readonly tags: readonly tags.MetadefTag[];
}

type WithContents = MetadefNamespace & Partial<Contents>;

/** Answers omit empty kinds of contents. */
function unlessEmpty<T extends object, R>(
  many: readonly T[] = [],
  shown: (many: readonly T[]) => R,
): R | undefined {
  return many.length > 0 ? shown(many) : undefined;
}

export class NamespaceView extends answerOf(NAMESPACE, {
  self: Shown<MetadefNamespace>(String, 'The path of the namespace.', {
    // The name is not percent-encoded: no program has to parse a link in a body.
    from: ({ namespace }) => `${NAMESPACES_PATH}/${namespace}`,
    schema: { readOnly: true },
  }),
  schema: SchemaPath('metadefs/namespace'),
  resource_type_associations: Shown<WithContents>(
    [() => types.AssociationView],
    'The resource types that the namespace is meant for.',
    {
      optional: true,
      from: ({ associations }) =>
        unlessEmpty(associations, (many) => many.map(types.associationView)),
    },
  ),
}) {}

export class NamespaceDetailView extends NamespaceView {
  @Shown<WithContents>(Object, 'The properties by their names.', {
    optional: true,
    schema: SHOWN_PROPERTIES,
    from: ({ properties }) => unlessEmpty(properties, schemasByName),
  })
  properties?: object;

  @Shown<WithContents>([() => objects.ObjectView], 'The objects.', {
    optional: true,
    from: ({ objects: all, namespace }) =>
      unlessEmpty(all, (many) => many.map((one) => objects.objectView(one, namespace))),
  })
  objects?: object[];

  @Shown<WithContents>([() => tags.MetadefTagName], 'The tags.', {
    optional: true,
    from: ({ tags: all }) => unlessEmpty(all, (many) => many.map(tags.tagName)),
  })
  tags?: object[];
}

export const NamespaceList = answerClass('NamespaceList', {
  namespaces: Shown([() => NamespaceView], 'The namespaces of the page.'),
  ...PAGE_LINKS,
  schema: SchemaPath('metadefs/namespaces'),
});

export const namespaceView = viewOf<WithContents, NamespaceView>(NamespaceView, timestamp);
export const namespaceDetailView = viewOf<WithContents, NamespaceDetailView>(
  NamespaceDetailView,
  timestamp,
);

/** Omitted properties are reset to their defaults. @param caller the default owner */
export function namespaceOf(dto: NamespaceDto, caller: ProjectId): Partial<MetadefNamespace> {
  const { owner = caller, ...given } = columnsGiven(NAMESPACE, dto);
  return { ...given, owner };
}

/** @throws DomainError of kind `conflict` for a duplicate name */
export async function insertContents(
  tx: RequestContext,
  namespace: MetadefNamespace,
  dto: NewNamespaceDto,
): Promise<Contents> {
  const given = {
    associations: (dto.resource_type_associations ?? []).map(types.associationOf),
    properties: [...(dto.properties ?? [])].map(([name, one]) => ({ name, schema: schemaOf(one) })),
    objects: (dto.objects ?? []).map(objects.objectOf),
    tags: (dto.tags ?? []).map(tags.tagOf),
  };
  return {
    associations: await types.metadefAssociations.insert(tx, namespace, given.associations),
    properties: await metadefProperties.insert(tx, namespace, given.properties),
    objects: await objects.metadefObjects.insert(tx, namespace, given.objects),
    tags: await tags.metadefTags.insert(tx, namespace, given.tags),
  };
}

/** @param resourceType whose association's prefix, if any, precedes names of properties */
export async function contentsOf(
  ctx: RequestContext,
  namespace: MetadefNamespace,
  resourceType: string | undefined,
): Promise<Contents> {
  const [associations, properties, objectRows, tagRows] = await Promise.all([
    types.metadefAssociations.listOf(ctx, namespace),
    metadefProperties.listOf(ctx, namespace),
    objects.metadefObjects.listOf(ctx, namespace),
    tags.metadefTags.listOf(ctx, namespace),
  ]);
  const prefix = associations.find(({ name }) => name === resourceType)?.prefix ?? '';
  return {
    associations,
    properties: properties.map(({ name, schema }) => ({ name: prefix + name, schema })),
    objects: objectRows.map((object) =>
      Object.assign(object, {
        required: object.required.map((name) => prefix + name),
        properties: Object.fromEntries(
          Object.entries(object.properties).map(([name, one]) => [prefix + name, one]),
        ),
      }),
    ),
    tags: tagRows,
  };
}
