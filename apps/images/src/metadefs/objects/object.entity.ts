import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { Definition } from '../definition.js';
import { MetadefNamespace, type NamespaceId } from '../namespaces/namespace.entity.js';
import type { PropertySchemas } from '../properties/property-schema.js';
import { TimestampColumns } from '../timestamp-columns.js';

const KEY = 'metadef_objects_pkey';

/** Properties that belong together, under one name. */
@Entity('metadef_objects')
export class MetadefObject extends TimestampColumns implements Definition {
  @PrimaryColumn('uuid', { name: 'namespace_id', primaryKeyConstraintName: KEY })
  @ForeignKey(() => MetadefNamespace, {
    name: 'metadef_objects_namespace_id_fkey',
    onDelete: 'CASCADE',
  })
  namespaceId: NamespaceId;

  @PrimaryColumn('text', { primaryKeyConstraintName: KEY })
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  /** Names of those of its properties that must be set. */
  @Column('text', { array: true })
  required: string[];

  @Column('jsonb')
  properties: PropertySchemas;
}
