/** Signed requests, as keystonemiddleware, Swift and Heat send them. */
import { CheckedField, ObjectField, StringField } from '@cumulet/common/http/fields';

function TextsField(): PropertyDecorator {
  return CheckedField(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.values(value).every((one) => typeof one === 'string'),
    'must be an object whose values are text',
    { type: 'object', additionalProperties: { type: 'string' } },
    { optional: true },
  );
}

class SignatureDto {
  @StringField()
  access: string;

  @StringField({ max: 1024 })
  signature: string;
}

export class Ec2RequestDto extends SignatureDto {
  @StringField({ optional: true, min: 0 })
  verb?: string;

  @StringField({ optional: true, min: 0 })
  host?: string;

  @StringField({ optional: true, min: 0, max: 16_384 })
  path?: string;

  @TextsField()
  params?: Readonly<Record<string, string>>;

  @TextsField()
  headers?: Readonly<Record<string, string>>;

  /** The SHA-256 of the request's body in hexadecimal. */
  @StringField({ optional: true, min: 0 })
  body_hash?: string;
}

export class S3RequestDto extends SignatureDto {
  /** What was signed, in base64 for addresses. */
  @StringField({ max: 65_536 })
  token: string;
}

/** Keystone takes the same under three names. */
export class Ec2TokenBody {
  @ObjectField(() => Ec2RequestDto, { optional: true })
  credentials?: Ec2RequestDto;

  @ObjectField(() => Ec2RequestDto, { optional: true })
  credential?: Ec2RequestDto;

  @ObjectField(() => Ec2RequestDto, { optional: true })
  ec2Credentials?: Ec2RequestDto;
}

export class S3TokenBody {
  @ObjectField(() => S3RequestDto, { optional: true })
  credentials?: S3RequestDto;

  @ObjectField(() => S3RequestDto, { optional: true })
  credential?: S3RequestDto;

  @ObjectField(() => S3RequestDto, { optional: true })
  ec2Credentials?: S3RequestDto;
}
