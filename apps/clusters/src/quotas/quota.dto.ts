/** Quotas on the wire. Public source: Container Infrastructure Management API reference, "Quota". */
import { BooleanField, EnumField, StringField } from '@cumulet/common/http/fields';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { CountField } from '../http/fields.js';
import { PageQuery } from '../http/paging.js';
import { SortedBy } from '@cumulet/common/tables/listing';
import { QUOTA_NAMES, type QuotaName } from './clusters-quotas.js';

export class QuotaDto {
  @StringField({ optional: true, nullable: true, description: 'The project that it is for.' })
  project_id?: string | null;

  @EnumField(QUOTA_NAMES, {
    optional: true,
    nullable: true,
    description: 'What is limited; Cluster by default.',
  })
  resource?: QuotaName | null;

  @CountField('How many at the most; 1 by default.', { min: 0 })
  hard_limit?: number | null;
}

@SortedBy([])
export class ListQuotasQuery extends PageQuery {
  @BooleanField({
    optional: true,
    fromText: true,
    bareIsTrue: true,
    description: 'Those of all projects, for administrators.',
  })
  all_tenants?: boolean;
}

const SHOWN = {
  project_id: Shown(String, 'Whose it is.'),
  resource: Shown(String, 'What is limited.', { enum: QUOTA_NAMES }),
  hard_limit: Shown('integer', 'How many at the most; -1 is without limit.'),
};

export const QuotaView = answerClass('QuotaView', {
  ...SHOWN,
  id: Shown('integer', 'Its number; none where it is the default.', { optional: true }),
});

export const QuotaList = answerClass('QuotaList', {
  quotas: Shown([() => QuotaView], 'Those that were set.'),
});
