import { EnumField, IntegerField, StringField } from '@cumulet/common/http/fields';
import { FLAVOR_SORT_COLUMNS } from './flavor.repository.js';

export class ListFlavorsQuery {
  @IntegerField({ optional: true, fromText: true, max: 1000 })
  limit?: number;

  @StringField({ optional: true })
  marker?: string;

  @EnumField(Object.keys(FLAVOR_SORT_COLUMNS), { optional: true })
  sort_key?: string;

  @EnumField(['asc', 'desc'], { optional: true })
  sort_dir?: 'asc' | 'desc';

  @IntegerField({ optional: true, fromText: true })
  minDisk?: number;

  @IntegerField({ optional: true, fromText: true })
  minRam?: number;
}
