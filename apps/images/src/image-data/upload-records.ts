import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { Injectable } from '@nestjs/common';
import type { Image } from '../images/image.entity.js';
import { ImageDataRefusedError, UploadSizeMismatchError } from '../images/image.errors.js';
import { ImageQuotas, type Allowance } from '../images/image-quotas.js';
import type { DeclaredFormats } from '../inspection/judge-image.js';
import { newDataId } from '../store/data-id.js';
import type { ReceivedData } from './data-receiver.js';
import type { UploadKind } from './upload-kind.js';
import { UploadOwner } from './upload-owner.js';
import { UploadRepository, type Upload } from './upload.repository.js';

export interface AdmittedUpload extends Upload {
  readonly image: Image;
  /** What the data is meant to be. */
  readonly declared: DeclaredFormats;
  /** Bytes that the client has announced, where it has. */
  readonly announcedSize: number | undefined;
  readonly allowance: Allowance;
}

/** The transactions in which an upload begins and ends, quotas included. */
@Injectable()
export class UploadRecords {
  constructor(
    private readonly uploads: UploadRepository,
    private readonly quotas: ImageQuotas,
    private readonly owner: UploadOwner,
  ) {}

  /** @throws WrongStateError unless the image is queued, or what `ImageQuotas` throws */
  begin(
    ctx: RequestContext,
    kind: UploadKind,
    image: Image,
    announcedSize: number | undefined,
  ): Promise<AdmittedUpload> {
    const upload = { kind, imageId: image.id, dataId: newDataId() };
    return inTransaction(ctx, async (tx) => {
      const allowance = await this.#admit(tx, kind, image, announcedSize);
      const owner = this.owner.id;
      const declared = await this.uploads.begin(tx, { ...upload, owner, announcedSize });
      return { ...upload, image, declared, announcedSize, allowance };
    });
  }

  /** @throws UploadSizeMismatchError, ImageDataRefusedError, UploadLostError, or a quota's error */
  async complete(ctx: RequestContext, upload: AdmittedUpload, data: ReceivedData): Promise<void> {
    const { announcedSize, image } = upload;
    if (announcedSize !== undefined && announcedSize !== data.size) {
      throw new UploadSizeMismatchError(announcedSize, data.size);
    }
    // What was announced counts since the beginning.
    const claimed = announcedSize === undefined ? data.size : 0;
    await inTransaction(ctx, async (tx) => {
      switch (upload.kind) {
        case 'data':
          await this.quotas.claimBytes(tx, image.owner, claimed);
          await this.uploads.complete(tx, upload, { ...data, virtualSize: acceptedSize(data) });
          break;
        case 'staged data':
          await this.quotas.claimStaging(tx, image.owner, claimed);
          await this.uploads.staged(tx, upload, data.size);
          break;
      }
    });
  }

  #admit(
    tx: RequestContext,
    kind: UploadKind,
    { owner }: Image,
    announcedSize: number | undefined,
  ): Promise<Allowance> {
    return kind === 'data'
      ? this.quotas.admit(tx, owner, announcedSize)
      : this.quotas.admitStaging(tx, owner, announcedSize);
  }
}

/** Data that is staged is judged when it is imported: until then it can become anything. */
function acceptedSize({ verdict }: ReceivedData): number | null {
  if (verdict.isAccepted) return verdict.virtualSize;
  throw new ImageDataRefusedError(verdict.reason);
}
