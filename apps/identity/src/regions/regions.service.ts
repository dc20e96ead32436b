import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { transactionLock } from '@cumulet/common/database/advisory-lock';
import { inTransaction } from '@cumulet/common/database/transaction';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { Condition } from '@cumulet/common/tables/condition';
import {
  DuplicateError,
  InUseError,
  NotFoundError,
  refuseOtherId,
} from '../resource/resource.errors.js';
import { ResourceService, ResourceTable } from '../resource/resource.service.js';
import { Region, type RegionDto, type RegionId } from './region.resource.js';

const MAX_ID_LENGTH = 255;

const inUse =
  (by: string) =>
  ({ id = '' }: { readonly id?: string }) =>
    new InUseError(`Cannot delete the region ${id}: it, or a region below it, has ${by}.`);

export const regions = new ResourceTable(Region, 'region', {
  refusals: {
    regions_pkey: ({ id }) => new DuplicateError('region', `id '${id ?? ''}'`),
    regions_parent_region_id_fkey: (region) =>
      region.parentRegionId
        ? new NotFoundError('region', region.parentRegionId)
        : inUse('a new region below it')(region),
    endpoints_region_id_fkey: inUse('endpoints'),
  },
});

@Injectable()
export class RegionsService extends ResourceService<Region, RegionDto> {
  protected readonly table = regions;

  /**
   * @param pathId the ID in the path, if any; otherwise the body may have one
   * @throws OtherIdError if the two differ, InvalidInputError for an ID that does not fit into a path
   * @throws DuplicateError, and NotFoundError for the parent
   */
  override create(ctx: RequestContext, dto: RegionDto, pathId?: string): Promise<Region> {
    if (pathId !== undefined) refuseOtherId('region', pathId, dto.id);
    const id = pathId ?? dto.id;
    if (id) refuseUnlessPathPart(id);
    // The foreign key would accept the new row itself.
    if (id && dto.parent_region_id === id) throw new NotFoundError('region', id);
    return super.create(ctx, dto, id ? asId(id) : undefined);
  }

  /** @throws InvalidInputError for the region itself, or one below it, as parent */
  override update(ctx: RequestContext, id: string, dto: RegionDto): Promise<Region> {
    return inTransaction(ctx, async (tx) => {
      // Two changes, each valid, could make a circle together.
      await transactionLock(tx.manager, 'cumulet:identity:regions');
      const parent = dto.parent_region_id;
      if (parent != null && (await isWithin(tx, parent, id)))
        throw new InvalidInputError(
          `Invalid input: region.parent_region_id '${parent}' is the region '${id}' itself, or a region below it.`,
        );
      return super.update(tx, id, dto);
    });
  }

  /** Deletes the regions below it as well. @throws NotFoundError, InUseError */
  override async delete(ctx: RequestContext, id: string): Promise<void> {
    const itAndBelow: Condition = (bind) => `id IN (
      WITH RECURSIVE gone (id) AS (
        SELECT id FROM regions WHERE id = ${bind(id)}
        UNION SELECT regions.id FROM regions JOIN gone ON parent_region_id = gone.id
      ) SELECT id FROM gone)`;
    const count = await this.table.deleteAll(ctx, [itAndBelow], { id: asId(id) });
    if (count === 0) throw new NotFoundError('region', id);
  }
}

async function isWithin(tx: RequestContext, id: string, aboveId: string): Promise<boolean> {
  const [found]: { within: boolean }[] = await tx.manager.query(
    `WITH RECURSIVE above (id) AS (
       SELECT $1::text UNION SELECT parent_region_id FROM regions JOIN above USING (id)
     )
     SELECT EXISTS (SELECT FROM above WHERE id = $2) AS within`,
    [id, aboveId],
  );
  return found?.within === true;
}

/** Creates a missing region. @throws InvalidInputError for an ID that does not fit into a path */
export async function ensureRegion(tx: RequestContext, text: string): Promise<RegionId> {
  refuseUnlessPathPart(text);
  const id = asId<RegionId>(text);
  await regions.insertAll(tx, [{ id }], { exceptTaken: true });
  return id;
}

/** Clients resolve dots in paths, and a slash would end the segment. */
function refuseUnlessPathPart(id: string): void {
  const fault =
    id.length > MAX_ID_LENGTH
      ? `must have at most ${MAX_ID_LENGTH} characters, not ${id.length}`
      : /^\.{1,2}$|\//.test(id) && `must not contain a slash, or be '.' or '..': '${id}'`;
  if (fault) throw new InvalidInputError(`Invalid input: a region's id ${fault}.`);
}
