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
import {
  playIdentity,
  startImagesProcess,
  type ImagesProcess,
  type ProcessOptions,
} from '../images-process.fixture.js';
import { imagesService } from '../service.js';

const OCTETS = { 'Content-Type': 'application/octet-stream' };

let tokens: TestTokens;
let token: string;
let database: TestDatabase;
let options: ProcessOptions;
let running: ImagesProcess[];

beforeEach(async () => {
  tokens = await TestTokens.create();
  token = await tokens.issue(['member']);
  const identity = await playIdentity(tokens);
  database = await createTestDatabase(imagesService);
  const storeFolder = await mkdtemp(join(tmpdir(), 'cumulet-images-'));
  options = { databaseUrl: database.url, storeFolder, identity };
  running = [];
});

afterEach(async () => {
  for (const one of running) one.signal('SIGKILL');
  await Promise.all(running.map(({ exited }) => exited));
  await options.identity.stop();
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
async function halfUpload(
  at: ImagesProcess,
  id: string,
  as: 'file' | 'stage' = 'file',
): Promise<ClientRequest> {
  const before = (await files()).length;
  const upload = httpRequest(`${at.address}/v2/images/${id}/${as}`, {
    method: 'PUT',
    headers: { 'X-Auth-Token': token, 'Content-Length': '2000000', ...OCTETS },
  });
  upload.on('error', () => undefined);
  upload.write(randomBytes(1_000_000));
  await eventually('bytes are on the disk', async () => (await files()).length > before);
  return upload;
}

async function upload(at: ImagesProcess, id: string, body: Buffer): Promise<void> {
  await new TestClient(at.address).put(`/v2/images/${id}/file`, { token, body, headers: OCTETS });
}

async function download(at: ImagesProcess, id: string): Promise<Buffer> {
  const response = await fetch(`${at.address}/v2/images/${id}/file`, {
    headers: { 'X-Auth-Token': token },
  });
  return Buffer.from(await response.arrayBuffer());
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

  it('keeps what was complete, and nothing else, when killed in the middle of many', async () => {
    const first = await start();
    const whole = new Map<string, Buffer>();
    for (let at = 0; at < 3; at += 1) {
      const [id, data] = [await anImage(first), randomBytes(700_000)];
      await upload(first, id, data);
      whole.set(id, data);
    }
    const cut: string[] = [];
    for (const as of ['file', 'stage', 'file', 'stage', 'file'] as const) {
      const id = await anImage(first);
      await halfUpload(first, id, as);
      cut.push(id);
    }
    // These may end before the kill or not; either way no image has half of its data.
    const racing = [await anImage(first), await anImage(first)];
    const data = randomBytes(3_000_000);
    const races = racing.map((id) => upload(first, id, data).catch(() => undefined));
    first.signal('SIGKILL');
    await Promise.all([first.exited, ...races]);

    const second = await start();
    for (const id of cut) {
      await eventually('it is queued', async () => (await statusAt(second, id)) === 'queued');
    }
    for (const id of racing) {
      await eventually('it is settled', async () => (await statusAt(second, id)) !== 'saving');
      if ((await statusAt(second, id)) === 'active') whole.set(id, data);
    }
    await eventually('no other bytes are left', async () => (await files()).length === whole.size);
    // What was cut off can be brought again.
    const [again = ''] = cut;
    whole.set(again, randomBytes(500_000));
    await upload(second, again, whole.get(again) ?? data);
    for (const [id, bytes] of whole) {
      expect((await download(second, id)).equals(bytes)).toBe(true);
    }
  });

  it('queues it again, with no bytes left, while a sister process lives', async () => {
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
    await upload(first, id, Buffer.from('precious'));
    const other = await createTestDatabase(imagesService);
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
  const dataSource = await imagesService.dataSource(url).initialize();
  await dataSource.query('UPDATE store_claim SET database_id = gen_random_uuid()');
  await dataSource.destroy();
}
