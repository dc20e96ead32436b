/** Public source: Image API reference, "Metadata definition resource types". */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { allUnder } from '@cumulet/common/http/answers';
import { viewOf } from '@cumulet/common/http/shown';
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import { answerOf, bodyOf, columnsGiven, rowOf } from '@cumulet/common/resources/classes';
import { orAbsent, text } from '@cumulet/common/resources/field-type';
import { Entity, ForeignKey, Index } from 'typeorm';
import { timestamp, TIMES } from '../../images/timestamp.js';
import { definition, Definitions, inNamespace, type NewDefinition } from '../definitions.js';
import { Ignoring } from '../metadef-requests.js';
import {
  NAME_LENGTH,
  OPTIONAL_NAME,
  type MetadefNamespace,
} from '../namespaces/namespace.resource.js';

const TYPE = 'The resource type: `OS::Nova::Flavor`.';

const RESOURCE_TYPE = {
  ...TIMES,
  name: shownOnly(text(), {
    about: TYPE,
    schema: NAME_LENGTH,
    column: { primary: true, primaryKeyConstraintName: 'metadef_resource_types_pkey' },
  }),
} as const;

const ASSOCIATION = {
  ...definition('metadef_associations', TYPE),
  prefix: attribute(orAbsent(text(OPTIONAL_NAME)), {
    about: 'The prefix of the names of properties on resources of this type: `hw:`.',
    schema: NAME_LENGTH,
  }),
  propertiesTarget: attribute(orAbsent(text(OPTIONAL_NAME)), {
    about: 'The set of metadata that is meant, on resources that have several: `image`.',
    schema: NAME_LENGTH,
  }),
} as const;

/** Created by its first association. */
@Entity('metadef_resource_types')
export class MetadefResourceType extends rowOf(RESOURCE_TYPE) {}

/** Associates a namespace with a resource type, whose name it has. */
@Entity('metadef_associations')
@Index('metadef_associations_name', ['name'])
@ForeignKey(() => MetadefResourceType, ['name'], ['name'], {
  name: 'metadef_associations_name_fkey',
})
export class MetadefAssociation extends rowOf(ASSOCIATION, inNamespace('metadef_associations')) {}

export class AssociationDto extends bodyOf(ASSOCIATION) {}

/** An association in the body of a namespace, which may be sent back as it was read. */
@Ignoring('created_at', 'updated_at')
export class ContainedAssociationDto extends AssociationDto {}

export class ResourceTypeView extends answerOf(RESOURCE_TYPE) {}

export const ResourceTypeList = allUnder(
  'resource_types',
  ResourceTypeView,
  'The resource types that are associated with a namespace, by name.',
);

export class AssociationView extends answerOf(ASSOCIATION) {}

export const AssociationList = allUnder(
  'resource_type_associations',
  AssociationView,
  'The associations of the namespace, oldest first.',
);

export const resourceTypeView = viewOf<MetadefResourceType, object>(ResourceTypeView, timestamp);
export const associationView = viewOf<MetadefAssociation, object>(AssociationView, timestamp);

export function associationOf(dto: AssociationDto): NewDefinition<MetadefAssociation> {
  return columnsGiven(ASSOCIATION, dto);
}

class Associations extends Definitions<MetadefAssociation> {
  /** Creates missing resource types too, in a fixed order so that requests cannot deadlock. */
  override async insert(
    tx: RequestContext,
    namespace: MetadefNamespace,
    given: readonly NewDefinition<MetadefAssociation>[],
  ): Promise<MetadefAssociation[]> {
    await tx.manager.query(
      `INSERT INTO metadef_resource_types (name)
       SELECT DISTINCT name FROM unnest($1::text[]) AS given (name) ORDER BY name
       ON CONFLICT DO NOTHING`,
      [given.map(({ name }) => name)],
    );
    return super.insert(tx, namespace, given);
  }
}

export const metadefAssociations = new Associations(MetadefAssociation, 'resource type');
