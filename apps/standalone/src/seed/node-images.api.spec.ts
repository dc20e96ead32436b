/** Images of nodes of clusters, which are built apart from the cloud. */
import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { asBearer } from '@cumulet/clients/http/actor';
import { ServiceClient } from '@cumulet/clients/http/service-client';
import { SERVICES } from '../services.js';
import { startTestCloud, type TestCloud } from '../test-cloud.fixture.js';
import { seedNodeImages } from './node-images.js';

let cloud: TestCloud;
let client: ServiceClient;
let admin: string;
let dataDir: string;

beforeAll(async () => {
  cloud = await startTestCloud(
    SERVICES.filter(({ name }) => name === 'identity' || name === 'images'),
  );
  admin = await cloud.login('admin', cloud.secrets.adminPassword);
  client = new ServiceClient({ service: 'images', baseUrl: `${cloud.url}/image` });
});
afterAll(async () => {
  await client.close();
  await cloud.stop();
});

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'node-images-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const seed = () => seedNodeImages(client, () => Promise.resolve(asBearer(admin)), dataDir);

/** A file that has the head of a qcow2 of 1 MiB, and this text. */
async function build(name: string, text: string, sha256?: string): Promise<void> {
  const head = Buffer.alloc(512);
  head.write('QFI\xfb', 'latin1');
  head.writeUInt32BE(3, 4);
  head.writeUInt32BE(16, 20);
  head.writeBigUInt64BE(1n << 20n, 24);
  const file = Buffer.concat([head, Buffer.from(text)]);
  const record = {
    name,
    disk_format: 'qcow2',
    container_format: 'bare',
    min_ram: 1024,
    os_distro: 'cumulet-node',
    kube_version: 'v1.35.4',
    sha256: sha256 ?? createHash('sha256').update(file).digest('hex'),
  };
  const folder = join(dataDir, 'node-images');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.qcow2`), file);
  await writeFile(join(folder, `${name}.json`), JSON.stringify(record));
}

async function listed(name: string): Promise<unknown[]> {
  const path = `/image/v2/images?name=${name}`;
  const { body } = await cloud.client.get(path, { token: admin });
  return (body as { images: unknown[] }).images;
}

it('are absent if none was built', async () => {
  await expect(seed()).resolves.toBeUndefined();
});

it('are registered once, as public images with their properties', async () => {
  await build('node-one', 'first');
  expect([await seed(), await seed()]).toEqual(['node-one', 'node-one']);
  expect(await listed('node-one')).toMatchObject([
    { status: 'active', visibility: 'public', min_ram: 1024, kube_version: 'v1.35.4' },
  ]);
});

it('replace earlier builds of the same name', async () => {
  await build('node-two', 'first');
  await seed();
  const former = await listed('node-two');
  await build('node-two', 'second');
  await seed();
  const now = await listed('node-two');
  expect(now).toHaveLength(1);
  expect(now).not.toEqual(former);
});

it('are refused if the file is not the one that was built', async () => {
  await build('node-three', 'cut off', 'f'.repeat(64));
  await expect(seed()).rejects.toThrow('SHA-256 differ');
  expect(await listed('node-three')).toEqual([]);
});
