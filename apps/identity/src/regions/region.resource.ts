/** Public source: Keystone API reference, "Regions". */
import { Entity, ForeignKey, Index } from 'typeorm';
import type { Id } from '@cumulet/common/context/ids';
import { attribute } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { orNull, text } from '@cumulet/common/resources/field-type';
import { description, idOf, ResourceColumns } from '../resource/resource.attributes.js';
import { dtoOf, ExtensibleField, PageQuery, TextFilter } from '../resource/resource.dto.js';
import { resourceViewOf } from '../resource/resource.view.js';

export type RegionId = Id<'Region'>;

export const REGION = {
  id: idOf<RegionId>('regions'),
  description: description({ max: 255 }),
  parentRegionId: attribute(orNull(text<RegionId>()), {
    about: 'The ID of the region that it is a part of.',
  }),
} as const;

@Entity('regions')
@Index('regions_parent_region_id_idx', ['parentRegionId'])
@ForeignKey(() => Region, ['parentRegionId'], ['id'], { name: 'regions_parent_region_id_fkey' })
export class Region extends rowOf(REGION, ResourceColumns) {}

/** The client may choose the ID, in the body or in the path. */
export class RegionDto extends dtoOf(REGION) {}

export class RegionBody {
  @ExtensibleField(() => RegionDto)
  region: RegionDto;
}

export class ListRegionsQuery extends PageQuery {
  @TextFilter()
  parent_region_id?: string;
}

export class RegionView extends resourceViewOf(REGION) {}
