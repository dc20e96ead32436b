/**
 * SQL of requests on `used_image_ids` and `images`.
 *
 * Always holds: images being deleted are not found.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import { rowOf, type Condition, type Key } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { Injectable } from '@nestjs/common';
import { notDeleting } from './image.access.js';
import { MAX_TAGS } from './image.attributes.js';
import { Image, type ImageId } from './image.entity.js';
import { ImageNotFoundError } from './image.errors.js';

@Injectable()
export class ImageRepository extends Table<Image> {
  constructor() {
    super(Image, {
      missing: (key) => new ImageNotFoundError(idOf(key)),
      missingMarker: (key) => noMarker(idOf(key)),
      refusals: { used_image_ids_pkey: imageExists },
      touched: 'updatedAt',
    });
  }

  override select(
    ctx: RequestContext,
    where: readonly Condition[],
    tail?: string,
  ): Promise<Image[]> {
    return super.select(ctx, [...where, notDeleting], tail);
  }

  /** @throws DomainError of kind `conflict` if any image has or had the ID */
  override async insert(tx: RequestContext, image: Partial<Image>): Promise<Image> {
    await this.write(tx, image, 'INSERT INTO used_image_ids (id) VALUES ($1)', [image.id]);
    return super.insert(tx, image);
  }

  /** @returns false if the image is gone or has no room for a tag */
  async addTag(ctx: RequestContext, id: ImageId, tag: string): Promise<boolean> {
    const sql = `UPDATE images
        SET tags = CASE WHEN $2 = ANY(tags) THEN tags ELSE array_append(tags, $2) END,
            updated_at = now()
      WHERE id = $1 AND state <> 'pending_delete'
        AND ($2 = ANY(tags) OR cardinality(tags) < $3) RETURNING id`;
    return (await this.write(ctx, { id }, sql, [id, tag, MAX_TAGS])).length > 0;
  }

  /** @returns false if the image or the tag is gone */
  async removeTag(ctx: RequestContext, id: ImageId, tag: string): Promise<boolean> {
    const sql = `UPDATE images SET tags = array_remove(tags, $2), updated_at = now()
      WHERE id = $1 AND state <> 'pending_delete' AND $2 = ANY(tags) RETURNING id`;
    return (await this.write(ctx, { id }, sql, [id, tag])).length > 0;
  }
}

export function noMarker(marker: string): InvalidInputError {
  return new InvalidInputError(`Invalid input: marker '${marker}' is not the ID of an image.`);
}

function imageExists({ id }: Partial<Image>): DomainError {
  return new DomainError('conflict', `An image with ID ${id ?? ''} exists already.`);
}

function idOf(key: Key<Image>): string {
  return rowOf(key).id ?? '';
}
