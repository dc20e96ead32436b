/**
 * What objects, properties, tags and associations with resource types have in common: each has a
 * name of its own among those of its kind in one namespace, and goes when the namespace goes.
 */
import { ForeignKey, PrimaryColumn } from 'typeorm';
import { TimestampColumns } from '../images/timestamp.js';
import { MetadefNamespace, type NamespaceId } from './namespaces/namespace.entity.js';

export interface Definition {
  readonly namespaceId: NamespaceId;
  readonly name: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a client says of one; the service adds the rest. */
export type NewDefinition<T extends Definition> = Omit<
  T,
  'namespaceId' | 'createdAt' | 'updatedAt'
>;

/** The columns that the tables of definitions share. */
export function definitionColumns(table: string) {
  abstract class DefinitionColumns extends TimestampColumns implements Definition {
    @PrimaryColumn('uuid', { name: 'namespace_id', primaryKeyConstraintName: `${table}_pkey` })
    @ForeignKey(() => MetadefNamespace, {
      name: `${table}_namespace_id_fkey`,
      onDelete: 'CASCADE',
    })
    namespaceId: NamespaceId;

    @PrimaryColumn('text', { primaryKeyConstraintName: `${table}_pkey` })
    name: string;
  }
  return DefinitionColumns;
}

/** In characters; of a namespace's name too. */
export const MAX_NAME_LENGTH = 80;

/** Whether a text is as long as a name may be; a character beyond the basic plane is one. */
export function hasNameLength(text: string): boolean {
  const { length } = Array.from(text);
  return length >= 1 && length <= MAX_NAME_LENGTH;
}

/** Characters of free text. */
export const MAX_TEXT_LENGTH = 65_535;

export const NAMESPACES_PATH = '/v2/metadefs/namespaces';
