import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { bulkController } from '../resource/crud.controller.js';
import {
  CreateRegisteredLimitDto,
  ListRegisteredLimitsQuery,
  RegisteredLimitView,
} from './registered-limit.dto.js';
import { RegisteredLimit } from './registered-limit.entity.js';
import { RegisteredLimitsService } from './registered-limits.service.js';

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

@Feature({
  controllers: [RegisteredLimitsController],
  providers: [RegisteredLimitsService],
  entities: [RegisteredLimit],
})
export class RegisteredLimitsModule {}
