/**
 * What objects, properties, tags and associations with resource types have in common: each has a
 * name of its own among those of its kind in one namespace, and goes when the namespace goes.
 */
import type { NamespaceId } from './namespaces/namespace.entity.js';

export interface Definition {
  readonly namespaceId: NamespaceId;
  readonly name: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a client says of one; the rest is the service's to say. */
export type NewDefinition<T extends Definition> = Omit<
  T,
  'namespaceId' | 'createdAt' | 'updatedAt'
>;

/** As messages name them. */
export type DefinitionKind = 'object' | 'property' | 'tag' | 'resource type';

/** Characters of a name, of a namespace's too. */
export const LONGEST_NAME = 80;

/** Whether a text is as long as a name may be; a character beyond the basic plane is one. */
export function hasNameLength(text: string): boolean {
  const { length } = Array.from(text);
  return length >= 1 && length <= LONGEST_NAME;
}

/** Characters of free text. */
export const LONGEST_TEXT = 65_535;
