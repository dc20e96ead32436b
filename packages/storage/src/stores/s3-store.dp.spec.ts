/** The S3 store on a real S3 server: the contract, and what only S3 can get wrong. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import {
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newDataId, type DataId } from './byte-store.js';
import { S3Server } from './s3-server.fixture.js';
import { S3Store } from './s3-store.js';
import { storeContract } from './store-contract.fixture.js';
import type { S3Location } from './store-settings.js';
import {
  DataMissingError,
  StoreFullError,
  StoreUnavailableError,
  StoreUnusableError,
} from './store.errors.js';

const LIMIT = 1024 ** 4;

/** The first run on a machine installs the server. */
const INSTALL_MS = 180_000;

let server: S3Server;

beforeAll(async () => {
  server = await S3Server.start();
}, INSTALL_MS);
afterAll(() => server.stop());

storeContract(async () => {
  const location = await server.newLocation();
  return {
    store: new S3Store(location, 'widget', LIMIT),
    again: () => new S3Store(location, 'widget', LIMIT),
    end: () => Promise.resolve(),
  };
});

function dataOf(...pieces: Buffer[]): Readable {
  return Readable.from(pieces, { objectMode: false });
}

async function idsIn(store: S3Store): Promise<DataId[]> {
  const ids: DataId[] = [];
  for await (const id of store.list()) ids.push(id);
  return ids;
}

describe('S3Store', () => {
  let location: S3Location;
  let store: S3Store;

  beforeEach(async () => {
    location = await server.newLocation();
    store = new S3Store(location, 'widget', LIMIT);
    await store.claim(newDataId());
  });

  it('reassembles data of several parts', async () => {
    const data = randomBytes(20 * 1024 ** 2 + 7);
    const id = newDataId();
    await store.put(id, dataOf(data.subarray(0, 12_345_678), data.subarray(12_345_678)));
    const found = Buffer.concat((await (await store.open(id)).toArray()) as Buffer[]);
    expect(found.equals(data)).toBe(true);
    const range = await store.open(id, { first: 8 * 1024 ** 2 - 1, last: 9 * 1024 ** 2 });
    const part = Buffer.concat((await range.toArray()) as Buffer[]);
    expect(part.equals(data.subarray(8 * 1024 ** 2 - 1, 9 * 1024 ** 2 + 1))).toBe(true);
  });

  it('leaves no unfinished upload when the data breaks off after some parts', async () => {
    const broken = Readable.from(
      (function* () {
        yield randomBytes(20 * 1024 ** 2);
        throw new Error('the cable was pulled');
      })(),
      { objectMode: false },
    );
    await expect(store.put(newDataId(), broken)).rejects.toThrow('the cable was pulled');
    expect(await unfinishedUploads()).toBe(0);
  });

  it('leaves no unfinished upload of an object without a byte', async () => {
    await store.put(newDataId(), dataOf());
    expect(await unfinishedUploads()).toBe(0);
  });

  it('lists and removes what a killed process left half sent', async () => {
    const id = newDataId();
    const key = `${location.prefix}objects/${id}`;
    const client = server.client(location);
    const named = { Bucket: location.bucket, Key: key };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(named));
    const part = { ...named, UploadId, PartNumber: 1, Body: Buffer.alloc(10) };
    await client.send(new UploadPartCommand(part));
    expect(await idsIn(store)).toEqual([id]);
    await store.remove(id);
    expect(await idsIn(store)).toEqual([]);
    expect(await unfinishedUploads()).toBe(0);
  });

  it('lists its own objects only', async () => {
    const client = server.client(location);
    for (const Key of ['widgets/objects/README', `other/objects/${newDataId()}`]) {
      await client.send(new PutObjectCommand({ Bucket: location.bucket, Key, Body: 'x' }));
    }
    expect(await idsIn(store)).toEqual([]);
  });

  it('treats a missing bucket as an unavailable store, not as lost data', async () => {
    const gone = new S3Store({ ...location, bucket: 'no-such-bucket' }, 'widget', LIMIT);
    await expect(gone.open(newDataId())).rejects.toThrow(StoreUnavailableError);
    await expect(gone.put(newDataId(), dataOf(Buffer.from('x')))).rejects.toThrow(
      StoreUnavailableError,
    );
    await expect(store.open(newDataId())).rejects.toThrow(DataMissingError);
  });

  it('says at the start which store it cannot use', async () => {
    const { bucket } = await server.newLocation();
    const client = server.client(location);
    await client.send(new DeleteBucketCommand({ Bucket: bucket }));
    const gone = new S3Store({ ...location, bucket }, 'widget', LIMIT);
    await expect(gone.mark()).rejects.toThrow(StoreUnusableError);
    await expect(gone.claim(newDataId())).rejects.toThrow(StoreUnusableError);
  });

  it('is unavailable if identity does not answer', async () => {
    const nobody = new S3Store({ ...location, endpoint: 'http://127.0.0.1:1' }, 'widget', LIMIT);
    await expect(nobody.open(newDataId())).rejects.toThrow(StoreUnavailableError);
    await expect(nobody.remove(newDataId())).rejects.toThrow(StoreUnavailableError);
  });

  it('is full if the service says so', async () => {
    const full = await refusingServer('QuotaExceeded', 403);
    const { port } = full.address() as AddressInfo;
    const refused = new S3Store(
      { ...location, endpoint: `http://127.0.0.1:${port}` },
      'widget',
      LIMIT,
    );
    const put = refused.put(newDataId(), dataOf(Buffer.from('x')));
    await expect(put).rejects.toThrow(StoreFullError);
    full.close();
    full.closeAllConnections();
  });

  async function unfinishedUploads(): Promise<number> {
    const { Uploads = [] } = await server
      .client(location)
      .send(new ListMultipartUploadsCommand({ Bucket: location.bucket }));
    return Uploads.length;
  }
});

/** Answers everything with one error of S3. */
async function refusingServer(code: string, status: number): Promise<Server> {
  const refusing = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'Content-Type': 'application/xml' });
    response.end(`<Error><Code>${code}</Code><Message>refused</Message></Error>`);
  });
  refusing.listen(0, '127.0.0.1');
  await once(refusing, 'listening');
  return refusing;
}
