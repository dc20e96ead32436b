/** Projects with a user and an access key each, as an administrator makes them for clients of S3. */
import { randomBytes } from 'node:crypto';
import type { CatalogSession } from './catalog-session.js';

export interface S3Account {
  /** The project: S3's clients know it as the account. */
  readonly projectId: string;
  readonly userId: string;
  readonly access: string;
  readonly secret: string;
}

/** @param admin the session of an administrator of the cloud */
export async function newS3Account(admin: CatalogSession, name: string): Promise<S3Account> {
  const domain_id = 'default';
  const { project } = await post<{ project: { id: string } }>(admin, '/projects', {
    project: { name, domain_id },
  });
  const password = randomBytes(16).toString('hex');
  const { user } = await post<{ user: { id: string } }>(admin, '/users', {
    user: { name, password, domain_id, default_project_id: project.id },
  });
  const { roles } = await read<{ roles: { id: string }[] }>(admin, '/roles?name=member');
  const role = roles[0]?.id ?? '';
  const grant = `/projects/${project.id}/users/${user.id}/roles/${role}`;
  await admin.send('identity', grant, { method: 'PUT' });
  const { credential } = await post<{ credential: { access: string; secret: string } }>(
    admin,
    `/users/${user.id}/credentials/OS-EC2`,
    { tenant_id: project.id },
  );
  const { access, secret } = credential;
  return { projectId: project.id, userId: user.id, access, secret };
}

async function post<T>(session: CatalogSession, path: string, body: object): Promise<T> {
  const answer = await session.send('identity', path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as T;
}

async function read<T>(session: CatalogSession, path: string): Promise<T> {
  return (await (await session.send('identity', path)).json()) as T;
}
