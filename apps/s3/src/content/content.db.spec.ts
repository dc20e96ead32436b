import { createHash, randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { selectRows } from '@cumulet/common/database/rows';
import { eventually } from '@cumulet/testing/settle';
import type { DataSource } from 'typeorm';
import { S3Database } from '../database/s3-database.fixture.js';
import { LooseData } from '../loose-data/loose-data.entity.js';
import { bytesOf, sourceOf, testContents, type TestContents } from './content.fixture.js';
import type { StoredBytes } from './content-reader.js';
import type { CustomerKey, EncryptionRequest } from './encryption/encryption.js';
import {
  type ContentSource,
  INLINE_BYTES,
  type Received,
  type ReceiveOptions,
} from './received.js';

const SMALL = randomBytes(INLINE_BYTES);
const LARGE = randomBytes(200_000);
const PLAIN: ReceiveOptions = { checksum: undefined, contentMd5: undefined, encryption: undefined };
const KEY = customerKey();
const METHODS: readonly (readonly [string, EncryptionRequest | undefined])[] = [
  ['not encrypted', undefined],
  ['SSE-S3', { kind: 'SSE-S3' }],
  ['SSE-KMS', { kind: 'SSE-KMS', keyId: 'a-key' }],
  ['SSE-C', { kind: 'SSE-C', key: KEY }],
];

let database: S3Database;
let dataSource: DataSource;
let ctx: RequestContext;
let { writer, reader, parts, store }: TestContents = testContents();

beforeAll(async () => {
  database = await S3Database.create();
  ({ ctx, dataSource } = database);
});
beforeEach(async () => {
  ({ writer, reader, parts, store } = testContents());
  await dataSource.query('DELETE FROM loose_data');
});
afterAll(() => database.destroy());

function customerKey(): CustomerKey {
  const key = randomBytes(32);
  return { key, md5: createHash('md5').update(key).digest('base64') };
}

function receive(source: ContentSource, options: Partial<ReceiveOptions> = {}): Promise<Received> {
  return writer.receive(ctx, source, { ...PLAIN, ...options });
}

/** As its row will have it. */
function storedOf(received: Received): StoredBytes {
  return { ...received, size: String(received.size), partCount: null };
}

async function loose(): Promise<LooseData[]> {
  return selectRows(dataSource.manager, LooseData, '');
}

/** The client disconnects before the first byte. */
async function expectClosed(stored: StoredBytes): Promise<void> {
  const data = await reader.open(ctx, stored, undefined, undefined);
  expect(store.opened).toHaveLength(1);
  data.destroy();
  await eventually('it is closed', () => store.opened.every(({ destroyed }) => destroyed));
}

/** Nothing in the store still has a lease. */
async function expectNothingLeft(): Promise<void> {
  expect([...store.objects.keys()]).toEqual([]);
  // Postgres rounds it, at times up.
  for (const { until } of await loose())
    expect(until.getTime()).toBeLessThanOrEqual(Date.now() + 1);
}

describe('received bytes', () => {
  it('are stored in the row if they fit', async () => {
    const { inline, dataId, size, etag } = await receive(sourceOf(SMALL));
    expect([inline, dataId, size]).toEqual([SMALL, null, INLINE_BYTES]);
    expect(etag).toBe(createHash('md5').update(SMALL).digest('hex'));
    expect([store.objects.size, await loose()]).toEqual([0, []]);
  });

  it('may be empty', async () => {
    const received = await receive(sourceOf(Buffer.alloc(0)));
    expect(received).toMatchObject({
      inline: Buffer.alloc(0),
      dataId: null,
      size: 0,
      etag: 'd41d8cd98f00b204e9800998ecf8427e',
    });
    const data = await reader.open(ctx, storedOf(received), undefined, undefined);
    expect(await bytesOf(data)).toEqual(Buffer.alloc(0));
  });

  it.each([
    ['known', LARGE.length],
    ['unknown', undefined],
  ])(
    'go to the store, and are loose until they are kept, if their length is %s',
    async (_, length) => {
      const received = await receive(sourceOf(LARGE, { length }));
      expect(received).toMatchObject({ inline: null, size: LARGE.length });
      expect((await loose()).map(({ dataId }) => dataId)).toEqual([received.dataId]);
      await inTransaction(ctx, (tx) => writer.keep(tx, received));
      expect(await loose()).toEqual([]);
    },
  );

  it('are refused once they have been removed as unused', async () => {
    const received = await receive(sourceOf(LARGE));
    await dataSource.query('DELETE FROM loose_data');
    await expect(inTransaction(ctx, (tx) => writer.keep(tx, received))).rejects.toMatchObject({
      code: 'ServiceUnavailable',
    });
  });

  it('are marked as loose immediately when they are dropped', async () => {
    const received = await receive(sourceOf(LARGE));
    store.objects.clear();
    await writer.drop(ctx, received);
    await expectNothingLeft();
  });
});

describe('a checksum', () => {
  const sha1 = createHash('sha1').update(LARGE).digest('base64');

  it.each([SMALL, LARGE])('is verified and stored', async (bytes) => {
    const value = createHash('sha256').update(bytes).digest('base64');
    const { checksum } = await receive(sourceOf(bytes), {
      contentMd5: createHash('md5').update(bytes).digest('base64'),
      checksum: { algorithm: 'SHA256', expected: value },
    });
    expect(checksum).toEqual({ algorithm: 'SHA256', type: 'FULL_OBJECT', value });
  });

  it('may follow the bytes', async () => {
    const trailer = 'x-amz-checksum-sha1';
    const source = sourceOf(LARGE, { trailer: { [trailer]: sha1 } });
    const { checksum } = await receive(source, { checksum: { algorithm: 'SHA1', trailer } });
    expect(checksum?.value).toBe(sha1);
  });

  it('is computed for a client that only names its algorithm', async () => {
    const { checksum } = await receive(sourceOf(LARGE), { checksum: { algorithm: 'SHA1' } });
    expect(checksum?.value).toBe(sha1);
  });

  it.each<[string, Partial<ReceiveOptions>, string]>([
    ['MD5', { contentMd5: createHash('md5').update('other').digest('base64') }, 'BadDigest'],
    ['MD5 that is invalid', { contentMd5: 'YWJj' }, 'InvalidDigest'],
    ['checksum', { checksum: { algorithm: 'CRC32', expected: 'AAAAAA==' } }, 'BadDigest'],
    [
      'trailer that is missing',
      { checksum: { algorithm: 'CRC32', trailer: 'x-amz-checksum-crc32' } },
      'MalformedTrailerError',
    ],
  ])('that is wrong leaves nothing behind: %s', async (_, options, code) => {
    for (const bytes of [SMALL, LARGE])
      await expect(receive(sourceOf(bytes), options)).rejects.toMatchObject({ code });
    await expectNothingLeft();
  });
});

describe('a body', () => {
  it.each([-1, 1])(
    'whose length differs from the announced one leaves nothing behind',
    async (more) => {
      for (const bytes of [SMALL, LARGE]) {
        const source = sourceOf(bytes, { length: bytes.length + more });
        await expect(receive(source)).rejects.toMatchObject({ code: 'IncompleteBody' });
      }
      await expectNothingLeft();
    },
  );

  it.each([LARGE.length, undefined])('that is too large is refused', async (length) => {
    const source = sourceOf(LARGE, { length });
    await expect(receive(source, { maxBytes: 100_000 })).rejects.toMatchObject({
      code: 'EntityTooLarge',
    });
    await expectNothingLeft();
  });

  it('that is cut off leaves nothing behind', async () => {
    for (const bytes of [Buffer.alloc(0), SMALL, LARGE]) {
      const body = new PassThrough();
      const open = (): PassThrough => {
        body.write(bytes);
        process.nextTick(() => body.destroy(new Error('the client has gone')));
        return body;
      };
      const source = { length: 1_000_000, open, trailers: () => ({}) };
      await expect(receive(source)).rejects.toThrow('the client has gone');
    }
    await expectNothingLeft();
  });

  it('does not disconnect its client when the store fails', async () => {
    const body = Readable.from([LARGE, LARGE], { objectMode: false });
    store.failure = new Error('no room');
    await expect(
      receive({ length: 2 * LARGE.length, open: () => body, trailers: () => ({}) }),
    ).rejects.toThrow('no room');
    await expectNothingLeft();
  });
});

describe('stored bytes', () => {
  const ranges = [undefined, { first: 0, last: 0 }, { first: 65_530, last: 131_080 }] as const;

  it.each(METHODS)('are read back unchanged: %s', async (_, encryption) => {
    const received = await receive(sourceOf(LARGE), { encryption });
    const key = encryption?.kind === 'SSE-C' ? KEY : undefined;
    for (const range of ranges) {
      const data = await bytesOf(await reader.open(ctx, storedOf(received), range, key));
      const { first, last } = range ?? { first: 0, last: LARGE.length - 1 };
      expect(data.equals(LARGE.subarray(first, last + 1))).toBe(true);
    }
  });

  it.each(METHODS)('are read back from their row: %s', async (_, encryption) => {
    const received = await receive(sourceOf(SMALL), { encryption });
    const key = encryption?.kind === 'SSE-C' ? KEY : undefined;
    for (const range of [undefined, { first: 100, last: 200 }]) {
      const data = await bytesOf(await reader.open(ctx, storedOf(received), range, key));
      const { first, last } = range ?? { first: 0, last: SMALL.length - 1 };
      expect(data.equals(SMALL.subarray(first, last + 1))).toBe(true);
    }
  });

  it.each(METHODS.slice(1))('are stored encrypted: %s', async (_, encryption) => {
    const text = Buffer.alloc(100_000, 'a secret ');
    await receive(sourceOf(text), { encryption });
    const { inline } = await receive(sourceOf(text.subarray(0, 1000)), { encryption });
    const [stored] = store.objects.values();
    expect(stored?.includes('secret')).toBe(false);
    expect(inline?.includes('secret')).toBe(false);
  });

  it('need the key of the client that encrypted them', async () => {
    const encryption = { kind: 'SSE-C', key: KEY } as const;
    const stored = storedOf(await receive(sourceOf(SMALL), { encryption }));
    const codeOf = (key: CustomerKey | undefined): Promise<unknown> =>
      reader.open(ctx, stored, undefined, key).then(
        () => 'opened',
        (error: unknown) => (error as { code: string }).code,
      );
    expect(await codeOf(undefined)).toBe('InvalidRequest');
    expect(await codeOf(customerKey())).toBe('AccessDenied');
    expect(await codeOf({ ...customerKey(), md5: KEY.md5 })).toBe('AccessDenied');
  });

  it.each(METHODS.slice(0, 2))('are closed if nobody reads them: %s', async (_, encryption) => {
    await expectClosed(storedOf(await receive(sourceOf(LARGE), { encryption })));
  });

  it('are not returned if they are damaged', async () => {
    const encryption = { kind: 'SSE-S3' } as const;
    const received = await receive(sourceOf(LARGE), { encryption });
    const [bytes] = store.objects.values();
    bytes?.writeUInt8((bytes.readUInt8(100_000) + 1) % 256, 100_000);
    const data = await reader.open(ctx, storedOf(received), undefined, undefined);
    await expect(bytesOf(data)).rejects.toThrow();
  });
});

describe('bytes in parts', () => {
  const pieces = [randomBytes(100_000), randomBytes(70_000), randomBytes(300)];
  const all = Buffer.concat(pieces);

  async function partsOf(encryption: EncryptionRequest | undefined): Promise<StoredBytes> {
    const { contentId } = await receive(sourceOf(SMALL));
    for (const [index, piece] of pieces.entries()) {
      const part = await receive(sourceOf(piece), { encryption });
      await inTransaction(ctx, async (tx) => {
        await writer.keep(tx, part);
        await tx.manager.query(
          `INSERT INTO parts (content_id, number, size, etag, data_id, inline, encryption)
             VALUES ($1, $2, $3, '', $4, $5, $6)`,
          [contentId, 2 * index + 1, part.size, part.dataId, part.inline, part.encryption],
        );
      });
    }
    const method =
      encryption?.kind === 'SSE-S3' ? { kind: encryption.kind, sealedKey: null } : null;
    const size = String(all.length);
    return { contentId, size, dataId: null, partCount: 3, encryption: method };
  }

  it.each(METHODS.slice(0, 2))(
    'are read back as a whole and in ranges: %s',
    async (_, encryption) => {
      const stored = await partsOf(encryption);
      for (const [first, last] of [
        [0, all.length - 1],
        [99_999, 100_000],
        [50_000, 170_100],
        [170_000, 170_299],
      ] as const) {
        const data = await bytesOf(await reader.open(ctx, stored, { first, last }, undefined));
        expect(data.equals(all.subarray(first, last + 1))).toBe(true);
      }
    },
  );

  it.each(METHODS.slice(0, 2))('are closed if nobody reads them: %s', async (_, encryption) => {
    await expectClosed(await partsOf(encryption));
  });

  it('know the range of each part', async () => {
    const { contentId } = await partsOf(undefined);
    if (contentId === null) throw new Error('no content');
    expect(await parts.rangeOf(ctx, contentId, 3)).toEqual({
      first: 100_000,
      last: 169_999,
    });
    expect(await parts.rangeOf(ctx, contentId, 2)).toBeUndefined();
  });

  it('that are missing fail as a missing object', async () => {
    const stored = await partsOf(undefined);
    await dataSource.query('DELETE FROM parts WHERE content_id = $1', [stored.contentId]);
    await expect(reader.open(ctx, stored, undefined, undefined)).rejects.toMatchObject({
      code: 'NoSuchKey',
    });
  });
});
