/**
 * The bytes of objects and parts: taken in, given out, and handed over to the row that they become
 * the bytes of.
 */
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { S3Error } from '../http/s3-error.js';
import { LooseDataRepository } from '../loose-data/loose-data.repository.js';
import type { ByteRange } from '../objects/byte-range.js';
import type { ContentId } from '../objects/object.entity.js';
import { ContentPartsRepository } from './content-parts.repository.js';
import { ContentReader, type StoredBytes } from './content-reader.js';
import { ContentWriter } from './content-writer.js';
import type { CustomerKey } from './encryption/encryption.js';
import type { ContentSource, Received, ReceiveOptions } from './received.js';

@Injectable()
export class ContentService {
  constructor(
    private readonly writer: ContentWriter,
    private readonly reader: ContentReader,
    private readonly looseData: LooseDataRepository,
    private readonly parts: ContentPartsRepository,
  ) {}

  /**
   * Takes in all bytes, which are on disk when it returns, and are removed unless `keep` follows.
   * @throws S3Error EntityTooLarge, InvalidDigest, BadDigest, IncompleteBody,
   * MalformedTrailerError, and whatever the source fails with; then nothing is left
   */
  receive(ctx: RequestContext, source: ContentSource, options: ReceiveOptions): Promise<Received> {
    return this.writer.write(ctx, source, options);
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

  /** What nobody keeps goes at once; without this call it goes some minutes later. */
  async drop(ctx: RequestContext, { dataId }: Pick<Received, 'dataId'>): Promise<void> {
    if (dataId !== null) await this.writer.drop(ctx, dataId);
  }

  /**
   * @param range lies within the object; undefined for all of it
   * @param key of the client, for what is encrypted with one
   * @throws S3Error InvalidRequest or AccessDenied for a key that is missing or wrong; NoSuchKey for
   * what has been overwritten since its row was read
   */
  open(
    ctx: RequestContext,
    stored: StoredBytes,
    range: ByteRange | undefined,
    key: CustomerKey | undefined,
  ): Promise<Readable> {
    return this.reader.open(ctx, stored, range, key);
  }

  /** Where a part lies in its object. @returns undefined if there is none of this number */
  async rangeOfPart(
    ctx: RequestContext,
    id: ContentId,
    number: number,
  ): Promise<ByteRange | undefined> {
    const part = await this.parts.find(ctx, id, number);
    return part && { first: part.start, last: part.start + part.size - 1 };
  }
}
