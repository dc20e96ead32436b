import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { OfVersions } from '../../versions/microversions.js';
import { ServersService } from '../servers.service.js';

export const ServerTopology = answerClass('ServerTopology', {
  nodes: Shown([Object], 'The NUMA nodes of the guest: none.', { schema: { maxItems: 0 } }),
  pagesize_kb: Shown('integer', 'The page size in KiB: null, since it is not configurable.', {
    nullable: true,
  }),
});

/** Public source: Nova API reference, "Servers topology (servers, topology)". */
@ApiTags('servers')
@OfVersions({ since: 78 })
@Controller('servers/:server_id/topology')
export class ServerTopologyController {
  constructor(private readonly servers: ServersService) {}

  /** Guests have no NUMA nodes; Nova answers the same for such guests. */
  @Get()
  @Allow('reader')
  @Operation('Show the topology of a server', ServerTopology)
  async show(@Ctx() ctx: RequestContext, @Param('server_id') id: string): Promise<object> {
    await this.servers.get(ctx, id);
    return { nodes: [], pagesize_kb: null };
  }
}
