/** Public source: Container Infrastructure Management API reference, "Quota". */
import { Entity, Generated, Index, PrimaryColumn } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError, notFound, invalid } from '@cumulet/common/errors/domain-error';
import { BooleanField, StringField } from '@cumulet/common/http/fields';
import { answerClass, Shown, viewOf } from '@cumulet/common/http/shown';
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import {
  answerOf,
  bodyOf,
  columnsGiven,
  rowOf as columnsOf,
  sortKeysOf,
  type GivenColumns,
} from '@cumulet/common/resources/classes';
import { choice, moment, orNull, text } from '@cumulet/common/resources/field-type';
import { equals, rowOf } from '@cumulet/common/tables/condition';
import { SortedBy } from '@cumulet/common/tables/listing';
import { Table } from '@cumulet/common/tables/table';
import { count, CountField } from '../http/fields.js';
import { NEXT, PageQuery } from '../http/paging.js';
import { magnumTime } from '../http/time.js';
import { QUOTA_NAMES, type QuotaName } from './clusters-quotas.js';

const limitOf = (table: string): string =>
  `SELECT resource_limit FROM quota_limits
    WHERE quota_limits.project_id = ${table}.project_id AND quota_limits.resource = ${table}.resource`;

const QUOTA = {
  projectId: attribute(text(), { about: 'The ID of the project.' }),
  resource: attribute(choice(QUOTA_NAMES), {
    about: 'The resource that is limited; Cluster by default.',
  }),
  hardLimit: attribute(count({ min: 0 }), {
    about: 'The limit, 1 by default; answers have -1 where there is none.',
    virtual: limitOf,
  }),
  createdAt: shownOnly(moment, {
    about: 'When the quota was set.',
    column: { default: () => 'now()' },
  }),
  updatedAt: shownOnly(orNull(moment), { about: 'When the quota last changed.' }),
} as const;

/** Magnum's attributes of a limit; the limit itself is in `quota_limits`. */
@Entity('quotas')
@Index('quotas_resource_idx', ['projectId', 'resource'], { unique: true })
export class Quota extends columnsOf(QUOTA) {
  @Generated('increment')
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'quotas_pkey' })
  id: number;
}

/** A quota that was set, or the default. */
export type ProjectQuota = Quota | Pick<Quota, 'projectId' | 'resource' | 'hardLimit'>;

export class QuotaDto extends bodyOf(QUOTA, { nullIsNothing: true }) {
  @CountField('Ignored: the dashboard sends back the number that it was shown.', {
    min: 1,
    max: 2 ** 31 - 1,
  })
  id?: number | null;
}

export function givenBy(dto: QuotaDto): GivenColumns<typeof QUOTA> {
  return columnsGiven(QUOTA, dto);
}

export class QuotaView extends answerOf(QUOTA, {
  id: Shown('integer', 'The number of a quota that was set.', { optional: true }),
  created_at: Shown(String, QUOTA.createdAt.about, { optional: true }),
  updated_at: Shown(String, QUOTA.updatedAt.about, { optional: true, nullable: true }),
}) {}

export const quotaView = viewOf<ProjectQuota, QuotaView>(QuotaView, magnumTime);

export const QuotaList = answerClass('QuotaList', {
  quotas: Shown([() => QuotaView], 'The quotas that were set.'),
  next: NEXT,
});

@SortedBy(['id'], {
  ...sortKeysOf(QUOTA),
  id: 'id',
  hard_limit: { sql: `(${limitOf('quotas')})` },
  // An unchanged quota sorts by its creation.
  updated_at: { sql: 'COALESCE(updated_at, created_at)' },
})
export class ListQuotasQuery extends PageQuery {
  @StringField({
    optional: true,
    pattern: /^\d{1,9}$/,
    patternText: 'must be the id of a quota',
    description: 'The ID of the last item of the page before.',
  })
  declare marker?: string;

  @BooleanField({
    optional: true,
    fromText: true,
    bareIsTrue: true,
    description: 'Whether the quotas of all projects are listed, for administrators.',
  })
  all_tenants?: boolean;
}

export class QuotaNotFoundError extends notFound(
  (project: string, resource: string) =>
    `Quota could not be found: none of project ${project} is set for ${resource}.`,
) {}

export class QuotaProjectMissingError extends invalid(
  'Must provide a valid project ID: project_id is missing.',
) {}

class QuotasTable extends Table<Quota> {
  async of(
    ctx: RequestContext,
    projectId: string,
    resource: QuotaName,
  ): Promise<Quota | undefined> {
    const where = [equals('projectId', projectId), equals('resource', resource)];
    return (await this.select(ctx, where))[0];
  }
}

export const quotaRows = new QuotasTable(Quota, {
  missing: (key) =>
    new DomainError('not-found', `Quota ${rowOf(key).id ?? ''} could not be found.`),
  touched: 'updatedAt',
  refusals: {
    quotas_resource_idx: ({ projectId = '', resource = '' }) =>
      new DomainError(
        'conflict',
        `A quota of project ${projectId} for ${resource} exists already.`,
      ),
  },
});
