/** The kinds of resources that come and go while the cloud is killed. */
import { randomBytes } from 'node:crypto';
import type { Answer, CloudClient, Content } from './cloud-client.js';

export interface Row {
  readonly id: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

export interface Kind {
  readonly name: string;
  readonly path: string;
  readonly as: 'demo' | 'admin';
  /** The body that creates one. */
  readonly body: (name: string, facts: Facts) => object;
  /** Where lists and answers keep it; null for bare answers. */
  readonly one: string | null;
  readonly many: string;
  readonly listed: string;
  /** What a row is called, where it has no name of its own. */
  readonly nameOf?: (row: Row) => string;
  /** Whether nothing is under way with a row. */
  readonly isSettled: (row: Row) => boolean;
  /** What else is done with one that exists. */
  readonly use?: (client: CloudClient, id: string) => Promise<Answer>;
}

export interface Facts {
  readonly imageId: string;
  readonly userId: string;
}

const SETTLED_SERVERS = ['ACTIVE', 'SHUTOFF', 'ERROR'];
const SETTLED_IMAGES = ['queued', 'active', 'deactivated'];
const ACTIONS = [{ 'os-stop': null }, { 'os-start': null }, { reboot: { type: 'HARD' } }];

export const KINDS: readonly Kind[] = [
  {
    name: 'server',
    path: '/compute/v2.1/servers',
    as: 'demo',
    body: (name, { imageId }) => ({ server: { name, imageRef: imageId, flavorRef: '42' } }),
    one: 'server',
    many: 'servers',
    listed: '/compute/v2.1/servers/detail',
    isSettled: ({ status, 'OS-EXT-STS:task_state': task }) =>
      SETTLED_SERVERS.includes(String(status)) && task === null,
    use: (client, id) => {
      const json = ACTIONS[Math.floor(Math.random() * ACTIONS.length)];
      return client.send('POST', `/compute/v2.1/servers/${id}/action`, { json });
    },
  },
  {
    name: 'image',
    path: '/image/v2/images',
    as: 'demo',
    body: (name) => ({ name, disk_format: 'raw', container_format: 'bare' }),
    one: null,
    many: 'images',
    listed: '/image/v2/images?limit=1000&visibility=shared',
    isSettled: ({ status }) => SETTLED_IMAGES.includes(String(status)),
    use: (client, id) => {
      const bytes = new Uint8Array(randomBytes(1 + Math.floor(Math.random() * 200_000)));
      return client.send('PUT', `/image/v2/images/${id}/file`, { bytes });
    },
  },
  {
    name: 'user',
    path: '/identity/v3/users',
    as: 'admin',
    body: (name) => ({ user: { name, password: name } }),
    one: 'user',
    many: 'users',
    listed: '/identity/v3/users',
    isSettled: () => true,
  },
  {
    name: 'project',
    path: '/identity/v3/projects',
    as: 'admin',
    body: (name) => ({ project: { name } }),
    one: 'project',
    many: 'projects',
    listed: '/identity/v3/projects',
    isSettled: () => true,
    use: (client, id) =>
      client.send('PATCH', `/identity/v3/projects/${id}`, {
        as: 'admin',
        json: { project: { description: String(Math.random()) } },
      }),
  },
  {
    name: 'credential',
    path: '/identity/v3/credentials',
    as: 'admin',
    body: (name, { userId }) => ({ credential: { type: 'cert', blob: name, user_id: userId } }),
    one: 'credential',
    many: 'credentials',
    listed: '/identity/v3/credentials',
    nameOf: ({ blob }) => String(blob),
    isSettled: () => true,
  },
];

/** Those that the run has made. @returns undefined where no answer came */
export async function rowsOf(client: CloudClient, kind: Kind): Promise<Row[] | undefined> {
  const { status, body } = await client.send('GET', kind.listed, content(kind));
  if (status !== 200) return undefined;
  const rows = (body as Record<string, Row[]>)[kind.many] ?? [];
  const named = rows.map((row) => ({ ...row, name: kind.nameOf?.(row) ?? row.name }));
  return named.filter(({ name }) => name.startsWith('chaos-'));
}

export function content({ as }: Kind, json?: unknown): Content {
  return json === undefined ? { as } : { as, json };
}
