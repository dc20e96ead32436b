import type { RequestContext } from '@cumulet/common/context/request-context';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumns } from '../../images/timestamp.js';
import { definitionColumns, Definitions, type NewDefinition } from '../definitions.js';
import type { MetadefNamespace } from '../namespaces/namespace.entity.js';

/** A kind of resource with metadata: `OS::Nova::Flavor`. The first association creates it. */
@Entity('metadef_resource_types')
export class MetadefResourceType extends TimestampColumns {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'metadef_resource_types_pkey' })
  name: string;
}

/** Links a namespace's definitions to a resource type, under that type's name. */
@Entity('metadef_associations')
@Index('metadef_associations_name', ['name'])
@ForeignKey(() => MetadefResourceType, ['name'], ['name'], {
  name: 'metadef_associations_name_fkey',
})
export class MetadefAssociation extends definitionColumns('metadef_associations') {
  /** The prefix of properties' names on resources of this type: `hw:`. */
  @Column('text', { nullable: true })
  prefix: string | null;

  /** Which of a resource's sets of metadata is meant, if it has several: `image`. */
  @Column('text', { name: 'properties_target', nullable: true })
  propertiesTarget: string | null;
}

class Associations extends Definitions<MetadefAssociation> {
  /** Also creates new resource types: in a fixed order, so that no two requests deadlock. */
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
