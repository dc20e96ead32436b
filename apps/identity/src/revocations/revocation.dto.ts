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
function MatchField(property: keyof Revocation, description: string): PropertyDecorator {
  const from = (row: Revocation): unknown => row[property] ?? undefined;
  return Shown<Revocation>(String, description, { optional: true, from });
}

export class RevocationView {
  @MatchField('auditId', 'The first of its audit ids.')
  audit_id?: string;

  @MatchField('auditChainId', 'The last of its audit ids.')
  audit_chain_id?: string;

  @MatchField('trustId', 'The trust that it was had by.')
  'OS-TRUST:trust_id'?: string;

  @MatchField(
    'credentialId',
    'Its application credential, or the access key. Ours, not Keystone’s.',
  )
  credential_id?: string;

  @MatchField('userId', 'Its user, or one that has a part in its trust.')
  user_id?: string;

  @MatchField('projectId', 'Its project.')
  project_id?: string;

  @MatchField('domainId', 'The domain of its user, of its project or of its scope.')
  domain_id?: string;

  @Shown<Revocation>('date-time', 'Tokens issued then or before are revoked.', {
    from: ({ issuedBefore }) => timestamp(issuedBefore.getTime()),
  })
  issued_before: string;

  @Shown<Revocation>('date-time', 'When it was revoked.', {
    from: ({ revokedAt }) => timestamp(revokedAt.getTime()),
  })
  revoked_at: string;
}

export const revocationView = viewOf<Revocation, RevocationView>(RevocationView);
