import type { Id, ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError, ForbiddenError } from '@cumulet/common/errors/domain-error';
import { rowOf, type Condition } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumns } from '../../images/timestamp.js';

export type NamespaceId = Id<'MetadefNamespace'>;

export const NAMESPACE_VISIBILITIES = ['public', 'private'] as const;
export type NamespaceVisibility = (typeof NAMESPACE_VISIBILITIES)[number];

/** A set of metadata definitions; clients know it by its name alone, which may change. */
@Entity('metadef_namespaces')
@Index('metadef_namespaces_namespace', ['namespace'], { unique: true })
@Index('metadef_namespaces_created_at', ['createdAt', 'id'])
@Check('metadef_namespaces_visibility', `visibility IN ('public', 'private')`)
export class MetadefNamespace extends TimestampColumns {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'metadef_namespaces_pkey' })
  id: NamespaceId;

  /** Its name: `OS::Compute::Libvirt`. */
  @Column('text')
  namespace: string;

  @Column('text', { name: 'display_name', nullable: true })
  displayName: string | null;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text')
  visibility: NamespaceVisibility;

  /** Kept from being deleted, with all that it contains. */
  @Column('boolean')
  protected: boolean;

  @Column('text')
  owner: ProjectId;
}

/** Administrators change namespaces, and see all of them; nobody else changes one. */
export const namespaces = new Table(MetadefNamespace, {
  missing: (key) => new NamespaceNotFoundError(rowOf(key).namespace ?? ''),
  refusals: {
    metadef_namespaces_namespace: ({ namespace = '' }) => new NamespaceExistsError(namespace),
  },
  touched: 'updatedAt',
});

/** There is none, or none that the caller may see: which of the two is not said. */
class NamespaceNotFoundError extends DomainError {
  constructor(namespace: string) {
    super('not-found', `No metadata definition namespace '${namespace}' found.`);
  }
}

class NamespaceExistsError extends DomainError {
  constructor(namespace: string) {
    super('conflict', `A metadata definition namespace '${namespace}' exists already.`);
  }
}

class NamespaceProtectedError extends ForbiddenError {}

/** The namespaces that the caller may see. */
export function visibleNamespaces(ctx: RequestContext): Condition[] {
  if (ctx.isAdmin) return [];
  return [(bind) => `visibility = 'public' OR owner = ${bind(ctx.projectId)}`];
}

/** @throws NamespaceNotFoundError */
export function visibleNamespace(
  ctx: RequestContext,
  namespace: string,
): Promise<MetadefNamespace> {
  return namespaces.get(ctx, { namespace }, visibleNamespaces(ctx));
}

/**
 * @param what is to be deleted, as a message names it; the namespace itself where absent
 * @throws NamespaceProtectedError
 */
export function requireUnprotected(held: MetadefNamespace, what?: string): void {
  if (!held.protected) return;
  const protection = `Namespace '${held.namespace}' is protected`;
  throw new NamespaceProtectedError(
    what === undefined
      ? `${protection} and cannot be deleted.`
      : `${protection}, and ${what} cannot be deleted.`,
  );
}
