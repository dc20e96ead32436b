import { BooleanField, EnumField, ListField, StringField } from '@cumulet/common/http/fields';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import { ApiExtraModels } from '@nestjs/swagger';
import { LONGEST_NAME } from '../definition.js';
import { IgnoredField } from '../ignored.field.js';
import { ContainedObjectDto, objectOf } from '../objects/object.dto.js';
import { MappedPropertyDto } from '../properties/property.dto.js';
import { propertiesOf, PropertyMapField } from '../properties/property-map.field.js';
import { associationOf, ContainedAssociationDto } from '../resource-types/association.dto.js';
import { MetadefTagDto } from '../tags/tag.dto.js';
import type { NewContents } from './namespace-contents.js';
import { NAMESPACE_VISIBILITIES, type NamespaceVisibility } from './namespace.entity.js';
import type { NamespaceValues } from './namespace.repository.js';

export const LONGEST_DESCRIPTION = 500;

class NamespaceDto {
  @StringField({ max: LONGEST_NAME, description: 'Its name, which no other has.' })
  namespace: string;

  @StringField({ optional: true, min: 0, max: LONGEST_NAME })
  display_name?: string;

  @StringField({ optional: true, min: 0, max: LONGEST_DESCRIPTION })
  description?: string;

  @EnumField(NAMESPACE_VISIBILITIES, { optional: true })
  visibility?: NamespaceVisibility;

  @BooleanField({ optional: true })
  protected?: boolean;

  @StringField({ optional: true, description: 'The project that it belongs to.' })
  owner?: string;
}

/** Public source: Image API reference, "Create namespace". */
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

/**
 * Its contents stay as they are, also where a client sends them as it read them. Public source:
 * Image API reference, "Update namespace".
 */
export class NamespaceChangesDto extends NamespaceDto {
  @IgnoredField()
  resource_type_associations?: unknown;

  @IgnoredField()
  properties?: unknown;

  @IgnoredField()
  objects?: unknown;

  @IgnoredField()
  tags?: unknown;
}

/** What is not said is as with a new namespace. @param caller the project that owns it then */
export function namespaceOf(dto: NamespaceDto, caller: ProjectId): NamespaceValues {
  return {
    namespace: dto.namespace,
    displayName: dto.display_name ?? null,
    description: dto.description ?? null,
    visibility: dto.visibility ?? 'private',
    protected: dto.protected ?? false,
    owner: dto.owner === undefined ? caller : asId(dto.owner),
  };
}

export function contentsOf(dto: NewNamespaceDto): NewContents {
  return {
    associations: (dto.resource_type_associations ?? []).map(associationOf),
    properties: propertiesOf(dto.properties),
    objects: (dto.objects ?? []).map(objectOf),
    tags: dto.tags ?? [],
  };
}
