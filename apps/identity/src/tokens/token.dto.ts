/**
 * The body of `POST /v3/auth/tokens`. Public source: Keystone API reference, "Password
 * authentication with scoped authorization" and "Token authentication with scoped authorization".
 */
import {
  BooleanField,
  CheckedField,
  ObjectField,
  StringField,
  StringListField,
} from '@cumulet/common/http/fields';
import { IgnoresOthers, Reads } from '@cumulet/common/http/read-dto';

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

abstract class NamedRefDto {
  @StringField({ optional: true, max: 64 })
  id?: string;

  @StringField({ optional: true })
  name?: string;
}

export class DomainRefDto extends NamedRefDto {}

export class ProjectRefDto extends DomainRefDto {
  @ObjectField(() => DomainRefDto, { optional: true })
  domain?: DomainRefDto;
}

export class PasswordUserDto extends ProjectRefDto {
  @StringField({ min: 0, max: 4096 })
  password: string;
}

export class PasswordMethodDto {
  @ObjectField(() => PasswordUserDto)
  user: PasswordUserDto;
}

export class TotpUserDto extends ProjectRefDto {
  @StringField({ min: 0, max: 64 })
  passcode: string;
}

export class TotpMethodDto {
  @ObjectField(() => TotpUserDto)
  user: TotpUserDto;
}

export class TokenMethodDto {
  @StringField({ max: 16_384 })
  id: string;
}

export class ApplicationCredentialMethodDto extends NamedRefDto {
  /** Its owner, if it is given by name. */
  @ObjectField(() => ProjectRefDto, { optional: true })
  user?: ProjectRefDto;

  @StringField({ min: 0, max: 4096 })
  secret: string;
}

export class IdentityDto {
  @StringListField({ maxItems: 8 })
  methods: string[];

  @ObjectField(() => PasswordMethodDto, { optional: true })
  password?: PasswordMethodDto;

  @ObjectField(() => TokenMethodDto, { optional: true })
  token?: TokenMethodDto;

  @ObjectField(() => TotpMethodDto, { optional: true })
  totp?: TotpMethodDto;

  @ObjectField(() => ApplicationCredentialMethodDto, { optional: true })
  application_credential?: ApplicationCredentialMethodDto;
}

export class SystemScopeDto {
  @BooleanField()
  all: boolean;
}

export class TrustScopeDto {
  @StringField({ max: 64 })
  id: string;
}

export class ScopeDto {
  @ObjectField(() => ProjectRefDto, { optional: true })
  project?: ProjectRefDto;

  @ObjectField(() => DomainRefDto, { optional: true })
  domain?: DomainRefDto;

  @ObjectField(() => SystemScopeDto, { optional: true })
  system?: SystemScopeDto;

  @ObjectField(() => TrustScopeDto, { optional: true })
  'OS-TRUST:trust'?: TrustScopeDto;

  @CheckedField(
    isObject,
    'must be an object',
    { type: 'object', additionalProperties: true },
    { optional: true },
  )
  unscoped?: object;
}

export class AuthDto {
  @ObjectField(() => IdentityDto)
  identity: IdentityDto;

  /** Also the text `unscoped`, which means the same as `{"unscoped": {}}`. */
  @ObjectField(() => ScopeDto, { optional: true })
  @Reads((value) =>
    value === 'unscoped' ? Object.assign(new ScopeDto(), { unscoped: {} }) : value,
  )
  scope?: ScopeDto;
}

/** Keystone's schema allows additional properties everywhere; some clients send older ones. */
@IgnoresOthers({ ofParts: true })
export class AuthenticateBody {
  @ObjectField(() => AuthDto)
  auth: AuthDto;
}

export class TokenQuery {
  /** With any value or none, the answer omits the catalog. */
  @StringField({ optional: true, min: 0 })
  nocatalog?: string;

  /** Also shows a token that has expired recently. */
  @BooleanField({ optional: true, fromText: true, bareIsTrue: true })
  allow_expired?: boolean;
}
