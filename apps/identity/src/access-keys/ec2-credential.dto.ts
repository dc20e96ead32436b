/** Access keys on the wire. Public source: Keystone API reference, "OS-EC2". */
import { StringField } from '@cumulet/common/http/fields';
import { Shown, viewOf } from '@cumulet/common/http/shown';
import type { OpenCredential } from '../credentials/credential.entity.js';
import { readEc2Blob, type Ec2Blob } from '../credentials/ec2-blob.js';
import { LinksView } from '../resource/resource.view.js';

export class CreateEc2CredentialBody {
  @StringField({ max: 64, description: 'The project that the access key is for.' })
  tenant_id: string;
}

type Ec2Credential = Ec2Blob & Pick<OpenCredential, 'userId' | 'projectId'>;

export class Ec2CredentialView {
  @Shown(String, 'The access key.')
  access: string;

  @Shown(String, 'What requests are signed with.', { nullable: true })
  secret: string | null;

  @Shown(String, 'The user that it belongs to.')
  user_id: string;

  @Shown<Ec2Credential>(String, 'The project that it is for.', {
    nullable: true,
    from: ({ projectId }) => projectId,
  })
  tenant_id: string | null;

  @Shown(String, 'The trust within which it acts.', { nullable: true })
  trust_id: string | null;

  @Shown(() => LinksView, 'Where it is found.')
  links: LinksView;
}

const shown: (row: Ec2Credential) => object = viewOf(Ec2CredentialView);

/** The address names the current version of the API, whichever was asked. */
export function ec2CredentialView(credential: OpenCredential, baseUrl: string): object {
  const { userId, projectId, blob } = credential;
  const ec2 = readEc2Blob(blob);
  const path = `/v3/users/${userId}/credentials/OS-EC2/${encodeURIComponent(ec2.access)}`;
  return { ...shown({ ...ec2, userId, projectId }), links: { self: baseUrl + path } };
}
