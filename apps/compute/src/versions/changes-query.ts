/** Lists by time of change. Public source: Nova, "REST API Version History", 2.58 to 2.66. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { compares } from '@cumulet/common/tables/condition';
import { FilteredBy } from '@cumulet/common/tables/listing';
import { TimeField } from '../http/times.js';
import { refuseBefore } from './microversions.js';

export class ChangesQuery {
  @FilteredBy((time: string) => compares('updatedAt', 'gte', new Date(time)))
  @TimeField()
  'changes-since'?: string;

  /** Since 2.66. */
  @FilteredBy((time: string) => compares('updatedAt', 'lte', new Date(time)))
  @TimeField()
  'changes-before'?: string;
}

/** @throws InvalidInputError for a reversed period, or one that the microversion lacks */
export function checkChanges(ctx: RequestContext, query: ChangesQuery): void {
  const { 'changes-since': since, 'changes-before': before } = query;
  if (before !== undefined) refuseBefore(ctx, 66, 'changes-before');
  if (since !== undefined && before !== undefined && Date.parse(before) < Date.parse(since))
    throw new InvalidInputError(
      'The value of changes-since must be less than or equal to changes-before.',
    );
}
