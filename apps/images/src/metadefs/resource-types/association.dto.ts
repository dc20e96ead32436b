import { StringField } from '@cumulet/common/http/fields';
import { LONGEST_NAME, type NewDefinition } from '../definition.js';
import { IgnoredField } from '../ignored.field.js';
import type { MetadefAssociation } from './association.entity.js';

/** Public source: Image API reference, "Create resource type association". */
export class AssociationDto {
  @StringField({ max: LONGEST_NAME, description: 'The resource type: `OS::Nova::Flavor`.' })
  name: string;

  @StringField({
    optional: true,
    min: 0,
    max: LONGEST_NAME,
    description: 'What the names of properties start with on resources of this type: `hw:`.',
  })
  prefix?: string;

  @StringField({
    optional: true,
    min: 0,
    max: LONGEST_NAME,
    description: 'Which of a resource’s sets of metadata is meant, where it has several.',
  })
  properties_target?: string;
}

/** An association within a namespace, as it is read there too. */
export class ContainedAssociationDto extends AssociationDto {
  @IgnoredField()
  created_at?: unknown;

  @IgnoredField()
  updated_at?: unknown;
}

export function associationOf(dto: AssociationDto): NewDefinition<MetadefAssociation> {
  return {
    name: dto.name,
    prefix: dto.prefix ?? null,
    propertiesTarget: dto.properties_target ?? null,
  };
}
