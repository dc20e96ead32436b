import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { Definition } from '../definition.js';
import { MetadefNamespace, type NamespaceId } from '../namespaces/namespace.entity.js';
import { TimestampColumns } from '../timestamp-columns.js';

const KEY = 'metadef_tags_pkey';

/** A word to find resources by. */
@Entity('metadef_tags')
export class MetadefTag extends TimestampColumns implements Definition {
  @PrimaryColumn('uuid', { name: 'namespace_id', primaryKeyConstraintName: KEY })
  @ForeignKey(() => MetadefNamespace, {
    name: 'metadef_tags_namespace_id_fkey',
    onDelete: 'CASCADE',
  })
  namespaceId: NamespaceId;

  @PrimaryColumn('text', { primaryKeyConstraintName: KEY })
  name: string;
}
