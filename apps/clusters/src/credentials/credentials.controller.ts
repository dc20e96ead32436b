/** Public source: magnum, "REST API Version History", 1.12. */
import { Controller, Param, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { ClusterRef } from '../clusters/cluster.resource.js';
import { needsVersion, SINCE } from '../http/microversions.js';
import { CredentialsService } from './credentials.service.js';

@ApiTags('credentials')
@Controller('v1/credentials')
export class CredentialsController {
  constructor(private readonly credentials: CredentialsService) {}

  @Patch(':cluster_ident')
  @Allow('member')
  @Operation('Replace the credential of a cluster', ClusterRef, { status: 202, errors: [406, 409] })
  async rotate(
    @Ctx() ctx: RequestContext,
    @Param('cluster_ident') ident: string,
  ): Promise<ClusterRef> {
    needsVersion(ctx, SINCE.credentials, 'To replace the credential of a cluster');
    return { uuid: await this.credentials.rotate(ctx, ident) };
  }
}

@Feature({ controllers: [CredentialsController], providers: [CredentialsService] })
export class CredentialsModule {}
