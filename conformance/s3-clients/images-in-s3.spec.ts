/** A cloud whose images are in a bucket of another cloud's S3, under an access key of its own. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as s3 from '@aws-sdk/client-s3';
import { afterAll, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import type { OpenStackClient } from '../support/openstack-client.js';
import { RunningCloud } from '../support/running-cloud.js';
import { SIMULATED_CLOUD } from '../support/simulated-cloud.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;
const BUCKET = 'images-of-a-cloud';
const PREFIX = 'images/';

type Fields = Readonly<Record<string, unknown>>;

/** The cloud of which images are kept elsewhere, and a user of it. */
let cloud: RunningCloud;
let user: OpenStackClient;
/** Whoever keeps the bucket. */
let client: s3.S3Client;
/** Serves `bytes`. */
let web: Server;
/** Of an image's file: of several parts of the store, and the last is not full. */
const bytes = randomBytes(20 * 1024 ** 2 + 7);
let file: string;

afterAll(async () => {
  await cloud.remove();
  client.destroy();
  web.close();
}, 5 * MINUTES);

withProject(async ({ cloud: keeper, demo }) => {
  const { access, secret } = await demo.json<{ access: string; secret: string }>(
    ...words`ec2 credentials create`,
  );
  const credentials = { accessKeyId: access, secretAccessKey: secret };
  const at = { endpoint: keeper.s3Url, region: 'us-east-1', forcePathStyle: true };
  client = new s3.S3Client({ ...at, credentials });
  await client.send(new s3.CreateBucketCommand({ Bucket: BUCKET }));
  web = createServer((_, response) => void response.end(bytes)).listen(0, '127.0.0.1');
  await once(web, 'listening');
  cloud = await RunningCloud.startAgain({
    ...SIMULATED_CLOUD,
    IMAGES_STORE: 's3',
    IMAGES_S3_ENDPOINT: keeper.s3Url,
    IMAGES_S3_BUCKET: BUCKET,
    IMAGES_S3_PREFIX: PREFIX,
    IMAGES_S3_ACCESS_KEY: access,
    IMAGES_S3_SECRET_KEY: secret,
    IMAGES_WEB_DOWNLOAD_ALLOW_PRIVATE: 'true',
    IMAGES_WEB_DOWNLOAD_PORTS: String((web.address() as AddressInfo).port),
  });
  user = demo.entry(cloud.cloudsYaml, 'cumulet');
  file = join(cloud.folder, 'disk.raw');
  await writeFile(file, bytes);
});

const show = (image: string): Promise<Fields> => user.json<Fields>('image', 'show', image);

/** Whether the client gets what was sent; it compares the checksum too. */
async function isSaved(image: string): Promise<boolean> {
  const saved = join(cloud.folder, 'saved');
  await user.text('image', 'save', '--file', saved, image);
  return bytes.equals(await readFile(saved));
}

/** The sizes of what is in the bucket, by name; `-1` of an upload that is not finished. */
async function kept(): Promise<Map<string, number>> {
  const { Contents = [] } = await client.send(new s3.ListObjectsV2Command({ Bucket: BUCKET }));
  const listed = await client.send(new s3.ListMultipartUploadsCommand({ Bucket: BUCKET }));
  return new Map([
    ...Contents.map(({ Key = '', Size = 0 }) => [Key, Size] as const),
    ...(listed.Uploads ?? []).map(({ Key = '' }) => [Key, -1] as const),
  ]);
}

/** Deletes the image. Returns once its bytes are gone, and nothing but the store's mark is left. */
async function isGone(image: string): Promise<void> {
  await user.text('image', 'delete', image);
  await eventually('an empty bucket', 2 * MINUTES, async () => {
    const names = [...(await kept()).keys()];
    return names.join() === `${PREFIX}database-id` || undefined;
  });
}

async function becomesActive(image: string): Promise<void> {
  await eventually(`${image} active`, 3 * MINUTES, async () => {
    return (await show(image))['status'] === 'active' || undefined;
  });
}

it(
  'an image that is uploaded is an object of the bucket, whole and in ranges, until it is deleted',
  async () => {
    await user.text(...words`image create --disk-format raw --file ${file} uploaded`);
    const { id, ...shown } = await show('uploaded');
    expect(shown).toMatchObject({
      status: 'active',
      size: bytes.length,
      checksum: createHash('md5').update(bytes).digest('hex'),
      properties: expect.objectContaining({
        stores: 's3',
        os_hash_value: createHash('sha512').update(bytes).digest('hex'),
      }),
    });
    expect([...(await kept()).values()]).toContain(bytes.length);
    expect(await isSaved('uploaded')).toBe(true);

    const token = (await user.text(...words`token issue -f value -c id`)).trim();
    const [first, last] = [8 * 1024 ** 2 - 1, 16 * 1024 ** 2];
    const range = await fetch(`${cloud.url}/image/v2/images/${String(id)}/file`, {
      headers: { 'X-Auth-Token': token, Range: `bytes=${first}-${last}` },
    });
    expect(range.status).toBe(206);
    const part = Buffer.from(await range.arrayBuffer());
    expect(part.equals(bytes.subarray(first, last + 1))).toBe(true);
    await isGone('uploaded');
  },
  10 * MINUTES,
);

it(
  'an image that is staged and imported is there',
  async () => {
    await user.text(...words`image create --disk-format raw staged`);
    await user.text(...words`image stage --file ${file} staged`);
    await user.text(...words`image import --method glance-direct staged`);
    await becomesActive('staged');
    expect(await isSaved('staged')).toBe(true);
    await isGone('staged');
  },
  10 * MINUTES,
);

it(
  'an image that is imported from the web is there',
  async () => {
    const { port } = web.address() as AddressInfo;
    const uri = `http://127.0.0.1:${port}/disk`;
    await user.text(...words`image create --disk-format raw fetched`);
    await user.text(...words`image import --method web-download --uri ${uri} fetched`);
    await becomesActive('fetched');
    expect(await isSaved('fetched')).toBe(true);
    await isGone('fetched');
  },
  10 * MINUTES,
);
