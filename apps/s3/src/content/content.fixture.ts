/** Contents on a real database, with a store in memory that a test can look into and make fail. */
import { Readable } from 'node:stream';
import pino from 'pino';
import { exampleEnvironment } from '@cumulet/common/config/settings';
import type { ByteRange, DataId } from '@cumulet/storage/stores/byte-store';
import { MemoryStore } from '@cumulet/storage/stores/memory-store';
import { DataMissingError } from '@cumulet/storage/stores/store.errors';
import { LooseDataRepository } from '../loose-data/loose-data.repository.js';
import { s3Service } from '../service.js';
import { HELD } from '../config.js';
import { PartRepository } from './part.repository.js';
import { ContentReader } from './content-reader.js';
import { ContentWriter } from './content-writer.js';
import { ContentKeys } from './encryption/content-keys.js';
import type { ContentSource } from './received.js';

export class TestStore extends MemoryStore {
  readonly objects = new Map<DataId, Buffer>();
  /** The failure of the next `put`, after it has read the bytes. */
  failure: Error | undefined;
  /** What has been opened. */
  readonly opened: Readable[] = [];

  constructor() {
    super(HELD);
  }

  override async put(id: DataId, data: Readable): Promise<void> {
    const bytes = await bytesOf(data);
    const { failure } = this;
    this.failure = undefined;
    if (failure) throw failure;
    this.objects.set(id, bytes);
  }

  override open(id: DataId, range?: ByteRange): Promise<Readable> {
    const bytes = this.objects.get(id);
    if (!bytes) return Promise.reject(new DataMissingError(id));
    const part = range ? bytes.subarray(range.first, range.last + 1) : bytes;
    const data = Readable.from([part], { objectMode: false });
    this.opened.push(data);
    return Promise.resolve(data);
  }
}

export interface TestContents {
  readonly writer: ContentWriter;
  readonly reader: ContentReader;
  readonly parts: PartRepository;
  readonly store: TestStore;
}

export function testContents(): TestContents {
  const store = new TestStore();
  const looseData = new LooseDataRepository();
  const parts = new PartRepository();
  const keys = new ContentKeys(s3Service.load(exampleEnvironment(s3Service.settings)));
  const writer = new ContentWriter(store, pino({ level: 'silent' }), looseData, keys);
  const reader = new ContentReader(store, parts, keys);
  return { writer, reader, parts, store };
}

/** A body as a request has it, in pieces of 1,000 bytes. */
export function sourceOf(
  bytes: Buffer,
  more: Partial<ContentSource> & { readonly trailer?: Record<string, string> } = {},
): ContentSource {
  return {
    length: bytes.length,
    open: () => Readable.from(piecesOf(bytes), { objectMode: false }),
    trailers: () => more.trailer ?? {},
    ...more,
  };
}

function* piecesOf(bytes: Buffer): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
}

export async function bytesOf(data: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of data as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
