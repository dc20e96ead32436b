import { StringField } from '@cumulet/common/http/fields';
import { ExtensibleField, ExtraProperties } from '../http/extra-fields.js';
import { InexactFilters } from '../http/inexact-filter.js';
import { PageQuery } from '../http/page.js';
import { ReadOnlyField } from '../http/read-only-field.js';
import type { Extra } from '../http/resource-options.js';

const LONGEST_BLOB = 65_536;
const ID = { max: 64 } as const;
const BLOB = {
  max: LONGEST_BLOB,
  description: 'The secret itself; of the type ec2 the JSON of an object with access and secret.',
} as const;

class CredentialFieldsDto {
  @StringField({ ...ID, optional: true, nullable: true })
  project_id?: string | null;

  @ReadOnlyField()
  links?: unknown;

  @ExtraProperties()
  extra?: Extra;
}

export class CreateCredentialDto extends CredentialFieldsDto {
  /** Drawn at creation, or made from an access key, whatever is sent. */
  @ReadOnlyField()
  id?: unknown;

  @StringField(ID)
  user_id: string;

  @StringField({ example: 'ec2' })
  type: string;

  @StringField(BLOB)
  blob: string;
}

export class CreateCredentialBody {
  @ExtensibleField(() => CreateCredentialDto)
  credential: CreateCredentialDto;
}

export class UpdateCredentialDto extends CredentialFieldsDto {
  @StringField({ ...ID, optional: true })
  id?: string;

  @StringField({ ...ID, optional: true })
  user_id?: string;

  @StringField({ optional: true })
  type?: string;

  @StringField({ ...BLOB, optional: true })
  blob?: string;
}

export class UpdateCredentialBody {
  @ExtensibleField(() => UpdateCredentialDto)
  credential: UpdateCredentialDto;
}

@InexactFilters('user_id', 'type')
export class ListCredentialsQuery extends PageQuery {
  @StringField({ ...ID, optional: true })
  user_id?: string;

  @StringField({ optional: true })
  type?: string;
}
