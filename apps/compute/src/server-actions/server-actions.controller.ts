import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ApiBody, ApiExtraModels, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { createValidationPipe } from '@cumulet/common/http/validation';
import { Feature } from '@cumulet/common/service/feature';
import { ServersService } from '../servers/servers.service.js';
import { requireVersion } from '../versions/microversions.js';
import { GuestConsole } from './guest-console.js';
import { EvacuateService } from './evacuate/evacuate.service.js';
import { AdminPasswordService } from './password/admin-password.service.js';
import { RebuildService } from './rebuild/rebuild.service.js';
import { RescueService } from './rescue/rescue.service.js';
import { ResizeConfirmationSweep, ResizeService } from './resize/resize.service.js';
import { ShelvedServersSweep, SnapshotsService } from './snapshots/snapshots.service.js';
import { ActionAnswer, admit, Location, verbOf, type Use } from './server-action.js';
import { actionOf, SERVER_ACTIONS } from './server-actions.js';

const BODIES = SERVER_ACTIONS.map(({ body }) => body);

@ApiTags('servers')
@ApiExtraModels(...BODIES)
@Controller('servers')
export class ServerActionsController {
  readonly #validation = createValidationPipe();

  constructor(
    private readonly servers: ServersService,
    private readonly services: ModuleRef,
  ) {}

  @Post(':server_id/action')
  @ApiBody({ schema: { oneOf: BODIES.map((body) => ({ $ref: getSchemaPath(body) })) } })
  @Allow('member')
  @Operation('Act on a server', ActionAnswer, {
    description:
      'The only key of the body names the action. Console actions and `rescue` answer 200, `confirmResize` 204, ' +
      'and every other supported action 202, most without a body; an unsupported one ' +
      'answers 501.',
    status: 202,
    mayBeEmpty: true,
    creates: false,
    also: { 200: ActionAnswer, 204: null },
    errors: [409, 410, 501],
  })
  async run(
    @Ctx() ctx: RequestContext,
    @Param('server_id') id: string,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | undefined> {
    const action = actionOf(body);
    requireVersion(ctx, action);
    const valid = (await this.#validation.transform(body, {
      type: 'body',
      metatype: action.body,
    })) as InstanceType<typeof action.body>;
    const server = await this.servers.get(ctx, id);
    admit(ctx, server, action);
    void reply.status(action.status ?? 202);
    if (action.run) {
      const use: Use = (service) => this.services.get(service, { strict: false });
      const answer = await action.run(ctx, server, valid[action.name] ?? {}, use);
      if (!(answer instanceof Location)) return answer ?? undefined;
      void reply.header('Location', answer.href);
      return undefined;
    }
    for (const event of action.events ?? [])
      await this.servers.change(ctx, server, event, verbOf(action));
    return undefined;
  }
}

@Feature({
  controllers: [ServerActionsController],
  providers: [
    AdminPasswordService,
    EvacuateService,
    GuestConsole,
    RebuildService,
    RescueService,
    ResizeConfirmationSweep,
    ResizeService,
    ShelvedServersSweep,
    SnapshotsService,
  ],
})
export class ServerActionsModule {}
