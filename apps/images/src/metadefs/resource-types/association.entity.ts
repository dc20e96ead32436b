import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Definition } from '../definition.js';
import { MetadefNamespace, type NamespaceId } from '../namespaces/namespace.entity.js';
import { TimestampColumns } from '../timestamp-columns.js';
import { MetadefResourceType } from './resource-type.entity.js';

const KEY = 'metadef_associations_pkey';

/** That the definitions of a namespace are meant for resources of a type. */
@Entity('metadef_associations')
@Index('metadef_associations_name', ['name'])
export class MetadefAssociation extends TimestampColumns implements Definition {
  @PrimaryColumn('uuid', { name: 'namespace_id', primaryKeyConstraintName: KEY })
  @ForeignKey(() => MetadefNamespace, {
    name: 'metadef_associations_namespace_id_fkey',
    onDelete: 'CASCADE',
  })
  namespaceId: NamespaceId;

  /** That of the resource type. */
  @PrimaryColumn('text', { primaryKeyConstraintName: KEY })
  @ForeignKey(() => MetadefResourceType, { name: 'metadef_associations_name_fkey' })
  name: string;

  /** What the names of properties start with on resources of this type: `hw:`. */
  @Column('text', { nullable: true })
  prefix: string | null;

  /** Which of a resource's sets of metadata is meant, where it has several: `image`. */
  @Column('text', { name: 'properties_target', nullable: true })
  propertiesTarget: string | null;
}
