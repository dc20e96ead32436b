/** Makes a part of bytes that have been received, or gives these up. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { ContentService } from '../content/content.service.js';
import type { Received } from '../content/received.js';
import { PartRepository } from './part.repository.js';
import { noSuchUpload } from './upload-id.js';
import type { Upload } from './upload.entity.js';

@Injectable()
export class PartWriter {
  constructor(
    private readonly content: ContentService,
    private readonly parts: PartRepository,
  ) {}

  /**
   * @returns when it was stored
   * @throws S3Error NoSuchUpload if the upload has been completed or aborted meanwhile; then nothing
   * of what was received is kept
   */
  async write(
    ctx: RequestContext,
    { id }: Upload,
    number: number,
    received: Received,
  ): Promise<Date> {
    try {
      if (received.dataId === null) return await this.#put(ctx, { id }, number, received);
      return await inTransaction(ctx, async (tx) => {
        await this.content.keep(tx, received);
        return this.#put(tx, { id }, number, received);
      });
    } catch (error) {
      await this.content.drop(ctx, received);
      throw error;
    }
  }

  async #put(
    ctx: RequestContext,
    { id }: Pick<Upload, 'id'>,
    number: number,
    { size, etag, checksum, crc64, encryption, dataId, inline }: Received,
  ): Promise<Date> {
    const part = { contentId: id, number, size, etag, checksum, crc64, encryption, dataId, inline };
    const storedAt = await this.parts.put(ctx, part);
    if (!storedAt) throw noSuchUpload(id);
    return storedAt;
  }
}
