import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError, UnsupportedOperationError } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import { absentAfter } from '../versions/microversions.js';
import {
  ChangedHostAnswer,
  HostAnswer,
  HostList,
  ListHostsQuery,
  UpdateHostBody,
} from './hosts.dto.js';
import { HostsService } from './hosts.service.js';

/** The last microversion that has them. */
const LAST = 42;

@ApiTags('hosts')
@Controller('os-hosts')
export class HostsController {
  constructor(private readonly hosts: HostsService) {}

  @Get()
  @Allow('admin')
  @Operation('List hosts', HostList, { errors: [404] })
  async list(@Ctx() ctx: RequestContext, @Query() { zone }: ListHostsQuery): Promise<object> {
    absentAfter(ctx, LAST);
    return { hosts: await this.hosts.list(ctx, zone) };
  }

  @Get(':host_name')
  @Allow('admin')
  @Operation('Show what a host has', HostAnswer)
  async show(@Ctx() ctx: RequestContext, @Param('host_name') name: string): Promise<object> {
    absentAfter(ctx, LAST);
    const resources = await this.hosts.resources(ctx, name);
    return { host: resources.map((resource) => ({ resource })) };
  }

  @Put(':host_name')
  @Allow('admin')
  @Operation('Enable or disable a host', ChangedHostAnswer, { errors: [501] })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('host_name') name: string,
    @Body() { status, maintenance_mode: maintenance }: UpdateHostBody,
  ): Promise<object> {
    absentAfter(ctx, LAST, 'PUT');
    if (maintenance !== undefined)
      throw new UnsupportedOperationError('The maintenance mode of hosts');
    if (status === undefined)
      throw new InvalidInputError('Invalid input: status or maintenance_mode is required.');
    const enabled = status.toLowerCase() === 'enable';
    await this.hosts.enable(ctx, name, enabled);
    return { host: name, status: enabled ? 'enabled' : 'disabled' };
  }
}
