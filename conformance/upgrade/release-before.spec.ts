/**
 * The release before this one, on the schemas and in the data folder of this one: a cloud can go back, and
 * while it is upgraded one process at a time, both are at work. `npm run conformance -- upgrade`.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { DeleteBucketCommand, ListBucketsCommand } from '@aws-sdk/client-s3';
import { eventually } from '../support/eventually.js';
import { RunningCloud } from '../support/running-cloud.js';
import { SIMULATED_CLOUD } from '../support/simulated-cloud.js';

const MINUTES = 60_000;

/** Its cloud, in the checkout that scripts/conformance.mjs has built. */
const BEFORE = join(
  process.env['CONFORMANCE_RELEASE_BEFORE'] ?? '',
  'apps/standalone/dist/cumulet.js',
);

const SETTINGS = {
  ...SIMULATED_CLOUD,
  CLUSTERS_ENGINE: 'simulated',
  IDENTITY_PASSWORD_HISTORY: '3',
};

interface Row {
  readonly [field: string]: unknown;
}
/** Of scripts/lib/recorded, which makes a row of every table that clients fill. */
interface Client {
  logIn(identity: object, scope?: object): Promise<string>;
  whoAmI(): Promise<{ readonly token: { readonly project: { readonly id: string } } }>;
  send(method: string, path: string): Promise<Readonly<Record<string, readonly Row[]>>>;
}
interface Things {
  readonly buckets: { readonly keys: { readonly own: { access: string; secret: string } } };
}
const recorded = (name: string): string =>
  new URL(`../../scripts/lib/recorded/${name}.mjs`, import.meta.url).href;
const { CloudClient, login } = (await import(recorded('client'))) as {
  readonly CloudClient: new (url: string) => Client;
  readonly login: (name: string, password: string) => [object, object];
};
const { makeSomeOfEverything } = (await import(recorded('things'))) as {
  readonly makeSomeOfEverything: (client: Client, secrets: object) => Promise<Things>;
};

interface List {
  /** Below it is each of its rows; `%` is the user's project. */
  readonly path: string;
  readonly as: 'admin' | 'demo';
  /** What answers call the rows. */
  readonly rows: string;
  /** What names a row in paths. */
  readonly id: (row: Row) => unknown;
}

const byId = ({ id }: Row): unknown => id;

/** Of all services but S3, in an order in which their rows can be deleted. */
const LISTS: readonly List[] = [
  { path: '/container-infra/v1/clusters', as: 'demo', rows: 'clusters', id: ({ uuid }) => uuid },
  {
    path: '/orchestration/v1/%/stacks',
    as: 'demo',
    rows: 'stacks',
    id: ({ stack_name: name, id }) => `${String(name)}/${String(id)}`,
  },
  { path: '/compute/v2.1/servers', as: 'demo', rows: 'servers', id: byId },
  { path: '/image/v2/images', as: 'admin', rows: 'images', id: byId },
  {
    path: '/key-manager/v1/secrets',
    as: 'demo',
    rows: 'secrets',
    id: ({ secret_ref: ref }) => String(ref).split('/').at(-1),
  },
  { path: '/load-balancer/v2/lbaas/l7policies', as: 'demo', rows: 'l7policies', id: byId },
  { path: '/networking/v2.0/trunks', as: 'demo', rows: 'trunks', id: byId },
  { path: '/identity/v3/users', as: 'admin', rows: 'users', id: byId },
];

/** What names the rows of a list, by its path. */
type Found = ReadonlyMap<string, readonly string[]>;

describe('the release before, on the schemas of this one', () => {
  let cloud: RunningCloud;
  let secrets: Readonly<Record<string, string>>;
  let things: Things;
  /** By path: what was there, and what is since. */
  let found: Found;
  let made: Found;
  const clients = new Map<string, Client>();
  /** Of this release. */
  let program: string;
  const newIn = (path: string): readonly string[] =>
    (made.get(path) ?? []).filter((id) => !found.get(path)?.includes(id));

  const starts = async (program: string): Promise<void> => {
    await cloud.stop();
    cloud.program = program;
    await cloud.start();
    for (const name of ['admin', 'demo']) {
      const client = new CloudClient(cloud.url);
      await client.logIn(...login(name, secrets[`${name}Password`] ?? ''));
      clients.set(name, client);
    }
  };
  const send = async (list: List, method: string, below = ''): Promise<readonly Row[]> => {
    const client = clients.get(list.as) as Client;
    const { token } = await client.whoAmI();
    const answer = await client.send(method, list.path.replace('%', token.project.id) + below);
    return answer[list.rows] ?? [];
  };
  const idsIn = async (list: List): Promise<string[]> =>
    (await send(list, 'GET')).map((row) => String(list.id(row))).sort();
  const all = async (): Promise<Found> => {
    const lists = LISTS.map(async (list) => [list.path, await idsIn(list)] as const);
    return new Map(await Promise.all(lists));
  };
  const withS3 = async <T>(body: (s3: S3Client) => Promise<T>): Promise<T> => {
    const { access, secret } = things.buckets.keys.own;
    const s3 = new S3Client({
      endpoint: cloud.s3Url,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: access, secretAccessKey: secret },
    });
    try {
      return await body(s3);
    } finally {
      s3.destroy();
    }
  };
  const buckets = (): Promise<string[]> =>
    withS3(async (s3) => {
      const { Buckets = [] } = await s3.send(new ListBucketsCommand({}));
      return Buckets.map(({ Name = '' }) => Name).sort();
    });

  beforeAll(async () => {
    cloud = await RunningCloud.startAgain(SETTINGS);
    const text = await readFile(join(cloud.folder, 'secrets.json'), 'utf8');
    secrets = JSON.parse(text) as Record<string, string>;
    program = cloud.program;
    await starts(BEFORE);
    found = await all();
  }, 10 * MINUTES);
  afterAll(() => cloud.remove(), 5 * MINUTES);

  it(
    'makes some of everything',
    async () => {
      things = await makeSomeOfEverything(new CloudClient(cloud.url), secrets);
      made = await all();
      const more = LISTS.map(({ path }) => [path, newIn(path).length > 0]);
      expect(more).toEqual(LISTS.map(({ path }) => [path, true]));
    },
    5 * MINUTES,
  );

  it(
    'leaves all of that to this release, and takes it back',
    async () => {
      const madeBuckets = await buckets();
      for (const next of [program, BEFORE]) {
        await starts(next);
        expect(await all()).toEqual(made);
        expect(await buckets()).toEqual(madeBuckets);
      }
    },
    5 * MINUTES,
  );

  it.each(LISTS)('deletes what is at $path', async (list) => {
    const ids = newIn(list.path);
    for (const id of ids) await send(list, 'DELETE', `/${id}`);
    await eventually('their end', MINUTES, async () => {
      const left = await idsIn(list);
      return ids.some((id) => left.includes(id)) ? undefined : true;
    });
  });

  it('creates and deletes a bucket', async () => {
    const Bucket = 'made-by-the-one-before';
    await withS3((s3) => s3.send(new CreateBucketCommand({ Bucket })));
    expect(await buckets()).toContain(Bucket);
    await withS3((s3) => s3.send(new DeleteBucketCommand({ Bucket })));
    expect(await buckets()).not.toContain(Bucket);
  });
});
