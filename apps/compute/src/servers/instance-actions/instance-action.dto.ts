import { IntegerField, StringField } from '@cumulet/common/http/fields';
import { compares } from '@cumulet/common/tables/condition';
import { FilteredBy, SortedBy } from '@cumulet/common/tables/listing';
import { TimeField } from '../../http/times.js';

@SortedBy(['-startedAt'])
export class ListInstanceActionsQuery {
  @IntegerField({ optional: true, fromText: true, min: 0, description: 'Since 2.58.' })
  limit?: number;

  @StringField({ optional: true, description: 'The request id of an action. Since 2.58.' })
  marker?: string;

  @FilteredBy((time: string) => compares('updatedAt', 'gte', new Date(time)))
  @TimeField()
  'changes-since'?: string;

  /** Since 2.66. */
  @FilteredBy((time: string) => compares('updatedAt', 'lte', new Date(time)))
  @TimeField()
  'changes-before'?: string;
}
