/**
 * Requests of nodes through the guest ingress, with the token of their user data. These operations
 * are the platform's own, not Magnum's.
 */
import { Body, Controller, Headers, Param, Post } from '@nestjs/common';
import { Public } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { AdditionalProperties, answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { BootstrapService } from './bootstrap/bootstrap.service.js';
import { CloudSettings } from './bootstrap/cloud-settings.js';
import { NodePorts } from './bootstrap/node-ports.js';
import { BootstrapDto, ReportDto } from './node.dto.js';
import { Node } from './node.entity.js';
import { NodeTokens } from './node-token.js';
import { ReportsService } from './reports/reports.service.js';

@AdditionalProperties()
export class BootstrapAnswer {
  @Shown(
    'integer',
    'The generation of the certificates; it increases when the authorities are replaced.',
  )
  generation: number;

  @Shown(Object, 'Certificates and keys in PEM, by the names of their files.')
  pki: Readonly<Record<string, string>>;
}

export const ReportAnswerView = answerClass('ReportAnswerView', {
  generation: Shown('integer', 'The generation of certificates that the node should have.'),
  interval: Shown('integer', 'Seconds until the next report.'),
  etcd_remove: Shown([String], 'The members that this master should remove from etcd.'),
  drain: Shown(Boolean, 'Whether the node should move its pods to other nodes.'),
});

@Controller('v1/nodes')
export class NodesController {
  constructor(
    private readonly bootstrap: BootstrapService,
    private readonly reports: ReportsService,
  ) {}

  @Post(':node_id/bootstrap')
  @Public()
  @Operation('Give a node its certificates', BootstrapAnswer, { status: 200, errors: [403, 503] })
  async give(
    @Ctx() ctx: RequestContext,
    @Param('node_id') id: string,
    @Headers('authorization') authorization: string | undefined,
    @Body() body: BootstrapDto,
  ): Promise<object> {
    const node = await this.bootstrap.authenticated(ctx, id, bearerOf(authorization));
    return this.bootstrap.give(ctx, node, body);
  }

  @Post(':node_id/report')
  @Public()
  @Operation('Take what a node says of itself', ReportAnswerView, { status: 200, errors: [403] })
  async report(
    @Ctx() ctx: RequestContext,
    @Param('node_id') id: string,
    @Headers('authorization') authorization: string | undefined,
    @Body() body: ReportDto,
  ): Promise<object> {
    const node = await this.bootstrap.authenticated(ctx, id, bearerOf(authorization));
    return this.reports.take(ctx, node, body);
  }
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer (\S{1,256})$/i.exec(authorization ?? '')?.[1];
}

@Feature({
  controllers: [NodesController],
  providers: [BootstrapService, CloudSettings, NodePorts, NodeTokens, ReportsService],
  entities: [Node],
})
export class NodesModule {}
