export interface AccessKey {
  readonly access: string;
  readonly secret: string;
}

/** Makes an access key for S3 of the token's user. */
export async function accessKeyOf(cloud: {
  readonly url: string;
  readonly token: string;
  readonly projectId: string;
}): Promise<AccessKey> {
  const { url, token, projectId } = cloud;
  const headers = { 'X-Auth-Token': token, 'Content-Type': 'application/json' };
  const me = await fetch(`${url}/identity/v3/auth/tokens`, {
    headers: { ...headers, 'X-Subject-Token': token },
  });
  const { token: own } = (await me.json()) as { token: { user: { id: string } } };
  const made = await fetch(`${url}/identity/v3/users/${own.user.id}/credentials/OS-EC2`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ tenant_id: projectId }),
  });
  const { credential } = (await made.json()) as { credential: AccessKey };
  return { access: credential.access, secret: credential.secret };
}
