/** S3 with the programs that people use, as they come. */
import { mkdir } from 'node:fs/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';
import { S3World } from './s3-world.js';

const MINUTES = 60_000;

let world: S3World;

withProject(async ({ cloud, demo }) => {
  world = await S3World.of(demo, cloud.s3Url);
});
afterAll(() => world.remove());

describe('aws s3', () => {
  const aws = (command: readonly string[]): Promise<string> => world.python3('aws', command);

  it(
    'makes a bucket, synchronises a tree in both directions, and removes them',
    async () => {
      await aws(words`s3 mb s3://aws-tree`);
      await aws(words`s3 sync tree s3://aws-tree/kept`);
      expect(await aws(words`s3 ls --recursive s3://aws-tree`)).toMatch(
        /20971520 kept\/large\.bin/,
      );
      await aws(words`s3 sync s3://aws-tree/kept aws-back`);
      expect(await world.difference('tree', 'aws-back')).toBe('');
      expect(await aws(words`s3 sync tree s3://aws-tree/kept`)).toBe('');
      await aws(words`s3 cp s3://aws-tree/kept/large.bin s3://aws-tree/copied.bin`);
      await aws(words`s3 mv s3://aws-tree/copied.bin s3://aws-tree/moved.bin`);
      await aws(words`s3 cp s3://aws-tree/moved.bin aws-moved.bin`);
      await world.run('cmp', [world.path('tree/large.bin'), world.path('aws-moved.bin')]);
      const refused = await world.tryPython('aws', words`s3 rb s3://aws-tree`);
      expect(refused.stderr).toContain('BucketNotEmpty');
      await aws(words`s3 rb --force s3://aws-tree`);
      expect(await aws(words`s3 ls`)).not.toContain('aws-tree');
    },
    10 * MINUTES,
  );

  it(
    'signs addresses that work without a key',
    async () => {
      await aws(words`s3 mb s3://aws-signed`);
      await aws(words`s3 cp tree/small.txt s3://aws-signed/small.txt`);
      const address = await aws(words`s3 presign s3://aws-signed/small.txt`);
      expect(await (await fetch(address.trim())).text()).toBe('small');
      expect((await fetch(`${world.url}/aws-signed/small.txt`)).status).toBe(403);
    },
    10 * MINUTES,
  );
});

describe('aws s3api', () => {
  const api = async <T = Record<string, unknown>>(command: readonly string[]): Promise<T> => {
    const text = await world.python3('aws', ['s3api', ...command]);
    return (text.trim() === '' ? {} : JSON.parse(text)) as T;
  };

  it(
    'keeps versions, tags and policies',
    async () => {
      await api(words`create-bucket --bucket api-versions`);
      const on = words`--bucket api-versions`;
      await api([
        'put-bucket-versioning',
        ...on,
        ...words`--versioning-configuration Status=Enabled`,
      ]);
      const put = [...words`put-object`, ...on, ...words`--key note --body tree/small.txt`];
      const first = await api<{ VersionId: string }>([...put, ...words`--tagging colour=red`]);
      const second = await api<{ VersionId: string }>(put);
      expect(second.VersionId).not.toBe(first.VersionId);
      await api([...words`delete-object`, ...on, ...words`--key note`]);
      const { Versions, DeleteMarkers } = await api<{
        Versions: { VersionId: string }[];
        DeleteMarkers: unknown[];
      }>([...words`list-object-versions`, ...on]);
      expect(Versions.map(({ VersionId }) => VersionId)).toEqual([
        second.VersionId,
        first.VersionId,
      ]);
      expect(DeleteMarkers).toHaveLength(1);
      const tags = await api([
        ...words`get-object-tagging`,
        ...on,
        ...words`--key note --version-id ${first.VersionId}`,
      ]);
      expect(tags).toMatchObject({ TagSet: [{ Key: 'colour', Value: 'red' }] });
    },
    10 * MINUTES,
  );

  it(
    'verifies checksums of multipart uploads',
    async () => {
      await api(words`create-bucket --bucket api-parts`);
      await world.python3(
        'aws',
        words`s3 cp tree/large.bin s3://api-parts/large --checksum-algorithm SHA256`,
      );
      const attributes = await api([
        ...words`get-object-attributes --bucket api-parts --key large`,
        ...words`--object-attributes Checksum ObjectParts ObjectSize`,
      ]);
      expect(attributes).toMatchObject({
        ObjectSize: 20 * 1024 * 1024,
        ObjectParts: { TotalPartsCount: 3 },
      });
    },
    10 * MINUTES,
  );
});

