import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { Definition } from '../definition.js';
import { MetadefNamespace, type NamespaceId } from '../namespaces/namespace.entity.js';
import { TimestampColumns } from '../timestamp-columns.js';
import type { PropertySchema } from './property-schema.js';

const KEY = 'metadef_properties_pkey';

/** A key of metadata, and what its values may be. */
@Entity('metadef_properties')
export class MetadefProperty extends TimestampColumns implements Definition {
  @PrimaryColumn('uuid', { name: 'namespace_id', primaryKeyConstraintName: KEY })
  @ForeignKey(() => MetadefNamespace, {
    name: 'metadef_properties_namespace_id_fkey',
    onDelete: 'CASCADE',
  })
  namespaceId: NamespaceId;

  @PrimaryColumn('text', { primaryKeyConstraintName: KEY })
  name: string;

  @Column('jsonb')
  schema: PropertySchema;
}
