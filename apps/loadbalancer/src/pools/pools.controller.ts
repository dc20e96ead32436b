import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { MAX_BYTES } from '../members/member-batch.js';
import { resourceController } from '../resources/resource.controller.js';
import { poolResource } from './pool.resource.js';
import { PoolsService } from './pools.service.js';

@ApiTags('Pools')
@Controller('v2.0/lbaas/pools')
export class PoolsController extends resourceController(poolResource, PoolsService, {
  errors: [501],
  createBytes: MAX_BYTES,
}) {}

@Feature({ controllers: [PoolsController], providers: [PoolsService] })
export class PoolsModule {}
