/** Starts imports. Public source: Image API reference, "Import an image". */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Inject, Injectable } from '@nestjs/common';
import type { ImagesConfig } from '../config.js';
import type { Image, ImageId } from '../images/image.entity.js';
import { imageStatus } from '../images/image-status.js';
import { ImagesService } from '../images/images.service.js';
import { requireFormats } from '../images/require-formats.js';
import { IMAGES_CONFIG } from '../injection-tokens.js';
import type { ImportDto } from './import.dto.js';
import { ImportStateError, ImportUriMissingError } from './import.errors.js';
import { ImportMethods, type ImportMethod } from './import-methods.js';
import { ImportRecords } from './import-records.js';
import { targetStores } from './target-stores.js';
import { WebDownload } from './web-download/web-download.js';

@Injectable()
export class ImportsService {
  constructor(
    @Inject(IMAGES_CONFIG) private readonly config: ImagesConfig,
    private readonly images: ImagesService,
    private readonly methods: ImportMethods,
    private readonly web: WebDownload,
    private readonly records: ImportRecords,
  ) {}

  /**
   * Returns once the image imports; a worker does the rest.
   * @param store what the header `X-Image-Meta-Store` names
   * @throws ImportMethodUnsupportedError, ImportUriMissingError or DownloadRefusedError
   * @throws ImageNotFoundError, NotOwnerError, ImportStateError or ImageFormatMissingError
   * @throws StoresContradictoryError, StoreUnknownError, or what `ImageQuotas` throws
   */
  async start(
    ctx: RequestContext,
    id: ImageId,
    request: ImportDto,
    store: string | undefined,
  ): Promise<void> {
    const method = this.methods.require(request.method.name);
    if (method === 'web-download') this.#checkUri(request.method.uri);
    const image = await this.images.showOwn(ctx, id, 'import data into');
    requireState(image, method);
    requireFormats(image);
    const backend = targetStores(request, store, [this.config.store]);
    await this.records.start(ctx, image, { image_id: id, import_req: request, backend });
  }

  #checkUri(uri: string | undefined): void {
    if (uri === undefined || uri === '') throw new ImportUriMissingError();
    this.web.check(uri);
  }
}

/** Where each method finds its data. */
const NEEDED = {
  'glance-direct': { state: 'staged', text: 'its data must be staged before' },
  'web-download': { state: 'queued', text: `it must be 'queued'` },
} as const;

function requireState({ id, state }: Image, method: ImportMethod): void {
  const { state: needed, text } = NEEDED[method];
  if (state !== needed) throw new ImportStateError(id, method, imageStatus(state), text);
}
