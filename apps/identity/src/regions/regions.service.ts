import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { transactionLock } from '@cumulet/common/database/advisory-lock';
import { inTransaction } from '@cumulet/common/database/transaction';
import { newId } from '../database/new-id.js';
import { refuseOtherId } from '../http/other-id.js';
import { refuseEmpty } from '../http/refuse-empty.js';
import type { RegionDto } from './region.dto.js';
import type { Region, RegionId } from './region.entity.js';
import { CircularRegionError, refuseRegionId, RegionNotFoundError } from './region.errors.js';
import { RegionRepository, type RegionFields } from './region.repository.js';

const LOCK = 'cumulet:identity:regions';

@Injectable()
export class RegionsService {
  constructor(private readonly regions: RegionRepository) {}

  /** @throws RegionNotFoundError */
  async get(ctx: RequestContext, id: string): Promise<Region> {
    const region = await this.regions.find(ctx, id);
    if (!region) throw new RegionNotFoundError(id);
    return region;
  }

  /**
   * @param pathId the id that the request's path gives it; otherwise the body may
   * @throws OtherIdError where the two differ
   * @throws RegionIdTooLongError, RegionIdFormError
   * @throws DuplicateRegionError
   * @throws RegionNotFoundError when there is no region of the parent's id
   */
  async create(ctx: RequestContext, dto: RegionDto, pathId?: string): Promise<RegionFields> {
    if (pathId !== undefined) refuseOtherId('region', pathId, dto.id);
    const id = pathId ?? dto.id;
    if (id) refuseRegionId(id);
    const region: RegionFields = {
      id: id ? asId(id) : newId<RegionId>(),
      description: dto.description ?? '',
      parentRegionId: parentOf(dto),
      extra: dto.extra ?? {},
    };
    // Its own row would do for the constraint.
    if (region.parentRegionId === region.id) throw new RegionNotFoundError(region.id);
    await this.regions.insert(ctx, region);
    return region;
  }

  /**
   * @throws RegionNotFoundError when there is none of its id, or of the parent's
   * @throws CircularRegionError
   */
  async update(ctx: RequestContext, id: string, dto: RegionDto): Promise<RegionFields> {
    refuseEmpty('region', dto);
    refuseOtherId('region', id, dto.id);
    return inTransaction(ctx, async (tx) => {
      // Two changes, each of them sound, could make a circle together.
      await transactionLock(tx.manager, LOCK);
      const region = await this.regions.findForUpdate(tx, id);
      if (!region) throw new RegionNotFoundError(id);
      const parentRegionId =
        dto.parent_region_id === undefined ? region.parentRegionId : parentOf(dto);
      if (parentRegionId !== null && (await this.regions.isWithin(tx, parentRegionId, id)))
        throw new CircularRegionError(id, parentRegionId);
      const changed: RegionFields = {
        id: region.id,
        description: dto.description === undefined ? region.description : (dto.description ?? ''),
        parentRegionId,
        extra: { ...region.extra, ...dto.extra },
      };
      await this.regions.save(tx, changed);
      return changed;
    });
  }

  /**
   * @throws RegionNotFoundError
   * @throws RegionInUseError
   */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    if (!(await this.regions.delete(ctx, id))) throw new RegionNotFoundError(id);
  }
}

function parentOf({ parent_region_id: parent }: RegionDto): RegionId | null {
  return parent == null ? null : asId(parent);
}
