import { Injectable } from '@nestjs/common';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { checkQuota } from '@cumulet/common/quotas/check-quota';
import { MAX_PAGE } from '../http/pages.js';
import { ComputeQuotas } from '../quotas/compute-quotas.js';
import { propertiesOf, type SisterImage, type ListImagesQuery } from './image.wire.js';
import type { MetadataStore } from '../servers/metadata/metadata.controller.js';
import { missingAs, Sisters, type SisterRequest } from './sisters.js';

class ImageNotFoundError extends DomainError {
  constructor(cause?: unknown) {
    super('not-found', 'Image not found.', { cause });
  }
}

@Injectable()
export class ImagesProxyService implements MetadataStore {
  constructor(
    private readonly sisters: Sisters,
    private readonly quotas: ComputeQuotas,
  ) {}

  async page(ctx: RequestContext, query: ListImagesQuery): Promise<PageOfRows<SisterImage>> {
    const { limit = MAX_PAGE, marker, name, status, minRam, minDisk, type, server } = query;
    if (limit === 0) return { rows: [], more: false };
    const changedSince = query['changes-since'];
    const { images, next } = await this.sisters.images<{
      images: readonly SisterImage[];
      next?: string;
    }>(ctx, {
      path: '/v2/images',
      query: {
        limit: Math.min(limit, MAX_PAGE),
        marker,
        name,
        min_ram: minRam,
        min_disk: minDisk,
        image_type: type,
        status: status === undefined ? undefined : glanceStatus(status),
        instance_uuid: server?.split('/').at(-1),
        updated_at: changedSince === undefined ? undefined : `gte:${changedSince}`,
      },
    });
    return { rows: images, more: next !== undefined };
  }

  get(ctx: RequestContext, id: string): Promise<SisterImage> {
    return this.#ask<SisterImage>(ctx, id, {});
  }

  async remove(ctx: RequestContext, id: string): Promise<void> {
    await this.#ask(ctx, id, { method: 'DELETE' });
  }

  async read(ctx: RequestContext, id: string): Promise<Record<string, string>> {
    return propertiesOf(await this.get(ctx, id));
  }

  async change(
    ctx: RequestContext,
    id: string,
    change: (now: Readonly<Record<string, string>>) => Record<string, string>,
  ): Promise<Record<string, string>> {
    const now = await this.read(ctx, id);
    const wanted = change(now);
    const { metadata_items: limit } = await this.quotas.limits(ctx, ctx.projectId);
    checkQuota('metadata_items', Object.keys(wanted).length, { limit, used: 0 }, false);
    const json = [
      ...Object.keys(now)
        .filter((key) => !Object.hasOwn(wanted, key))
        .map((key) => ({ op: 'remove', path: pointerOf(key) })),
      ...Object.entries(wanted)
        .filter(([key, value]) => now[key] !== value)
        .map(([key, value]) => ({
          op: Object.hasOwn(now, key) ? 'replace' : 'add',
          path: pointerOf(key),
          value,
        })),
    ];
    if (json.length === 0) return now;
    const headers = { 'content-type': 'application/openstack-images-v2.1-json-patch' };
    return propertiesOf(await this.#ask<SisterImage>(ctx, id, { method: 'PATCH', json, headers }));
  }

  async #ask<Body>(
    ctx: RequestContext,
    id: string,
    request: Omit<SisterRequest, 'path'>,
  ): Promise<Body> {
    if (!isUuid(id)) throw new ImageNotFoundError();
    return this.sisters
      .images<Body>(ctx, { ...request, path: `/v2/images/${id}` })
      .catch(missingAs((cause) => new ImageNotFoundError(cause)));
  }
}

/** Nova's word for a status; a word for several means the first. */
function glanceStatus(status: string): string {
  const words: Readonly<Record<string, string>> = { saving: 'saving', error: 'killed' };
  const word = status.toLowerCase();
  return words[word] ?? word;
}

/** RFC 6901. */
function pointerOf(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
