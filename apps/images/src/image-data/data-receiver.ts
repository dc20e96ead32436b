import type { Readable } from 'node:stream';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { UnavailableError } from '@cumulet/common/errors/domain-error';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ImagesConfig } from '../config.js';
import { UploadBrokenOffError } from '../images/image.errors.js';
import { IMAGE_STORE, IMAGES_CONFIG, IMAGES_LOGGER } from '../injection-tokens.js';
import { ImageInspector } from '../inspection/image-inspector.js';
import type { Verdict } from '../inspection/judge-image.js';
import type { ImageStore } from '../store/image-store.js';
import { DataMeter, type Measured } from './data-meter.js';
import { UploadLease } from './upload-lease.js';
import type { AdmittedUpload } from './upload-records.js';
import { UploadRepository } from './upload.repository.js';

export interface ReceivedData extends Measured {
  readonly verdict: Verdict;
}

/** Moves the bytes of an upload into the store, and ends all uploads when the process does. */
@Injectable()
export class DataReceiver implements OnModuleDestroy {
  readonly #running = new Set<DataMeter>();

  constructor(
    @Inject(IMAGES_CONFIG) private readonly config: ImagesConfig,
    @Inject(IMAGES_LOGGER) private readonly logger: Logger,
    @Inject(IMAGE_STORE) private readonly store: ImageStore,
    private readonly uploads: UploadRepository,
  ) {}

  /**
   * @param data is read to its end, or left where it is when the upload ends before
   * @throws UploadBrokenOffError, UploadStalledError, UploadLostError, what the store throws, or
   * the allowance's own error
   */
  async receive(
    ctx: RequestContext,
    upload: AdmittedUpload,
    data: Readable,
  ): Promise<ReceivedData> {
    const { bytes: limit, exceeded: overLimit } = upload.allowance;
    const { uploadStallSeconds: stallSeconds } = this.config;
    const inspector = new ImageInspector(upload.declared);
    const observe = (chunk: Buffer): void => inspector.observe(chunk);
    const meter = new DataMeter({ limit, overLimit, stallSeconds, observe });
    const lease = new UploadLease(this.uploads, ctx, upload, this.logger, (lost) =>
      meter.destroy(lost),
    );
    this.#running.add(meter);
    try {
      flow(data, meter);
      await this.store.put(upload.dataId, meter);
      return { ...meter.measured(), verdict: inspector.verdict() };
    } finally {
      lease.end();
      this.#running.delete(meter);
    }
  }

  onModuleDestroy(): void {
    for (const meter of this.#running) {
      meter.destroy(new UnavailableError('The service is being stopped.'));
    }
  }
}

/** A pipe that tells the meter when the client is gone, and keeps the client's connection else. */
function flow(data: Readable, meter: DataMeter): void {
  const breakOff = (cause?: unknown): void => {
    if (!data.readableEnded) meter.destroy(new UploadBrokenOffError(cause));
  };
  data.once('error', breakOff);
  data.once('close', () => breakOff());
  if (data.destroyed) breakOff(data.errored);
  else data.pipe(meter);
}
