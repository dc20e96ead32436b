/** Secrets and containers have an owner, times and an ACL. */
import type { ProjectId, UserId } from '@cumulet/common/context/ids';
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import { moment, orNull, text } from '@cumulet/common/resources/field-type';
import type { ShownType } from '@cumulet/common/resources/value-type';
import { Column } from 'typeorm';

/** Shown without a zone, and so documented as a plain string. */
export const time: ShownType<Date> = { ...moment, shape: String };

const NOW = { default: () => 'now()' };

export const OWNED = {
  name: attribute(orNull(text({ min: 0 })), { about: 'The name.' }),
  creatorId: shownOnly(text<UserId>(), { about: 'The ID of the user who created it.' }),
  createdAt: shownOnly(time, {
    about: 'When it was created, in UTC.',
    wire: 'created',
    column: NOW,
  }),
  updatedAt: shownOnly(time, {
    about: 'When it was last changed, in UTC.',
    wire: 'updated',
    column: NOW,
  }),
} as const;

export abstract class OwnedColumns {
  @Column('text', { name: 'project_id' })
  projectId: ProjectId;

  /** Whether all members of the project may read it, or only its creator and administrators. */
  @Column('boolean', { name: 'project_access', default: true })
  projectAccess: boolean;

  /** The users, of any project, who may read it. */
  @Column('text', { name: 'acl_users', array: true, default: () => "'{}'" })
  aclUsers: string[];

  /** Null without an ACL. */
  @Column({ type: 'timestamptz', name: 'acl_created_at', precision: 3, nullable: true })
  aclCreatedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'acl_updated_at', precision: 3, nullable: true })
  aclUpdatedAt: Date | null;
}

export type OwnedRow = OwnedColumns & { readonly creatorId: UserId };
