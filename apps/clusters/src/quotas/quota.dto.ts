/** Quotas on the wire. Public source: Container Infrastructure Management API reference, "Quota". */
import { EnumField, StringField } from '@cumulet/common/http/fields';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { CountField } from '../http/fields.js';
import { QUOTA_NAMES, type QuotaName } from './clusters-quotas.js';

export class QuotaDto {
  @CountField('Ignored: the dashboard sends back the number that it was shown.', {
    min: 1,
    max: 2 ** 31 - 1,
  })
  id?: number | null;

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

export const QuotaView = answerClass('QuotaView', {
  id: Shown('integer', 'Its number; none where it is the default.', { optional: true }),
  project_id: Shown(String, 'Whose it is.'),
  resource: Shown(String, 'What is limited.', { enum: QUOTA_NAMES }),
  hard_limit: Shown('integer', 'How many at the most; -1 is without limit.'),
  created_at: Shown(String, 'When it was set; not of the default.', { optional: true }),
  updated_at: Shown(String, 'When it last changed.', { optional: true, nullable: true }),
});

export const QuotaList = answerClass('QuotaList', {
  quotas: Shown([() => QuotaView], 'Those that were set.'),
  next: Shown(String, 'The next page.', { optional: true }),
});
