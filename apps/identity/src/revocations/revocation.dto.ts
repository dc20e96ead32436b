/** Revocation events on the wire. Public source: Keystone API reference, "OS-REVOKE API". */
import { CheckedField } from '@cumulet/common/http/fields';
import { Shown, viewOf } from '@cumulet/common/http/shown';
import { isTimestamp, timestamp } from '../http/timestamp.js';
import type { Revocation } from './revocation.entity.js';

export class ListEventsQuery {
  /** Earlier events are left out. */
  @CheckedField(
    isTimestamp,
    'must be a time, as 2026-01-31T12:00:00Z',
    { type: 'string', format: 'date-time' },
    { optional: true },
  )
  since?: string;
}

/** What a token must match to be revoked; omitted fields match all. */
export class RevocationView {
  @Shown(String, 'The first of its audit ids.', { optional: true })
  audit_id?: string;

  @Shown(String, 'The last of its audit ids.', { optional: true })
  audit_chain_id?: string;

  @Shown<Revocation>(String, 'The trust that it was had by.', {
    optional: true,
    from: ({ trustId }) => trustId,
  })
  'OS-TRUST:trust_id'?: string;

  @Shown(String, 'Its application credential, or the access key. Ours, not Keystone’s.', {
    optional: true,
  })
  credential_id?: string;

  @Shown(String, 'Its user, or one that has a part in its trust.', { optional: true })
  user_id?: string;

  @Shown(String, 'Its project.', { optional: true })
  project_id?: string;

  @Shown(String, 'The domain of its user, of its project or of its scope.', { optional: true })
  domain_id?: string;

  @Shown('date-time', 'Tokens issued then or before are revoked.')
  issued_before: string;

  @Shown('date-time', 'When it was revoked.')
  revoked_at: string;
}

export const revocationView = viewOf<Revocation, RevocationView>(RevocationView, (moment) =>
  timestamp(moment.getTime()),
);
