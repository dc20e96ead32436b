/** A project and two users of a spec's own, in the cloud that the specs of a run share. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { CatalogSession } from './catalog-session.js';
import type { CloudEntry } from './cloud-entry.js';
import { OpenStackClient } from './openstack-client.js';
import type { RunningCloud } from './running-cloud.js';
import { administrator, sharedCloud } from './shared-cloud.js';

const MINUTES = 60_000;

export interface ProjectOfItsOwn {
  readonly cloud: RunningCloud;
  /** The file with the entries of both users. */
  readonly cloudsYaml: string;
  /** A folder that goes with the spec. */
  readonly folder: string;
  /** The name of the project, whose member `demo` is. */
  readonly project: string;
  /** An administrator, in another project. */
  readonly admin: OpenStackClient;
  readonly demo: OpenStackClient;
}

/**
 * Makes them before the tests of the file.
 * @param prepare gets it, and makes what the tests begin with
 */
export function withProject(prepare: (own: ProjectOfItsOwn) => Promise<void> | void): void {
  let folder: string | undefined;

  beforeAll(async () => {
    const cloud = await sharedCloud();
    const entry = await administrator(cloud);
    const project = `own-${randomUUID()}`;
    const clouds = await makeUsers(await CatalogSession.open(entry), entry, project);
    folder = await mkdtemp(join(tmpdir(), 'cumulet-project-'));
    const cloudsYaml = join(folder, 'clouds.yaml');
    // JSON is YAML.
    await writeFile(cloudsYaml, JSON.stringify({ clouds }), { mode: 0o600 });
    const admin = await OpenStackClient.install(cloudsYaml, 'cumulet-admin');
    const demo = admin.entry(cloudsYaml, 'cumulet');
    await prepare({ cloud, cloudsYaml, folder, project, admin, demo });
  }, 12 * MINUTES);

  afterAll(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true });
  });
}

/** @returns the entries of a clouds.yaml */
async function makeUsers(
  session: CatalogSession,
  entry: CloudEntry,
  project: string,
): Promise<Record<string, CloudEntry>> {
  const users = [
    ['cumulet', project, 'member'],
    ['cumulet-admin', `${project}-admin`, 'admin'],
  ] as const;
  const entries = users.map(async ([name, its, role]) => {
    const password = randomUUID();
    const projectId = await made(session, 'project', { name: its });
    const userId = await made(session, 'user', { name: its, password });
    const { roles } = await answer<{ roles: [{ id: string }] }>(session, `/roles?name=${role}`);
    const path = `/projects/${projectId}/users/${userId}/roles/${roles[0].id}`;
    await session.send('identity', path, { method: 'PUT' });
    const auth = { ...entry.auth, username: its, project_name: its, password };
    return [name, { ...entry, auth }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** @returns its id */
async function made(session: CatalogSession, kind: string, fields: object): Promise<string> {
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ [kind]: fields }),
  };
  const body = await answer<Record<string, { id: string }>>(session, `/${kind}s`, init);
  return body[kind]?.id ?? '';
}

async function answer<T>(session: CatalogSession, path: string, init?: RequestInit): Promise<T> {
  return (await session.send('identity', path, init)).json() as Promise<T>;
}
