/** Where signed addresses lead. Public source: Heat template guide, "OS::Heat::WaitConditionHandle". */
import { Controller, Param, Post, Put, Query, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { StringField } from '@cumulet/common/http/fields';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { ResourceSignal, SignalTally } from '../rows/resource-signal.entity.js';
import { SignalBodies } from './signal-bodies.js';
import { signalDetails } from '../stack-resources/stack-resource.answers.js';
import { SignalsService } from './signals.service.js';

export class SignalQuery {
  @StringField({ description: 'What the address was signed with.' })
  Signature: string;
}

const TARGET = ':project_id/:stack_id/:resource_id';
const BODY = { required: false, schema: { type: 'object', additionalProperties: true } } as const;

@ApiTags('signals')
@Controller('signals')
export class SignalsController {
  constructor(private readonly signals: SignalsService) {}

  @Post(TARGET)
  @Public()
  @RouteConfig({ takesAnyType: true })
  @ApiBody(BODY)
  @Operation('Send a signal', null, { status: 200, errors: [403, 409] })
  async post(
    @Ctx() ctx: RequestContext,
    @Param('project_id') projectId: string,
    @Param('stack_id') stackId: string,
    @Param('resource_id') resourceId: string,
    @Query() { Signature }: SignalQuery,
    @Req() { body }: FastifyRequest,
  ): Promise<void> {
    const target = { projectId, stackId, resourceId };
    await this.signals.take(ctx, target, Signature, signalDetails(body));
  }

  /** As Amazon's wait conditions are signalled. */
  @Put(TARGET)
  @Public()
  @RouteConfig({ takesAnyType: true })
  @ApiBody(BODY)
  @Operation('Put a signal', null, { status: 200, errors: [403, 409] })
  async put(
    @Ctx() ctx: RequestContext,
    @Param('project_id') projectId: string,
    @Param('stack_id') stackId: string,
    @Param('resource_id') resourceId: string,
    @Query() { Signature }: SignalQuery,
    @Req() { body }: FastifyRequest,
  ): Promise<void> {
    const target = { projectId, stackId, resourceId };
    await this.signals.take(ctx, target, Signature, signalDetails(body));
  }
}

@Feature({
  controllers: [SignalsController],
  entities: [ResourceSignal, SignalTally],
  providers: [SignalBodies, SignalsService],
})
export class SignalsModule {}
