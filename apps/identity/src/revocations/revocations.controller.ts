import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { collectionLinks } from '../http/collection.view.js';
import { authorise } from '../policy/policy.js';
import { RevocationRepository } from './revocation.repository.js';
import { revocationView } from './revocation.view.js';

@ApiTags('revocation')
@Controller('v3/OS-REVOKE/events')
export class RevocationsController {
  constructor(private readonly revocations: RevocationRepository) {}

  @Get()
  @Authenticated()
  async list(@Ctx() ctx: RequestContext): Promise<object> {
    authorise(ctx, 'identity:list_revoke_events');
    const rows = await this.revocations.listLive(ctx);
    return { events: rows.map(revocationView), links: collectionLinks(ctx) };
  }
}
