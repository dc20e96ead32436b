import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Feature } from '@cumulet/common/service/feature';
import { Operation } from '@cumulet/common/http/operation';
import { readTimestamp } from '../http/timestamp.js';
import { Protected } from '../policy/protected.js';
import { listedUnder, listLinks } from '../resource/resource.view.js';
import { ListEventsQuery, RevocationView, revocationView } from './revocation.dto.js';
import { Revocation } from './revocation.entity.js';
import { revocationEvents } from './revocation.repository.js';
import { RevocationsService, RevocationSweep } from './revocations.service.js';

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
