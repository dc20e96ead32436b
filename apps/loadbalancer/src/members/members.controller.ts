import { Body, Controller, Param, Put, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { TakesBody } from '@cumulet/common/http/body-limits';
import { Operation } from '@cumulet/common/http/operation';
import { ApiQueries, newSchema } from '@cumulet/common/resources/resource.openapi';
import { Feature } from '@cumulet/common/service/feature';
import { LARGE_BODY, resourceController } from '../resources/resource.controller.js';
import { MAX_BYTES, readBatch } from './member-batch.js';
import { memberResource } from '../tree/member.resource.js';
import { MembersService } from './members.service.js';

const YES = ['1', 't', 'true', 'on', 'y', 'yes'];

@ApiTags('Members')
@Controller('v2.0/lbaas/pools/:pool_id/members')
export class MembersController extends resourceController(memberResource, MembersService, {
  errors: [501],
}) {
  declare readonly service: MembersService;

  @Put()
  @Allow('member')
  @TakesBody({ bytes: MAX_BYTES, ...LARGE_BODY })
  @ApiQueries(['additive_only'])
  @ApiBody({
    schema: {
      type: 'object',
      properties: { members: { type: 'array', items: newSchema(memberResource) } },
      required: ['members'],
    },
  })
  @Operation('Replace the members of a pool', null, { status: 202, errors: [404, 409, 501] })
  async replace(
    @Ctx() ctx: RequestContext,
    @Param('pool_id') poolId: string,
    @Body() body: object,
    @Query('additive_only') additiveOnly?: string | readonly string[],
  ): Promise<void> {
    const isAdditive = YES.includes(String(additiveOnly).trim().toLowerCase());
    await this.service.replace(ctx, poolId, readBatch(body), isAdditive);
  }
}

@Feature({ controllers: [MembersController], providers: [MembersService] })
export class MembersModule {}
