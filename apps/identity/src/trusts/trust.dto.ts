import {
  BooleanField,
  IntegerField,
  ListField,
  ObjectField,
  StringField,
} from '@cumulet/common/http/fields';
import { ExpiryField } from '../http/expiry.js';
import { PageQuery } from '../http/page.js';
import { RoleRefDto } from '../roles/role-ref.dto.js';

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

  /** The trust of the caller's token, where it is named at all. */
  @StringField({ optional: true, nullable: true, max: 64 })
  redelegated_trust_id?: string | null;
}

export class CreateTrustBody {
  @ObjectField(() => CreateTrustDto)
  trust: CreateTrustDto;
}

export class ListTrustsQuery extends PageQuery {
  @StringField({ optional: true, max: 64 })
  trustor_user_id?: string;

  @StringField({ optional: true, max: 64 })
  trustee_user_id?: string;
}
