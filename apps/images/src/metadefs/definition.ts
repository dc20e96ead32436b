/**
 * What objects, properties, tags and associations with resource types have in common: each has a
 * unique name among those of its kind in one namespace, and is deleted with the namespace.
 */
import { ForeignKey, PrimaryColumn } from 'typeorm';
import { TimestampColumns } from '../images/timestamp.js';
import { MetadefNamespace, type NamespaceId } from './namespaces/namespace.entity.js';

/** What a client sends; the service adds the rest. */
export type NewDefinition<T extends Definition> = Omit<
  T,
  'namespaceId' | 'createdAt' | 'updatedAt'
>;

export type Definition = InstanceType<ReturnType<typeof definitionColumns>>;

/** The columns that the tables of definitions share. */
export function definitionColumns(table: string) {
  abstract class DefinitionColumns extends TimestampColumns {
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

/** In characters; applies to a namespace's name too. */
export const MAX_NAME_LENGTH = 80;

/** Whether a text's length is that of a name; a character beyond the basic plane counts as one. */
export function hasNameLength(text: string): boolean {
  const { length } = Array.from(text);
  return length >= 1 && length <= MAX_NAME_LENGTH;
}

/** Characters of free text. */
export const MAX_TEXT_LENGTH = 65_535;

export const NAMESPACES_PATH = '/v2/metadefs/namespaces';
