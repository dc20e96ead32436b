/** Public source: Image API reference, "Metadata definition namespaces". */
import type { Id, ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError, ForbiddenError } from '@cumulet/common/errors/domain-error';
import { attribute } from '@cumulet/common/resources/attribute';
import { rowOf as columnsOf } from '@cumulet/common/resources/classes';
import { choice, flag, orAbsent, text } from '@cumulet/common/resources/field-type';
import { rowOf, type Condition } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { Check, Entity, Index, PrimaryColumn } from 'typeorm';
import { TIMES } from '../../images/timestamp.js';

export type NamespaceId = Id<'MetadefNamespace'>;

export const NAMESPACE_VISIBILITIES = ['public', 'private'] as const;
export type NamespaceVisibility = (typeof NAMESPACE_VISIBILITIES)[number];

/** In characters, for the name of any definition. */
export const MAX_NAME_LENGTH = 80;
export const NAME_LENGTH = { maxLength: MAX_NAME_LENGTH };
export const OPTIONAL_NAME = { min: 0, max: MAX_NAME_LENGTH };
const MAX_DESCRIPTION_LENGTH = 500;

const noDefault = { default: undefined };

export const NAMESPACE = {
  ...TIMES,
  namespace: attribute(text({ max: MAX_NAME_LENGTH }), {
    about: 'The unique name of the namespace: `OS::Compute::Libvirt`.',
    required: true,
    schema: NAME_LENGTH,
  }),
  displayName: attribute(orAbsent(text(OPTIONAL_NAME)), {
    about: 'The name that is shown to people.',
    schema: NAME_LENGTH,
  }),
  description: attribute(orAbsent(text({ min: 0, max: MAX_DESCRIPTION_LENGTH })), {
    about: 'A description.',
    schema: { maxLength: MAX_DESCRIPTION_LENGTH },
  }),
  visibility: attribute(choice(NAMESPACE_VISIBILITIES), {
    about: 'Whether all projects see the namespace, or only its owner.',
    default: 'private',
    column: noDefault,
  }),
  protected: attribute(flag(), {
    about: 'Whether the namespace and its contents are protected from deletion.',
    default: false,
    column: noDefault,
  }),
  owner: attribute(text<ProjectId>(), {
    about: "The ID of the project that owns the namespace; by default, the caller's.",
    schema: { maxLength: 255 },
  }),
} as const;

/** Clients know a namespace only by its name, which may change. */
@Entity('metadef_namespaces')
@Index('metadef_namespaces_namespace', ['namespace'], { unique: true })
@Index('metadef_namespaces_created_at', ['createdAt', 'id'])
@Check('metadef_namespaces_visibility', `visibility IN ('public', 'private')`)
export class MetadefNamespace extends columnsOf(NAMESPACE) {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'metadef_namespaces_pkey' })
  id: NamespaceId;
}

/** Administrators, who alone change namespaces, see all of them. */
export const namespaces = new Table(MetadefNamespace, {
  /** The same for invisible namespaces. */
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
 * @param what is to be deleted; the namespace itself by default
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
