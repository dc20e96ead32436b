/** On the wire. Public source: Image API reference, "Metadata definition resource types". */
import { StringField } from '@cumulet/common/http/fields';
import { Shown, viewOf } from '@cumulet/common/http/shown';
import { timestamp, TimestampsView } from '../../images/timestamp.js';
import { MAX_NAME_LENGTH, type NewDefinition } from '../definitions.js';
import { Ignoring } from '../metadef-requests.js';
import type { MetadefAssociation, MetadefResourceType } from './resource-type.entity.js';

const NAME = { maxLength: MAX_NAME_LENGTH };
const TYPE = 'The resource type: `OS::Nova::Flavor`.';
const PREFIX = 'What the names of properties start with on resources of this type: `hw:`.';
const TARGET = 'Which of a resource’s sets of metadata is meant, where it has several.';

export class AssociationDto {
  @StringField({ max: MAX_NAME_LENGTH, description: TYPE })
  name: string;

  @StringField({ optional: true, min: 0, max: MAX_NAME_LENGTH, description: PREFIX })
  prefix?: string;

  @StringField({ optional: true, min: 0, max: MAX_NAME_LENGTH, description: TARGET })
  properties_target?: string;
}

/** An association within a namespace, also when read with it. */
@Ignoring('created_at', 'updated_at')
export class ContainedAssociationDto extends AssociationDto {}

export class ResourceTypeView extends TimestampsView {
  @Shown(String, TYPE, { schema: NAME })
  name: string;
}

export class ResourceTypeList {
  @Shown([() => ResourceTypeView], 'All resource types that namespaces are meant for, by name.')
  resource_types: ResourceTypeView[];
}

export class AssociationView extends ResourceTypeView {
  @Shown(String, PREFIX, { optional: true, schema: NAME })
  prefix?: string;

  @Shown(String, TARGET, { optional: true, schema: NAME })
  properties_target?: string;
}

export class AssociationList {
  @Shown([() => AssociationView], 'What the namespace is meant for, the oldest first.')
  resource_type_associations: AssociationView[];
}

export const resourceTypeView = viewOf<MetadefResourceType, ResourceTypeView>(
  ResourceTypeView,
  timestamp,
);
export const associationView = viewOf<MetadefAssociation, AssociationView>(
  AssociationView,
  timestamp,
);

export function associationOf(dto: AssociationDto): NewDefinition<MetadefAssociation> {
  return {
    name: dto.name,
    prefix: dto.prefix ?? null,
    propertiesTarget: dto.properties_target ?? null,
  };
}
