import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { Protected, ProtectedInHandler } from '../policy/protected.js';
import { bulkController } from '../resource/crud.controller.js';
import { shownUnder } from '../resource/resource.view.js';
import {
  CreateLimitDto,
  CreateRegisteredLimitDto,
  Limit,
  LimitModelBody,
  LimitView,
  ListLimitsQuery,
  ListRegisteredLimitsQuery,
  RegisteredLimit,
  RegisteredLimitView,
  UpdateLimitDto,
} from './limit.resource.js';
import { LimitsService, RegisteredLimitsService } from './limits.service.js';

@ApiTags('limits')
@Controller('v3/registered_limits')
export class RegisteredLimitsController extends bulkController({
  kind: 'registered_limit',
  service: RegisteredLimitsService,
  query: ListRegisteredLimitsQuery,
  create: CreateRegisteredLimitDto,
  view: RegisteredLimitView,
  errors: { create: [409], update: [409] },
}) {}

@Controller('v3/limits')
export class LimitsController extends bulkController({
  kind: 'limit',
  service: LimitsService,
  query: ListLimitsQuery,
  create: CreateLimitDto,
  update: UpdateLimitDto,
  view: LimitView,
  errors: { create: [409] },
}) {
  @Get('model')
  @Protected('identity:get_limit_model')
  @Operation('Show the model of limits', LimitModelBody)
  showModel(): object {
    const description =
      'The limits of a project do not depend on those of the projects above and below it.';
    return { model: { name: 'flat', description } };
  }

  @Get(':limit_id')
  @ProtectedInHandler('identity:get_limit')
  @Operation('Show a limit', shownUnder('limit', LimitView))
  override show(@Ctx() ctx: RequestContext, @Param('limit_id') id: string): Promise<object> {
    return super.show(ctx, id);
  }
}

@Feature({
  controllers: [LimitsController, RegisteredLimitsController],
  providers: [LimitsService, RegisteredLimitsService],
  entities: [Limit, RegisteredLimit],
})
export class LimitsModule {}
