import type { Readable } from 'node:stream';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import {
  DomainError,
  ForbiddenError,
  InvalidInputError,
  UnavailableError,
} from '@cumulet/common/errors/domain-error';
import type { ByteRange, ByteStore } from '@cumulet/storage/stores/byte-store';
import { DataMissingError } from '@cumulet/storage/stores/store.errors';
import type { Image, ImageId } from '../images/image.entity.js';
import { ImageNotFoundError, RangeNotSatisfiableError } from '../images/image.errors.js';
import { ImageRepository } from '../images/image.repository.js';
import { ImagesService } from '../images/images.service.js';
import { IMAGE_STORE } from '../store/image-store.js';

export interface ImageWithData extends Image {
  readonly dataId: NonNullable<Image['dataId']>;
  readonly size: number;
  readonly checksum: string;
  readonly hashValue: string;
}

/** Public source: Image API reference, "Download binary image data". */
@Injectable()
export class DownloadService implements OnModuleDestroy {
  readonly #running = new Set<Readable>();

  constructor(
    @Inject(IMAGE_STORE) private readonly store: ByteStore,
    private readonly images: ImagesService,
    private readonly repository: ImageRepository,
  ) {}

  /**
   * @returns undefined if the image has no data yet
   * @throws ImageNotFoundError, or DomainError for data that is not given out
   */
  async find(ctx: RequestContext, id: ImageId): Promise<ImageWithData | undefined> {
    const image = await this.images.show(ctx, id);
    // The stored bytes no longer match the upload.
    if (image.state === 'killed') {
      throw new DomainError('conflict', `The data of image ${id} is damaged and is not given out.`);
    }
    if (image.state === 'deactivated' && !ctx.isAdmin) {
      throw new ForbiddenError(
        `Image ${id} is deactivated: only an administrator may read its data.`,
      );
    }
    return hasData(image) ? image : undefined;
  }

  /** @throws ImageNotFoundError if the image was deleted after `find` */
  async open(
    ctx: RequestContext,
    image: ImageWithData,
    range: ByteRange | undefined,
  ): Promise<Readable> {
    try {
      const data = await this.store.open(image.dataId, range);
      this.#running.add(data.once('close', () => this.#running.delete(data)));
      return data;
    } catch (error) {
      const isGone =
        error instanceof DataMissingError && !(await this.repository.find(ctx, image.id));
      throw isGone ? new ImageNotFoundError(image.id) : error;
    }
  }

  onModuleDestroy(): void {
    for (const data of this.#running) {
      data.destroy(new UnavailableError('The service is being stopped.'));
    }
  }
}

function hasData(image: Image): image is ImageWithData {
  return image.state === 'active' || image.state === 'deactivated';
}

/**
 * The byte range that the header `Range` selects from `size` bytes; undefined without the header.
 * Public source: RFC 9110, "Range Requests".
 * @throws RangeNotSatisfiableError if it is malformed or lies beyond the end
 * @throws InvalidInputError for several ranges at once
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | undefined {
  if (header === undefined) return undefined;
  if (header.includes(',')) {
    throw new InvalidInputError(`Range '${header}' has several parts; ask for one at a time.`);
  }
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header.trim());
  const range = match && rangeWithin(size, match[1] ?? '', match[2] ?? '');
  if (!range) throw new RangeNotSatisfiableError(header, size);
  return range;
}

/** `3-6`; `3-`, from there to the end; `-4`, the last four. */
function rangeWithin(size: number, from: string, to: string): ByteRange | undefined {
  if (from === '' && to === '') return undefined;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return first <= last && first < size ? { first, last } : undefined;
}

export function lengthHeaders(size: number, range: ByteRange | undefined): Record<string, string> {
  if (!range) return { 'Content-Length': String(size) };
  const { first, last } = range;
  return {
    'Content-Length': String(last - first + 1),
    'Content-Range': `bytes ${first}-${last}/${size}`,
  };
}

/**
 * The strong validator of an image's data. There is no `Last-Modified`, so a date never matches.
 * Public source: RFC 9110, "Validator Fields" and "Preconditions".
 */
export function entityTagOf({ hashValue }: { readonly hashValue: string }): string {
  return `"${hashValue}"`;
}

/** Whether If-None-Match names the current data, so that nothing need be sent. */
export function isNamedBy(ifNoneMatch: string | undefined, entityTag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const named = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return named.includes('*') || named.includes(entityTag);
}

/** Whether If-Range permits a partial answer. */
export function isUnchanged(
  ifRange: string | readonly string[] | undefined,
  entityTag: string,
): boolean {
  return ifRange === undefined || ifRange === entityTag;
}
