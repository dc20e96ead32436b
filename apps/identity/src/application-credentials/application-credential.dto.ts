import { BooleanField, ListField, ObjectField, StringField } from '@cumulet/common/http/fields';
import { AccessRuleDto } from '../access-rules/access-rule.dto.js';
import { ExpiryField } from '../http/expiry.js';
import { InexactFilters } from '../http/inexact-filter.js';
import { PageQuery } from '../http/page.js';
import { ReadOnlyField } from '../http/read-only-field.js';
import { RoleRefDto } from '../roles/role-ref.dto.js';

/** They travel in every token of the credential. */
const MOST_ACCESS_RULES = 32;

export class CreateApplicationCredentialDto {
  @StringField({ pattern: /\S/, patternText: 'must not be blank' })
  name: string;

  @StringField({ optional: true, nullable: true, min: 0, max: 65_535 })
  description?: string | null;

  /** One is made where none is given. */
  @StringField({ optional: true, nullable: true, min: 0, max: 4096 })
  secret?: string | null;

  @ExpiryField()
  expires_at?: string | null;

  /** Those of the token where none are given. */
  @ListField(() => RoleRefDto, { optional: true, nullable: true })
  roles?: RoleRefDto[] | null;

  @BooleanField({ optional: true, nullable: true })
  unrestricted?: boolean | null;

  @ListField(() => AccessRuleDto, { optional: true, nullable: true, maxItems: MOST_ACCESS_RULES })
  access_rules?: AccessRuleDto[] | null;

  @ReadOnlyField()
  id?: unknown;

  /** That of the token. */
  @ReadOnlyField()
  project_id?: unknown;

  @ReadOnlyField()
  system?: unknown;
}

export class CreateApplicationCredentialBody {
  @ObjectField(() => CreateApplicationCredentialDto)
  application_credential: CreateApplicationCredentialDto;
}

@InexactFilters('name')
export class ListApplicationCredentialsQuery extends PageQuery {
  @StringField({ optional: true })
  name?: string;
}
