import { StringField } from '@cumulet/common/http/fields';

export class CreateEc2CredentialBody {
  @StringField({ max: 64, description: 'The project that the access key is for.' })
  tenant_id: string;
}
