import { Injectable } from '@nestjs/common';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { UnsupportedOperationError } from '@cumulet/common/errors/domain-error';
import { pageOf, type Query } from '@cumulet/common/resources/list-query';
import { networks, visibleNetworks } from '../networks/networks.service.js';
import { expectRevision } from '../resource/revision.js';
import { SegmentInUseError, SegmentNotFoundError } from './segment.errors.js';
import { segmentResource as resource, type NewSegment, type Segment } from './segment.resource.js';
import type { SegmentChange } from './segment.resource.js';

/** Segments are for administrators; each is stored in its network's row. */
@Injectable()
export class SegmentsService {
  async list(ctx: RequestContext, query: Query): Promise<readonly Segment[]> {
    const page = pageOf<Segment>(resource, query, ctx);
    const { marker } = page;
    if (typeof marker === 'string') await this.get(ctx, marker);
    return (await networks.list(ctx, { ...page, scope: visibleNetworks(ctx) })).rows;
  }

  /** @throws SegmentNotFoundError */
  async get(ctx: RequestContext, id: string): Promise<Segment> {
    const found = isUuid(id) ? await networks.find(ctx, id, visibleNetworks(ctx)) : undefined;
    if (!found) throw new SegmentNotFoundError(id);
    return found;
  }

  /** @throws NetworkNotFoundError @throws UnsupportedOperationError for an existing network */
  async create(ctx: RequestContext, [body]: readonly NewSegment[]): Promise<never> {
    const { id } = await networks.get(ctx, body?.networkId ?? '', visibleNetworks(ctx));
    throw new UnsupportedOperationError(`A second segment of the network ${id}`);
  }

  update(
    ctx: RequestContext,
    id: string,
    { name, description }: SegmentChange,
    revision?: number,
  ): Promise<Segment> {
    return inTransaction(ctx, async (tx) => {
      const seen = await this.get(tx, id);
      const row = await networks.lock(tx, seen.id);
      expectRevision(row, revision);
      return networks.update(tx, row.id, {
        ...(name === undefined ? {} : { segmentName: name }),
        ...(description === undefined ? {} : { segmentDescription: description }),
        revisionNumber: row.revisionNumber + 1,
      });
    });
  }

  /** @throws SegmentNotFoundError @throws SegmentInUseError for every existing segment */
  async remove(ctx: RequestContext, id: string): Promise<never> {
    const segment = await this.get(ctx, id);
    throw new SegmentInUseError(segment.id, 'it is the only segment of its network');
  }
}
