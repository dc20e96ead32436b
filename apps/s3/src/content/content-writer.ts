/**
 * Receives the bytes of objects and parts, into memory if they fit into a row, otherwise into the
 * store, and hands them over to their row.
 *
 * Always holds: before the first byte reaches the store, a row records it as loose; bytes that
 * differ from their sender's description never become complete there.
 */
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { LOGGER } from '@cumulet/common/service/tokens';
import { newDataId, type ByteStore, type DataId } from '@cumulet/storage/stores/byte-store';
import type { Logger } from 'pino';
import { Feature } from '@cumulet/common/service/feature';
import { S3Error } from '../http/s3-error.js';
import { LooseDataRepository } from '../loose-data/loose-data.repository.js';
import { STORE } from '../store/store.js';
import {
  type ContentSource,
  headOf,
  newContentId,
  type Received,
  type ReceiveOptions,
  ContentMeter,
  type Measured,
} from './received.js';
import { ContentKeys, type NewKey, encrypted } from './encryption/content-keys.js';
import { PartRepository } from './part.repository.js';
import { ContentReader } from './content-reader.js';
import { Part } from './part.entity.js';

/** For how long data of a crashed writer stays. */
const LEASE_SECONDS = 300;
const RENEW_MS = 60_000;

@Injectable()
export class ContentWriter {
  constructor(
    @Inject(STORE) private readonly store: ByteStore,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly looseData: LooseDataRepository,
    private readonly keys: ContentKeys,
  ) {}

  /**
   * Takes in all bytes, which are on disk when it returns, and are removed unless `keep` follows.
   * @throws S3Error EntityTooLarge, InvalidDigest, BadDigest, IncompleteBody,
   * MalformedTrailerError, and whatever the source fails with; then nothing is left
   */
  async receive(
    ctx: RequestContext,
    source: ContentSource,
    options: ReceiveOptions,
  ): Promise<Received> {
    const meter = await ContentMeter.begin(source, options);
    const data = iteratorOf(source.open());
    const head = await headOf(data, source.length);
    const newKey = options.encryption && this.keys.make(options.encryption);
    const contentId = newContentId();
    const encryption = newKey?.encryption ?? null;
    if (head.isAll) {
      meter.update(head.bytes);
      const measured = meter.end();
      const inline = await inlineOf(head.bytes, newKey);
      return { ...measured, contentId, dataId: null, inline, encryption };
    }
    const dataId = newDataId();
    await this.looseData.insert(ctx, dataId, LEASE_SECONDS);
    const all = metered(meter, head.bytes, data);
    const stored = await this.#store(ctx, dataId, all, newKey);
    return { ...stored, contentId, dataId, inline: null };
  }

  /**
   * Call it in the transaction that writes the row of an object or a part, before it.
   * @throws S3Error ServiceUnavailable if the bytes were taken for forgotten; the client tries again
   */
  async keep(tx: RequestContext, { dataId }: Pick<Received, 'dataId'>): Promise<void> {
    if (dataId === null || (await this.looseData.take(tx, dataId))) return;
    throw new S3Error('ServiceUnavailable', {
      message: 'The bytes of the request were stored for too long without their object.',
    });
  }

  /** Removes the data at once; otherwise it is removed when its lease ends. */
  async drop(ctx: RequestContext, { dataId }: Pick<Received, 'dataId'>): Promise<void> {
    if (dataId !== null) await this.#prolong(ctx, dataId, 0);
  }

  async #store(
    ctx: RequestContext,
    dataId: DataId,
    data: AsyncGenerator<Buffer, Measured>,
    newKey: NewKey | undefined,
  ): Promise<Measured & Pick<Received, 'encryption'>> {
    const lease = setInterval(() => void this.#prolong(ctx, dataId, LEASE_SECONDS), RENEW_MS);
    lease.unref();
    const returned = new Returned(data);
    const sealed = newKey && new Crc32(encrypted(newKey.key, returned));
    try {
      await this.store.put(dataId, Readable.from(sealed ?? returned, { objectMode: false }));
      const encryption = sealed ? { ...newKey.encryption, storedCrc32: sealed.value } : null;
      return { ...returned.value, encryption };
    } catch (error) {
      await this.drop(ctx, { dataId });
      throw error;
    } finally {
      clearInterval(lease);
    }
  }

  async #prolong(ctx: RequestContext, dataId: DataId, seconds: number): Promise<void> {
    try {
      await this.looseData.prolong(ctx, dataId, seconds);
    } catch (error) {
      this.logger.warn({ err: error, dataId }, 'could not change the lease of loose data');
    }
  }
}

function iteratorOf(body: Readable): AsyncIterator<Buffer> {
  // It may fail before anybody reads; the reader then gets the error.
  body.on('error', () => undefined);
  // The connection stays open for the answer.
  return body.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
}

/** Yields the bytes and returns their measure, once they prove to be right. */
async function* metered(
  meter: ContentMeter,
  head: Buffer,
  data: AsyncIterator<Buffer>,
): AsyncGenerator<Buffer, Measured> {
  if (head.length > 0) {
    meter.update(head);
    yield head;
  }
  for (let next = await data.next(); !next.done; next = await data.next()) {
    meter.update(next.value);
    yield next.value;
  }
  return meter.end();
}

/** The values of a generator, to be read once, and its result. */
class Returned<T> implements AsyncIterable<Buffer> {
  #value: T | undefined;

  constructor(private readonly generator: AsyncGenerator<Buffer, T>) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    this.#value = yield* this.generator;
  }

  /** @throws Error if the generator has not been read to its end */
  get value(): T {
    if (this.#value === undefined) throw new Error('bytes were not read to their end');
    return this.#value;
  }
}

class Crc32 implements AsyncIterable<Buffer> {
  value = 0;

  constructor(private readonly chunks: AsyncIterable<Buffer>) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for await (const chunk of this.chunks) {
      this.value = crc32(chunk, this.value);
      yield chunk;
    }
  }
}

async function inlineOf(bytes: Buffer, newKey: NewKey | undefined): Promise<Buffer> {
  if (!newKey) return bytes;
  const chunks: Buffer[] = [];
  for await (const chunk of encrypted(newKey.key, [bytes])) chunks.push(chunk);
  return Buffer.concat(chunks);
}

@Feature({
  entities: [Part],
  providers: [ContentKeys, ContentReader, ContentWriter, PartRepository],
})
export class ContentModule {}
