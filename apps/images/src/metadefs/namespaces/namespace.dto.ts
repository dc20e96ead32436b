/** Namespaces on the wire. Public source: Image API reference, "Metadata definition namespaces". */
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import { BooleanField, EnumField, ListField, StringField } from '@cumulet/common/http/fields';
import { Shown, viewOf } from '@cumulet/common/http/shown';
import { FilteredBy } from '@cumulet/common/tables/listing';
import { ApiExtraModels } from '@nestjs/swagger';
import { pageQuery } from '../../images/page-query.js';
import { timestamp, TimestampsView } from '../../images/timestamp.js';
import { SchemaPath } from '../../http/schema.view.js';
import { MAX_NAME_LENGTH, NAMESPACES_PATH } from '../definitions.js';
import { Ignoring } from '../metadef-requests.js';
import { ContainedObjectDto, objectOf, ObjectView, objectView } from '../objects/object.dto.js';
import {
  MappedPropertyDto,
  type PropertyList,
  PropertyMapField,
  schemaOf,
  schemasByName,
  SHOWN_PROPERTIES,
} from '../properties/property.dto.js';
import {
  associationOf,
  AssociationView,
  associationView,
  ContainedAssociationDto,
} from '../resource-types/resource-type.dto.js';
import { MetadefTagDto, MetadefTagName, tagName } from '../tags/tag.dto.js';
import type { Contents, NewContents } from './namespace-contents.js';
import {
  NAMESPACE_VISIBILITIES,
  type MetadefNamespace,
  type NamespaceVisibility,
} from './namespace.entity.js';

const MAX_DESCRIPTION_LENGTH = 500;
const MAX_FILTER_LENGTH = 4096;
const NAME = { maxLength: MAX_NAME_LENGTH };

class NamespaceDto {
  @StringField({ max: MAX_NAME_LENGTH, description: 'Its name, which no other has.' })
  namespace: string;

  @StringField({ optional: true, min: 0, max: MAX_NAME_LENGTH })
  display_name?: string;

  @StringField({ optional: true, min: 0, max: MAX_DESCRIPTION_LENGTH })
  description?: string;

  @EnumField(NAMESPACE_VISIBILITIES, { optional: true })
  visibility?: NamespaceVisibility;

  @BooleanField({ optional: true })
  protected?: boolean;

  @StringField({ optional: true, description: 'The project that it belongs to.' })
  owner?: string;
}

@ApiExtraModels(MappedPropertyDto)
export class NewNamespaceDto extends NamespaceDto {
  @ListField(() => ContainedAssociationDto, { optional: true })
  resource_type_associations?: ContainedAssociationDto[];

  @PropertyMapField({ optional: true })
  properties?: Map<string, MappedPropertyDto>;

  @ListField(() => ContainedObjectDto, { optional: true })
  objects?: ContainedObjectDto[];

  @ListField(() => MetadefTagDto, { optional: true })
  tags?: MetadefTagDto[];
}

/** Its contents are unchanged, even if a client sends them back as it read them. */
@Ignoring('resource_type_associations', 'properties', 'objects', 'tags')
export class NamespaceChangesDto extends NamespaceDto {}

export class ListNamespacesQuery extends pageQuery(
  {
    created_at: 'createdAt',
    updated_at: 'updatedAt',
    namespace: 'namespace',
    display_name: 'displayName',
    description: 'description',
    visibility: 'visibility',
    protected: 'protected',
    owner: 'owner',
    id: 'id',
  },
  25,
) {
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
    description: 'Namespaces that are associated with any of these, parted by commas.',
  })
  resource_types?: string;
}

export class NamespaceView extends TimestampsView {
  @Shown(String, 'Its name, which no other has.', { schema: NAME })
  namespace: string;

  @Shown(String, 'What people read in place of its name.', { optional: true, schema: NAME })
  display_name?: string;

  @Shown(String, 'What it is for.', {
    optional: true,
    schema: { maxLength: MAX_DESCRIPTION_LENGTH },
  })
  description?: string;

  @Shown(String, 'Who sees it.', { enum: NAMESPACE_VISIBILITIES })
  visibility: NamespaceVisibility;

  @Shown(Boolean, 'Whether it is kept from being deleted.')
  protected: boolean;

  @Shown(String, 'The project that it belongs to.', { schema: { maxLength: 255 } })
  owner: string;

  @Shown<MetadefNamespace>(String, 'Its path.', {
    // With the name unencoded: no program has to parse a link in a body.
    from: ({ namespace }) => `${NAMESPACES_PATH}/${namespace}`,
    schema: { readOnly: true },
  })
  self: string;

  @SchemaPath('metadefs/namespace')
  schema: string;

  @Shown([() => AssociationView], 'The resource types that it is meant for.', { optional: true })
  resource_type_associations?: AssociationView[];
}

/** With its contents, except kinds of which it has none. */
export class NamespaceDetailView extends NamespaceView {
  @Shown(Object, 'Its properties by their names.', { optional: true, schema: SHOWN_PROPERTIES })
  properties?: PropertyList['properties'];

  @Shown([() => ObjectView], 'Its objects.', { optional: true })
  objects?: ObjectView[];

  @Shown([() => MetadefTagName], 'Its tags.', { optional: true })
  tags?: MetadefTagName[];
}

export class NamespaceList {
  @Shown([() => NamespaceView], 'The namespaces of this page.')
  namespaces: NamespaceView[];

  @Shown(String, 'The path of the first page.')
  first: string;

  @Shown(String, 'The path of the next page; absent on the last.', { optional: true })
  next?: string;

  @SchemaPath('metadefs/namespaces')
  schema: string;
}

const view = viewOf<MetadefNamespace, NamespaceView>(NamespaceView, timestamp);

export function namespaceView(
  row: MetadefNamespace,
  associations: Contents['associations'] = [],
): NamespaceView {
  const shown = view(row);
  if (associations.length === 0) return shown;
  return Object.assign(shown, { resource_type_associations: associations.map(associationView) });
}

export function namespaceDetailView(
  row: MetadefNamespace,
  { associations, properties, objects, tags }: Contents,
): NamespaceDetailView {
  return Object.assign(namespaceView(row, associations), {
    ...(properties.length > 0 ? { properties: schemasByName(properties) } : {}),
    ...(objects.length > 0 ? { objects: objects.map((o) => objectView(o, row.namespace)) } : {}),
    ...(tags.length > 0 ? { tags: tags.map(tagName) } : {}),
  });
}

/** Omitted properties are as in a new namespace. @param caller the project that then owns it */
export function namespaceOf(dto: NamespaceDto, caller: ProjectId): Partial<MetadefNamespace> {
  return {
    namespace: dto.namespace,
    displayName: dto.display_name ?? null,
    description: dto.description ?? null,
    visibility: dto.visibility ?? 'private',
    protected: dto.protected ?? false,
    owner: dto.owner === undefined ? caller : asId(dto.owner),
  };
}

export function newContentsOf(dto: NewNamespaceDto): NewContents {
  return {
    associations: (dto.resource_type_associations ?? []).map(associationOf),
    properties: [...(dto.properties ?? [])].map(([name, one]) => ({ name, schema: schemaOf(one) })),
    objects: (dto.objects ?? []).map(objectOf),
    tags: dto.tags ?? [],
  };
}
