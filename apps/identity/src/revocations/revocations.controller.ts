/** Public source: Keystone API reference, "OS-REVOKE API". */
import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { CheckedField } from '@cumulet/common/http/fields';
import { Operation } from '@cumulet/common/http/operation';
import { Shown, viewOf } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { isTimestamp, readTimestamp, timestamp } from '../http/timestamp.js';
import { Protected } from '../policy/protected.js';
import { listedUnder, listLinks } from '../resource/resource.view.js';
import { Revocation } from './revocation.entity.js';
import { revocationEvents } from './revocation.repository.js';
import { RevocationsService, RevocationSweep } from './revocations.service.js';

class ListEventsQuery {
  /** Earlier events are left out. */
  @CheckedField(
    isTimestamp,
    'must be a timestamp such as 2026-01-31T12:00:00Z',
    { type: 'string', format: 'date-time' },
    { optional: true },
  )
  since?: string;
}

/** Revokes the tokens that match all of its fields. */
class RevocationView {
  @Shown(String, 'The first audit ID of the token.', { optional: true })
  audit_id?: string;

  @Shown(String, 'The last audit ID of the token.', { optional: true })
  audit_chain_id?: string;

  @Shown<Revocation>(String, 'The ID of the trust behind the token.', {
    optional: true,
    from: ({ trustId }) => trustId,
  })
  'OS-TRUST:trust_id'?: string;

  @Shown(
    String,
    'The ID of the application credential or access key behind the token; Keystone has no such property.',
    {
      optional: true,
    },
  )
  credential_id?: string;

  @Shown(String, 'The ID of its user, or of a user in the chain of its trust.', { optional: true })
  user_id?: string;

  @Shown(String, 'The ID of its project.', { optional: true })
  project_id?: string;

  @Shown(String, 'The ID of the domain of its user, its project or its scope.', { optional: true })
  domain_id?: string;

  @Shown('date-time', 'Tokens issued at this time or earlier are revoked.')
  issued_before: string;

  @Shown('date-time', 'When the tokens were revoked.')
  revoked_at: string;
}

const revocationView = viewOf<Revocation, RevocationView>(RevocationView, (moment) =>
  timestamp(moment.getTime()),
);

@ApiTags('revocation')
@Controller('v3/OS-REVOKE/events')
export class RevocationsController {
  @Get()
  @Protected('identity:list_revoke_events')
  @Operation('List revocation events', listedUnder('events', RevocationView))
  async list(@Ctx() ctx: RequestContext, @Query() { since }: ListEventsQuery): Promise<object> {
    const from = since === undefined ? undefined : readTimestamp(since);
    const rows = await revocationEvents.listLive(ctx, from);
    return { events: rows.map(revocationView), links: listLinks(ctx) };
  }
}

@Feature({
  controllers: [RevocationsController],
  providers: [RevocationsService, RevocationSweep],
  entities: [Revocation],
})
export class RevocationsModule {}