describe('s3cmd', () => {
  it(
    'puts and gets with signatures of version 4, and of version 2',
    async () => {
      const host = new URL(world.url).host;
      for (const version of [[], ['--signature-v2']]) {
        const bucket = version.length > 0 ? 's3cmd-two' : 's3cmd-four';
        const s3cmd = (command: readonly string[]): Promise<string> =>
          world.python3('s3cmd', [
            '--no-ssl',
            `--host=${host}`,
            `--host-bucket=${host}`,
            '--config=/dev/null',
            `--access_key=${world.access}`,
            `--secret_key=${world.secret}`,
            ...version,
            ...command,
          ]);
        await s3cmd(words`mb s3://${bucket}`);
        await s3cmd(words`put --recursive tree/ s3://${bucket}/tree/`);
        await mkdir(world.path(bucket));
        await s3cmd(words`get --recursive s3://${bucket}/tree/ ${bucket}/`);
        expect(await world.difference('tree', bucket)).toBe('');
        await s3cmd(words`rb --recursive --force s3://${bucket}`);
      }
    },
    10 * MINUTES,
  );
});

describe('rclone', () => {
  it(
    'synchronises a tree and finds it whole',
    async () => {
      const env = {
        // One that the machine has for others would be read for no reason, and in vain.
        AWS_CA_BUNDLE: '',
        RCLONE_CONFIG: '/dev/null',
        RCLONE_CONFIG_CLOUD_TYPE: 's3',
        RCLONE_CONFIG_CLOUD_PROVIDER: 'Other',
        RCLONE_CONFIG_CLOUD_ENDPOINT: world.url,
        RCLONE_CONFIG_CLOUD_ACCESS_KEY_ID: world.access,
        RCLONE_CONFIG_CLOUD_SECRET_ACCESS_KEY: world.secret,
        HOME: world.folder,
      };
      const rclone = (command: readonly string[]): Promise<string> =>
        world.run('rclone', command, env);
      await rclone(words`sync tree cloud:rclone-tree/kept --s3-chunk-size 5M`);
      await rclone(words`check tree cloud:rclone-tree/kept --download`);
      await rclone(words`sync cloud:rclone-tree/kept rclone-back`);
      expect(await world.difference('tree', 'rclone-back')).toBe('');
      await rclone(words`purge cloud:rclone-tree`);
    },
    10 * MINUTES,
  );
});

describe('restic', () => {
  it(
    'backs up, checks all of the data, and restores',
    async () => {
      const env = {
        ...world.env,
        RESTIC_REPOSITORY: `s3:${world.url}/restic-backups`,
        RESTIC_PASSWORD: 'a passphrase',
        RESTIC_CACHE_DIR: world.path('restic-cache'),
      };
      const restic = (command: readonly string[]): Promise<string> =>
        world.run('restic', command, env);
      await restic(words`init`);
      await restic(words`backup tree`);
      expect(await restic(words`check --read-data`)).toContain('no errors were found');
      await restic(words`restore latest --target restic-back`);
      expect(await world.difference('tree', 'restic-back/tree')).toBe('');
      await restic(words`forget --keep-last 1 --prune`);
    },
    10 * MINUTES,
  );
});
