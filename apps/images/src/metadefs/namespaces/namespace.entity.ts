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

/** A set of metadata definitions; clients know it only by its name, which may change. */
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

  /** Protected from deletion, with all its contents. */
  @Column('boolean')
  protected: boolean;

  @Column('text')
  owner: ProjectId;
}

/** Only administrators change namespaces, and they see all of them. */
export const namespaces = new Table(MetadefNamespace, {
  /** It does not exist, or the caller may not see it: the error does not say which. */
  missing: (key) => {
    const { namespace = '' } = rowOf(key);
    return new DomainError('not-found', `No metadata definition namespace '${namespace}' found.`);
  },
  refusals: {
    metadef_namespaces_namespace: ({ namespace = '' }) =>
      new DomainError('conflict', `A metadata definition namespace '${namespace}' exists already.`),
  },
  touched: 'updatedAt',
});

/** The namespaces that the caller may see. */
export function visibleNamespaces(ctx: RequestContext): Condition[] {
  if (ctx.isAdmin) return [];
  return [(bind) => `visibility = 'public' OR owner = ${bind(ctx.projectId)}`];
}

/** @throws DomainError of kind `not-found` */
export function visibleNamespace(
  ctx: RequestContext,
  namespace: string,
): Promise<MetadefNamespace> {
  return namespaces.get(ctx, { namespace }, visibleNamespaces(ctx));
}

/**
 * @param what is to be deleted, for messages; the namespace itself by default
 * @throws ForbiddenError
 */
export function requireUnprotected(held: MetadefNamespace, what?: string): void {
  if (!held.protected) return;
  const protection = `Namespace '${held.namespace}' is protected`;
  throw new ForbiddenError(
    what === undefined
      ? `${protection} and cannot be deleted.`
      : `${protection}, and ${what} cannot be deleted.`,
  );
}
