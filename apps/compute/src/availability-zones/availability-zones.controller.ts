import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { hosts } from '../hosts/host.repository.js';
import { ZoneDetailList, ZoneList, zonesOf } from './availability-zone.answers.js';

@ApiTags('availability zones')
@Controller('os-availability-zone')
export class AvailabilityZonesController {
  @Get()
  @Allow('reader')
  @Operation('List availability zones', ZoneList)
  async list(@Ctx() ctx: RequestContext): Promise<object> {
    return { availabilityZoneInfo: zonesOf(await hosts.select(ctx, [], 'ORDER BY number'), false) };
  }

  @Get('detail')
  @Allow('admin')
  @Operation('List availability zones with their hosts', ZoneDetailList)
  async detail(@Ctx() ctx: RequestContext): Promise<object> {
    return { availabilityZoneInfo: zonesOf(await hosts.select(ctx, [], 'ORDER BY number'), true) };
  }
}

@Feature({ controllers: [AvailabilityZonesController] })
export class AvailabilityZonesModule {}
