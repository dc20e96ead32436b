/**
 * Gives bytes out: from a row or from the store, of one piece or of parts, decrypted where they are
 * encrypted, and as fast as they are taken.
 */
import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { ByteRange, ByteStore, DataId } from '@cumulet/storage/stores/byte-store';
import { S3Error } from '../http/s3-error.js';
import type { ContentId } from './received.js';
import { STORE } from '../store/store.js';
import { PartRepository, type ContentPart } from './part.repository.js';
import { ContentKeys, decrypted, framesOf } from './encryption/content-keys.js';
import { type CustomerKey, type Encryption, requireKey } from './encryption/encryption.js';

/** The columns of an object that locate its bytes; `inline` is looked up if it was not read. */
export interface StoredBytes {
  readonly contentId: ContentId | null;
  readonly size: string;
  readonly dataId: DataId | null;
  readonly partCount: number | null;
  readonly encryption: Encryption | null;
  readonly inline?: Buffer | null;
}

interface Piece {
  readonly contentId: ContentId;
  /** Undefined for an object without parts. */
  readonly part: number | undefined;
  readonly size: number;
  readonly dataId: DataId | null;
  readonly inline: Buffer | undefined;
  readonly encryption: Encryption | null;
}

@Injectable()
export class ContentReader {
  constructor(
    @Inject(STORE) private readonly store: ByteStore,
    private readonly parts: PartRepository,
    private readonly keys: ContentKeys,
  ) {}

  /**
   * @param range lies within the object; undefined for all of it
   * @param key of the client, for what is encrypted with one
   * @throws S3Error InvalidRequest or AccessDenied for a key that is missing or wrong; NoSuchKey for
   * what has been overwritten since its row was read
   */
  async open(
    ctx: RequestContext,
    { contentId, size, dataId, inline, partCount, encryption }: StoredBytes,
    range: ByteRange | undefined,
    key: CustomerKey | undefined,
  ): Promise<Readable> {
    requireKey(encryption, key);
    const { first, last } = range ?? { first: 0, last: Number(size) - 1 };
    if (contentId === null || last < first) return Readable.from([], { objectMode: false });
    if (partCount === null) {
      const whole = { part: undefined, inline: inline ?? undefined, size: Number(size) };
      const piece = { ...whole, contentId, dataId, encryption };
      return this.#openPiece(ctx, piece, { first, last }, key);
    }
    const parts = await this.parts.placed(ctx, contentId, first, last);
    const opened = parts.map((part) => () => {
      const within = {
        first: Math.max(first - part.start, 0),
        last: Math.min(last - part.start, part.size - 1),
      };
      return this.#openPiece(ctx, pieceOf(contentId, part), within, key);
    });
    // The first part is opened before the answer begins, so that its absence is an error.
    const start = await opened[0]?.();
    if (!start) throw gone();
    return readableOver(start, following(start, opened.slice(1)));
  }

  async #openPiece(
    ctx: RequestContext,
    piece: Piece,
    range: ByteRange,
    given: CustomerKey | undefined,
  ): Promise<Readable> {
    const { encryption, size } = piece;
    if (!encryption) return this.#read(ctx, piece, range);
    const key = this.keys.open(encryption, given);
    const frames = framesOf(range, size);
    const data = await this.#read(ctx, piece, frames.stored);
    return readableOver(data, decrypted(key, data, frames, size));
  }

  async #read(ctx: RequestContext, piece: Piece, range: ByteRange): Promise<Readable> {
    const { contentId, part, dataId } = piece;
    if (dataId !== null) return this.store.open(dataId, range);
    const inline = piece.inline ?? (await this.parts.inlineOf(ctx, contentId, part));
    if (!inline) throw gone();
    const bytes = inline.subarray(range.first, range.last + 1);
    return Readable.from([bytes], { objectMode: false });
  }
}

function pieceOf(contentId: ContentId, { number, size, dataId, encryption }: ContentPart): Piece {
  return { contentId, part: number, size, dataId, inline: undefined, encryption };
}

/** Closes the source with the stream, which a generator that nobody began would not do. */
function readableOver(source: Readable, bytes: AsyncIterable<Buffer>): Readable {
  const data = Readable.from(bytes, { objectMode: false });
  return data.once('close', () => source.destroy());
}

/** One stream after the other; the next is opened when its turn comes. */
async function* following(
  first: Readable,
  others: readonly (() => Promise<Readable>)[],
): AsyncIterable<Buffer> {
  yield* first as AsyncIterable<Buffer>;
  for (const open of others) yield* (await open()) as AsyncIterable<Buffer>;
}

function gone(): S3Error {
  return new S3Error('NoSuchKey', {
    message: 'The object was deleted or overwritten while it was about to be read.',
  });
}
