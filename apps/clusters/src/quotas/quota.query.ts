import { BooleanField, StringField } from '@cumulet/common/http/fields';
import { SortedBy } from '@cumulet/common/tables/listing';
import { PageQuery } from '../http/paging.js';

/** A limit is in a table of its own. */
const LIMIT = `(SELECT resource_limit FROM quota_limits
  WHERE quota_limits.project_id = quotas.project_id AND quota_limits.resource = quotas.resource)`;

@SortedBy(['id'], {
  id: 'id',
  project_id: 'projectId',
  resource: 'resource',
  hard_limit: { sql: LIMIT },
  created_at: 'createdAt',
  // What has never changed counts from when it was made.
  updated_at: { sql: 'COALESCE(updated_at, created_at)' },
})
export class ListQuotasQuery extends PageQuery {
  @StringField({
    optional: true,
    pattern: /^\d{1,9}$/,
    patternText: 'must be the id of a quota',
    description: 'The id of the last one of the page before.',
  })
  declare marker?: string;

  @BooleanField({
    optional: true,
    fromText: true,
    bareIsTrue: true,
    description: 'Those of all projects, for administrators.',
  })
  all_tenants?: boolean;
}
