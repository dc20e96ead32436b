/** Credentials on the wire. Public source: Keystone API reference, "Credentials". */
import { StringField } from '@cumulet/common/http/fields';
import { Shown } from '@cumulet/common/http/shown';
import { SortedBy } from '@cumulet/common/tables/listing';
import {
  ExtensibleField,
  type Extra,
  ExtraProperties,
  PageQuery,
  ReadOnlyField,
  TextFilter,
} from '../resource/resource.dto.js';
import { ResourceView } from '../resource/resource.view.js';

const MAX_BLOB = 65_536;
const ID = { max: 64 } as const;
const BLOB = {
  max: MAX_BLOB,
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

@SortedBy(['createdAt'])
export class ListCredentialsQuery extends PageQuery {
  @TextFilter(ID)
  user_id?: string;

  @TextFilter()
  type?: string;
}

export class CredentialView extends ResourceView {
  @Shown(String, 'The user that it belongs to.')
  user_id: string;

  @Shown(String, 'The project that it is for.', { nullable: true })
  project_id: string | null;

  @Shown(String, 'What kind of secret it is.', { example: 'ec2' })
  type: string;

  @Shown(String, BLOB.description)
  blob: string;
}
