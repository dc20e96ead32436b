/** Access keys on the wire. Public source: Keystone API reference, "OS-EC2". */
import type { OpenCredential } from '../credentials/credential.repository.js';
import { readEc2Blob } from '../credentials/ec2-blob.js';

/** The address names the current version of the API, whichever was asked. */
export function ec2CredentialView(credential: OpenCredential, baseUrl: string): object {
  const { userId, projectId, blob } = credential;
  const { access, secret, trustId } = readEc2Blob(blob);
  const path = `/v3/users/${userId}/credentials/OS-EC2/${encodeURIComponent(access)}`;
  return {
    access,
    secret,
    user_id: userId,
    tenant_id: projectId,
    trust_id: trustId,
    links: { self: baseUrl + path },
  };
}
