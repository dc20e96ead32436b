import { ObjectField, StringField } from '@cumulet/common/http/fields';

const LONGEST_BLOB = 65_536;
const ID = { max: 64 } as const;
const BLOB = {
  max: LONGEST_BLOB,
  description: 'The secret itself; of the type ec2 the JSON of an object with access and secret.',
} as const;

export class CreateCredentialDto {
  @StringField(ID)
  user_id: string;

  @StringField({ example: 'ec2' })
  type: string;

  @StringField(BLOB)
  blob: string;

  @StringField({ ...ID, optional: true, nullable: true })
  project_id?: string | null;
}

export class CreateCredentialBody {
  @ObjectField(() => CreateCredentialDto)
  credential: CreateCredentialDto;
}

export class UpdateCredentialDto {
  @StringField({ ...ID, optional: true })
  user_id?: string;

  @StringField({ optional: true })
  type?: string;

  @StringField({ ...BLOB, optional: true })
  blob?: string;

  @StringField({ ...ID, optional: true, nullable: true })
  project_id?: string | null;
}

export class UpdateCredentialBody {
  @ObjectField(() => UpdateCredentialDto)
  credential: UpdateCredentialDto;
}

export class ListCredentialsQuery {
  @StringField({ ...ID, optional: true })
  user_id?: string;

  @StringField({ optional: true })
  type?: string;
}
