/** The routes of signed URLs. Public source: Heat template guide, "OS::Heat::WaitConditionHandle". */
import {
  Controller,
  createParamDecorator,
  Get,
  Post,
  Put,
  Query,
  Req,
  type ExecutionContext,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { StringField } from '@cumulet/common/http/fields';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import type { SignalTarget } from '../engine/signal-address.js';
import { ResourceSignal, SignalTally } from '../rows/resource-signal.entity.js';
import { SignalBodies } from './signal-bodies.js';
import { signalDetails } from '../stack-resources/stack-resource.answers.js';
import { AnyMap } from '../http/json-shape.js';
import { SignalsService } from './signals.service.js';

class SignalQuery {
  @StringField({ description: 'The signature of the address.' })
  Signature: string;
}

/** The resource that a signed URL names. */
const Signalled = createParamDecorator((_: unknown, host: ExecutionContext): SignalTarget => {
  const { params } = host.switchToHttp().getRequest<FastifyRequest>();
  const {
    project_id = '',
    stack_id = '',
    resource_id = '',
  } = params as Readonly<Record<string, string>>;
  return { projectId: project_id, stackId: stack_id, resourceId: resource_id };
});

const TARGET = ':project_id/:stack_id/:resource_id';
const BODY = { required: false, schema: { type: 'object', additionalProperties: true } } as const;

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
    @Signalled() target: SignalTarget,
    @Query() { Signature }: SignalQuery,
    @Req() { body }: FastifyRequest,
  ): Promise<void> {
    await this.signals.take(ctx, target, Signature, signalDetails(body));
  }

  /** For cfn-signal. */
  @Put(TARGET)
  @Public()
  @RouteConfig({ takesAnyType: true })
  @ApiBody(BODY)
  @Operation('Put a signal', null, { status: 200, errors: [403, 409] })
  async put(
    @Ctx() ctx: RequestContext,
    @Signalled() target: SignalTarget,
    @Query() { Signature }: SignalQuery,
    @Req() { body }: FastifyRequest,
  ): Promise<void> {
    await this.signals.take(ctx, target, Signature, signalDetails(body));
  }
}

@ApiTags('signals')
@Controller('metadata')
export class GuestMetadataController {
  constructor(private readonly signals: SignalsService) {}

  @Get(TARGET)
  @Public()
  @Operation('Show the metadata of a server to its agent', AnyMap, { errors: [403] })
  async read(
    @Ctx() ctx: RequestContext,
    @Signalled() target: SignalTarget,
    @Query() { Signature }: SignalQuery,
  ): Promise<object> {
    return (await this.signals.metadataOf(ctx, target, Signature)) as object;
  }
}

@Feature({
  controllers: [SignalsController, GuestMetadataController],
  entities: [ResourceSignal, SignalTally],
  providers: [SignalBodies, SignalsService],
})
export class SignalsModule {}
