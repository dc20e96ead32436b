/** Uploads into real files by real processes that are killed: nothing is half there afterwards. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request as httpRequest, type ClientRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { TestClient } from '@cumulet/testing/http-client';
import { eventually } from '@cumulet/testing/settle';
import { TestTokens } from '@cumulet/testing/test-tokens';
import { createImagesDataSource } from '../database/images-data-source.js';
import {
  PlayedIdentity,
  startImagesProcess,
  type ImagesProcess,
  type ProcessOptions,
} from '../images-process.fixture.js';

const OCTETS = { 'Content-Type': 'application/octet-stream' };

let tokens: TestTokens;
let token: string;
let identity: PlayedIdentity;
let database: TestDatabase;
let options: ProcessOptions;
let running: ImagesProcess[];

beforeEach(async () => {
  tokens = await TestTokens.create();
  token = await tokens.issue(['member']);
  identity = await PlayedIdentity.start(tokens);
  database = await createTestDatabase('images', createImagesDataSource);
  const storeFolder = await mkdtemp(join(tmpdir(), 'cumulet-images-'));
  options = { databaseUrl: database.url, storeFolder, identityUrl: identity.url };
  running = [];
});

afterEach(async () => {
  for (const one of running) one.signal('SIGKILL');
  await Promise.all(running.map(({ exited }) => exited));
  identity.stop();
  await database.drop();
  await rm(options.storeFolder, { recursive: true, force: true });
});

async function start(changes: Partial<ProcessOptions> = {}): Promise<ImagesProcess> {
  const started = await startImagesProcess({ ...options, ...changes });
  running.push(started);
  return started;
}

async function anImage(at: ImagesProcess): Promise<string> {
  const body = { disk_format: 'raw', container_format: 'bare' };
  const response = await new TestClient(at.address).post('/v2/images', { token, body });
  return (response.body as { id: string }).id;
}

async function statusAt(at: ImagesProcess, id: string): Promise<unknown> {
  const { body } = await new TestClient(at.address).get(`/v2/images/${id}`, { token });
  return (body as { status: string }).status;
}

/** An upload that has brought a megabyte, and hangs. */
async function halfUpload(at: ImagesProcess, id: string): Promise<ClientRequest> {
  const upload = httpRequest(`${at.address}/v2/images/${id}/file`, {
    method: 'PUT',
    headers: { 'X-Auth-Token': token, 'Content-Length': '2000000', ...OCTETS },
  });
  upload.on('error', () => undefined);
  upload.write(randomBytes(1_000_000));
  await eventually('bytes are on the disk', async () => (await files()).length === 1);
  return upload;
}

/** Every file of the store that holds bytes of an image. */
async function files(): Promise<string[]> {
  const all = await readdir(options.storeFolder, { recursive: true, withFileTypes: true });
  return all.filter((one) => one.isFile() && one.name !== 'database-id').map(({ name }) => name);
}

async function expectNothingLeft(at: ImagesProcess, id: string): Promise<void> {
  await eventually('the image is queued', async () => (await statusAt(at, id)) === 'queued');
  await eventually('no bytes are left', async () => (await files()).length === 0);
}

describe('the images service with real files', () => {
  it('queues the image again, with no bytes left, when its client goes away', async () => {
    const service = await start();
    const id = await anImage(service);
    const upload = await halfUpload(service, id);
    upload.destroy();
    await expectNothingLeft(service, id);
  });

  it('answers 410 to an upload whose image is deleted meanwhile, and keeps no bytes', async () => {
    const service = await start();
    const id = await anImage(service);
    const upload = await halfUpload(service, id);
    const status = new Promise((resolve) =>
      upload.on('response', (response) => resolve(response.resume().statusCode)),
    );
    await new TestClient(service.address).delete(`/v2/images/${id}`, { token });
    upload.end(randomBytes(1_000_000));
    expect(await status).toBe(410);
    expect(await files()).toEqual([]);
  });

  it('does so, too, when its process was killed, once it is started again', async () => {
    const first = await start();
    const id = await anImage(first);
    await halfUpload(first, id);
    first.signal('SIGKILL');
    await first.exited;
    expect(await files()).toHaveLength(1);

    const second = await start();
    await expectNothingLeft(second, id);
    const data = randomBytes(500_000);
    const client = new TestClient(second.address);
    const path = `/v2/images/${id}/file`;
    expect((await client.put(path, { token, body: data, headers: OCTETS })).status).toBe(204);
    const back = await fetch(second.address + path, { headers: { 'X-Auth-Token': token } });
    expect(Buffer.from(await back.arrayBuffer()).equals(data)).toBe(true);
  });

  it('does so, too, while a sister process lives', async () => {
    const [killed, sister] = [await start(), await start()];
    const id = await anImage(killed);
    await halfUpload(killed, id);
    killed.signal('SIGKILL');
    await expectNothingLeft(sister, id);
  });

  it('leaves the upload of a sister alone when it starts', async () => {
    const first = await start();
    const id = await anImage(first);
    const upload = await halfUpload(first, id);
    const second = await start();
    expect(await statusAt(second, id)).toBe('saving');
    upload.end(randomBytes(1_000_000));
    await eventually('it is active', async () => (await statusAt(second, id)) === 'active');
  });

  it('stops at once on SIGTERM, taking its uploads back', async () => {
    const first = await start();
    const id = await anImage(first);
    await halfUpload(first, id);
    first.signal('SIGTERM');
    expect(await first.exited).toBe(0);
    expect(await files()).toEqual([]);
    const second = await start();
    expect(await statusAt(second, id)).toBe('queued');
  });

  it('does not start on the store of another database, and touches nothing in it', async () => {
    const first = await start();
    const id = await anImage(first);
    await new TestClient(first.address).put(`/v2/images/${id}/file`, {
      token,
      body: 'precious',
      headers: OCTETS,
    });
    const other = await createTestDatabase('images', createImagesDataSource);
    await renewClaim(other);
    const second = await start({ databaseUrl: other.url });
    expect(await second.exited).toBe(1);
    expect(second.errors()).toBe(
      `The image store ${options.storeFolder} belongs to another database.\n`,
    );
    expect(await files()).toHaveLength(1);
    await other.drop();
  });
});

/** Test databases are clones of one; a database made for itself has a claim of its own. */
async function renewClaim({ url }: TestDatabase): Promise<void> {
  const dataSource = await createImagesDataSource(url).initialize();
  await dataSource.query('UPDATE store_claim SET database_id = gen_random_uuid()');
  await dataSource.destroy();
}
