/** Starts imports. Public source: Image API reference, "Import an image". */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import { transition } from '@cumulet/common/states/transition';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ImagesConfig } from '../config.js';
import type { Image, ImageId } from '../images/image.entity.js';
import { ImageQuotas } from '../images/image-quotas.js';
import { imageStatus } from '../images/image-status.js';
import { imageStates } from '../images/image.states.js';
import { nudgeImage } from '../images/image.tasks.js';
import { ImagesService } from '../images/images.service.js';
import { newImportTask, TaskRepository } from '../images/tasks/task.repository.js';
import { enabledMethods, type ImportMethod } from '../images/import-methods.js';
import { StoreUnknownError } from '../stores/stores.service.js';
import type { ImportDto } from './import.dto.js';
import { ImportUriMissingError } from './import.errors.js';
import { WebDownload } from './web-download/web-download.js';

@Injectable()
export class ImportsService {
  constructor(
    @Inject(CONFIG) private readonly config: ImagesConfig,
    private readonly images: ImagesService,
    private readonly quotas: ImageQuotas,
    private readonly tasks: TaskRepository,
    private readonly web: WebDownload,
  ) {}

  /**
   * Queues the import.
   * @param store from the header `X-Image-Meta-Store`
   * @throws InvalidInputError, ImportUriMissingError or DownloadRefusedError
   * @throws ImageNotFoundError, ForbiddenError, StoreUnknownError, the errors of `ImageQuotas`, or
   * a conflict with the image's state
   */
  async start(
    ctx: RequestContext,
    id: ImageId,
    request: ImportDto,
    store: string | undefined,
  ): Promise<void> {
    const method = this.#methodOf(request);
    const image = await this.images.showOwn(ctx, id, 'import data into');
    requireState(image, method);
    this.images.requireFormats(image);
    const backend = targetStores(request, store, [this.config.store]);
    const { owner, stagedSize } = image;
    const event = stagedSize === null ? 'download' : 'import';
    await inTransaction(ctx, async (tx) => {
      await this.quotas.admit(tx, owner, stagedSize ?? undefined);
      await transition(tx, imageStates, id, event, { set: { announcedSize: stagedSize } });
      const input = { image_id: id, import_req: request, backend };
      await this.tasks.insert(tx, newImportTask(ctx, ctx.projectId, id, input));
      await nudgeImage(tx, { id, state: 'import_waiting', stagedSize });
    });
  }

  #methodOf({ method: { name, uri } }: ImportDto): ImportMethod {
    const enabled = enabledMethods(this.config);
    const method = enabled.find((one) => one === name);
    if (method === undefined) {
      const methods = enabled.join(' or ');
      throw new InvalidInputError(
        `Import method '${name}' is not supported; it must be ${methods}.`,
      );
    }
    if (method === 'web-download') {
      if (uri === undefined || uri === '') throw new ImportUriMissingError();
      this.web.check(uri);
    }
    return method;
  }
}

/** The state that each method requires. */
const NEEDED = {
  'glance-direct': { state: 'staged', text: 'its data must be staged before' },
  'web-download': { state: 'queued', text: `it must be 'queued'` },
} as const;

function requireState({ id, state }: Image, method: ImportMethod): void {
  const { state: needed, text } = NEEDED[method];
  if (state === needed) return;
  throw new DomainError(
    'conflict',
    `Image ${id} cannot be imported by ${method} while its status is '${imageStatus(state)}': ${text}.`,
  );
}

/**
 * Public source: Image API reference, "Import an image".
 * @param header `X-Image-Meta-Store`, the older way to name a store
 * @param known the IDs of existing stores, the default first
 * @throws InvalidInputError or StoreUnknownError
 */
export function targetStores(
  { stores, all_stores: all = false }: Pick<ImportDto, 'stores' | 'all_stores'>,
  header: string | undefined,
  known: readonly string[],
): readonly string[] {
  const named = stores ?? (header === undefined ? undefined : [header]);
  // Clients that know both ways send both, naming the same store.
  const isTwofold = header !== undefined && named?.some((store) => store !== header) === true;
  if (isTwofold || (all && named !== undefined)) {
    throw new InvalidInputError(
      'Only one of stores, all_stores and the header X-Image-Meta-Store can be used.',
    );
  }
  for (const store of named ?? []) if (!known.includes(store)) throw new StoreUnknownError(store);
  if (all) return known;
  return named === undefined || named.length === 0 ? known.slice(0, 1) : [...new Set(named)];
}
