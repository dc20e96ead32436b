/** Public source: Keystone API reference, "OS-TRUST". */
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import type { Id, ProjectId, UserId } from '@cumulet/common/context/ids';
import { BooleanField, ListField, ObjectField, StringField } from '@cumulet/common/http/fields';
import { IgnoresOthers } from '@cumulet/common/http/read-dto';
import { Shown } from '@cumulet/common/http/shown';
import { attribute } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { flag, integer, orNull, text } from '@cumulet/common/resources/field-type';
import { SortedBy } from '@cumulet/common/tables/listing';
import {
  ApplicationCredential,
  type ApplicationCredentialId,
} from '../application-credentials/application-credential.resource.js';
import { exactText, ExpiryField } from '../http/timestamp.js';
import { Project } from '../projects/project.resource.js';
import { CreatedColumns, idOf, resettable } from '../resource/resource.attributes.js';
import { bareDtoOf, PageQuery } from '../resource/resource.dto.js';
import { linkedViewOf, ListLinksView } from '../resource/resource.view.js';
import { RoleRefDto } from '../roles/role-ref.js';
import { Role, RoleView, type RoleId } from '../roles/role.resource.js';
import { User } from '../users/user.resource.js';

export type TrustId = Id<'Trust'>;

const ID = { max: 64 } as const;

export const TRUST = {
  id: idOf<TrustId>('trusts'),
  trustorUserId: attribute(text<UserId>(ID), {
    about: 'The ID of the user who gives it.',
    required: true,
  }),
  trusteeUserId: attribute(text<UserId>(ID), {
    about: 'The ID of the user who may act by it.',
    required: true,
  }),
  projectId: attribute(orNull(text<ProjectId>(ID)), {
    about: 'The ID of the project on which it gives roles; null where it gives none.',
  }),
  impersonation: attribute(flag(), {
    about: 'Whether services see the trustor act, rather than the trustee.',
    required: true,
  }),
  remainingUses: attribute(orNull(integer({ min: 1 })), {
    about: 'How many more tokens can be issued by it; null for any number.',
  }),
  redelegatedTrustId: attribute(orNull(text<TrustId>(ID)), {
    about: 'The ID of the trust that it redelegates and with which it ends.',
  }),
  redelegationCount: attribute(resettable(integer()), {
    about: 'How many times in a row it may be redelegated.',
    default: 0,
  }),
} as const;

/** The trustee may act on the project with some of the trustor's roles, for as long as both have them. */
@Entity('trusts')
@Check('trusts_remaining_uses_check', 'remaining_uses >= 0')
@Index('trusts_trustor_user_id_idx', ['trustorUserId'])
@Index('trusts_trustee_user_id_idx', ['trusteeUserId'])
@Index('trusts_project_id_idx', ['projectId'])
@Index('trusts_redelegated_trust_id_idx', ['redelegatedTrustId'])
@ForeignKey(() => User, ['trustorUserId'], ['id'], {
  name: 'trusts_trustor_user_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => User, ['trusteeUserId'], ['id'], {
  name: 'trusts_trustee_user_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => Project, ['projectId'], ['id'], {
  name: 'trusts_project_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => Trust, ['redelegatedTrustId'], ['id'], {
  name: 'trusts_redelegated_trust_id_fkey',
  onDelete: 'CASCADE',
})
export class Trust extends rowOf(TRUST, CreatedColumns) {
  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  /** `expiresAt` with its microseconds. */
  @VirtualColumn('text', { query: (table) => exactText(`${table}.expires_at`) })
  expiry: string | null;

  /** The application credential whose token gave it to a user, and with which it ends. */
  @Column('text', { name: 'application_credential_id', nullable: true })
  @ForeignKey(() => ApplicationCredential, {
    name: 'trusts_application_credential_id_fkey',
    onDelete: 'CASCADE',
  })
  @Index('trusts_application_credential_id_idx')
  applicationCredentialId: ApplicationCredentialId | null;
}

@Entity('trust_roles')
export class TrustRole {
  @PrimaryColumn('text', { name: 'trust_id', primaryKeyConstraintName: 'trust_roles_pkey' })
  @ForeignKey(() => Trust, { name: 'trust_roles_trust_id_fkey', onDelete: 'CASCADE' })
  trustId: TrustId;

  @PrimaryColumn('text', { name: 'role_id', primaryKeyConstraintName: 'trust_roles_pkey' })
  @ForeignKey(() => Role, { name: 'trust_roles_role_id_fkey', onDelete: 'CASCADE' })
  @Index('trust_roles_role_id_idx')
  roleId: RoleId;
}

@IgnoresOthers()
export class CreateTrustDto extends bareDtoOf(TRUST) {
  @ListField(() => RoleRefDto, { optional: true, nullable: true })
  roles?: RoleRefDto[] | null;

  @ExpiryField()
  expires_at?: string | null;

  @BooleanField({ optional: true, nullable: true })
  allow_redelegation?: boolean | null;
}

export class CreateTrustBody {
  @ObjectField(() => CreateTrustDto)
  trust: CreateTrustDto;
}

@SortedBy(['createdAt'])
export class ListTrustsQuery extends PageQuery {
  @StringField({ optional: true, max: 64 })
  trustor_user_id?: string;

  @StringField({ optional: true, max: 64 })
  trustee_user_id?: string;
}

export class TrustView extends linkedViewOf(TRUST, {
  expires_at: Shown<Trust>('date-time', 'When it expires; null for never.', {
    nullable: true,
    from: ({ expiry }) => expiry,
  }),
  deleted_at: Shown(String, 'Always null: deleted trusts are not kept.', {
    nullable: true,
    from: () => null,
  }),
}) {}

export class DetailedTrustView extends TrustView {
  @Shown([() => RoleView], 'The roles that it gives, by name.')
  roles: RoleView[];

  @Shown(() => ListLinksView, 'Links to the list of its roles.')
  roles_links: ListLinksView;
}
