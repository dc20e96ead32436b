/** Trusts on the wire. Public source: Keystone API reference, "OS-TRUST". */
import {
  BooleanField,
  IntegerField,
  ListField,
  ObjectField,
  StringField,
} from '@cumulet/common/http/fields';
import { IgnoresOthers } from '@cumulet/common/http/read-dto';
import { Shown } from '@cumulet/common/http/shown';
import { SortedBy } from '@cumulet/common/tables/listing';
import { ExpiryField } from '../http/timestamp.js';
import { PageQuery } from '../resource/resource.dto.js';
import { LinkedView, ListLinksView } from '../resource/resource.view.js';
import { RoleRefDto } from '../roles/role-ref.js';
import { RoleView } from '../roles/role.resource.js';
import type { Trust } from './trust.entity.js';

@IgnoresOthers()
export class CreateTrustDto {
  /** The caller. */
  @StringField({ max: 64 })
  trustor_user_id: string;

  @StringField({ max: 64 })
  trustee_user_id: string;

  @BooleanField()
  impersonation: boolean;

  @StringField({ optional: true, nullable: true, max: 64 })
  project_id?: string | null;

  @ListField(() => RoleRefDto, { optional: true, nullable: true })
  roles?: RoleRefDto[] | null;

  @ExpiryField()
  expires_at?: string | null;

  @IntegerField({ optional: true, nullable: true, min: 1 })
  remaining_uses?: number | null;

  @BooleanField({ optional: true, nullable: true })
  allow_redelegation?: boolean | null;

  @IntegerField({ optional: true, nullable: true })
  redelegation_count?: number | null;

  /** The trust of the caller's token, if named at all. */
  @StringField({ optional: true, nullable: true, max: 64 })
  redelegated_trust_id?: string | null;
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

/** A trust as a list shows it, without its roles. */
export class TrustView extends LinkedView {
  @Shown(String, 'Who gives it.')
  trustor_user_id: string;

  @Shown(String, 'Who may act by it.')
  trustee_user_id: string;

  @Shown(String, 'The project on which it gives roles.', { nullable: true })
  project_id: string | null;

  @Shown(Boolean, 'Whether services see the trustor act, rather than the trustee.')
  impersonation: boolean;

  @Shown<Trust>('date-time', 'Until when it is good; null for ever.', {
    nullable: true,
    from: ({ expiry }) => expiry,
  })
  expires_at: string | null;

  @Shown('integer', 'Tokens that may still be had by it; null for any number.', { nullable: true })
  remaining_uses: number | null;

  @Shown(String, 'The trust that it passes on.', { nullable: true })
  redelegated_trust_id: string | null;

  @Shown('integer', 'How many times in a row it may be passed on.')
  redelegation_count: number;

  @Shown(String, 'Null: a trust that is deleted is gone.', { nullable: true, from: () => null })
  deleted_at: null;
}

export class DetailedTrustView extends TrustView {
  @Shown([() => RoleView], 'The roles that it gives, by name.')
  roles: RoleView[];

  @Shown(() => ListLinksView, 'Where its roles are found.')
  roles_links: ListLinksView;
}
