/** The cloud for objects of S3: every service in one process. */
import 'reflect-metadata';
import { watchMemory } from './memory-watch.js';
import { reportOf, type ObjectsFacts } from './protocol.js';
import { startBenchCloud } from './start-cloud.js';

await reportOf(async (): Promise<ObjectsFacts> => {
  const cloud = await startBenchCloud();
  const { url, s3Url, token, projectId } = cloud;
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
  const { credential } = (await made.json()) as {
    credential: { access: string; secret: string };
  };
  watchMemory();
  const { access, secret } = credential;
  return { kind: 'objects', url: s3Url, access, secret, databaseUrl: cloud.databaseUrl('s3') };
});
