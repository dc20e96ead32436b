/** All SQL of the table `image_members`, but for the conditions in `image.access.ts`. */
import type { ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow, selectRows, shapeOf } from '@cumulet/common/database/rows';
import { violatesUnique } from '@cumulet/common/database/violations';
import { Injectable } from '@nestjs/common';
import type { ImageId } from '../images/image.entity.js';
import { ImageMember, type MemberStatus } from './member.entity.js';
import { MemberExistsError } from './member.errors.js';

@Injectable()
export class MemberRepository {
  find(
    ctx: RequestContext,
    imageId: ImageId,
    memberId: ProjectId,
  ): Promise<ImageMember | undefined> {
    return selectRow(ctx.manager, ImageMember, 'WHERE image_id = $1 AND member_id = $2', [
      imageId,
      memberId,
    ]);
  }

  list(ctx: RequestContext, imageId: ImageId): Promise<ImageMember[]> {
    return selectRows(
      ctx.manager,
      ImageMember,
      'WHERE image_id = $1 ORDER BY created_at, member_id',
      [imageId],
    );
  }

  async count(ctx: RequestContext, imageId: ImageId): Promise<number> {
    const rows: { members: number }[] = await ctx.manager.query(
      'SELECT count(*)::int AS members FROM image_members WHERE image_id = $1',
      [imageId],
    );
    return rows[0]?.members ?? 0;
  }

  /** @throws MemberExistsError */
  async insert(ctx: RequestContext, imageId: ImageId, memberId: ProjectId): Promise<ImageMember> {
    const { columns } = shapeOf(ctx.manager, ImageMember);
    try {
      const rows: [ImageMember] = await ctx.manager.query(
        `INSERT INTO image_members (image_id, member_id) VALUES ($1, $2) RETURNING ${columns}`,
        [imageId, memberId],
      );
      return rows[0];
    } catch (error) {
      throw violatesUnique(error, 'image_members_pkey')
        ? new MemberExistsError(memberId, imageId)
        : error;
    }
  }

  /** @returns the member as it is now, or undefined where there is none */
  async setStatus(
    ctx: RequestContext,
    imageId: ImageId,
    memberId: ProjectId,
    status: MemberStatus,
  ): Promise<ImageMember | undefined> {
    const { columns } = shapeOf(ctx.manager, ImageMember);
    const [rows]: [ImageMember[], number] = await ctx.manager.query(
      `UPDATE image_members SET status = $3, updated_at = now()
        WHERE image_id = $1 AND member_id = $2 RETURNING ${columns}`,
      [imageId, memberId, status],
    );
    return rows[0];
  }

  /** @returns whether there was one */
  async remove(ctx: RequestContext, imageId: ImageId, memberId: ProjectId): Promise<boolean> {
    const [, removed]: [unknown, number] = await ctx.manager.query(
      'DELETE FROM image_members WHERE image_id = $1 AND member_id = $2',
      [imageId, memberId],
    );
    return removed > 0;
  }
}
