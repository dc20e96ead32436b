import type { Id, ProjectId } from '@cumulet/common/context/ids';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumns } from '../timestamp-columns.js';

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
