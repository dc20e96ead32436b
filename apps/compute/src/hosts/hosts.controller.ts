import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError, UnsupportedOperationError } from '@cumulet/common/errors/domain-error';
import { EnumField, StringField } from '@cumulet/common/http/fields';
import { Operation } from '@cumulet/common/http/operation';
import { allUnder, shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { absentAfter } from '../versions/microversions.js';
import { HostRelay } from './host-relay.js';
import { HostStatuses, HostRepository } from './host.repository.js';
import { HostUsage, Host } from './host.entity.js';
import { HostsService } from './hosts.service.js';

const WORDS = ['enable', 'disable', 'Enable', 'Disable', 'ENABLE', 'DISABLE'];

class ListHostsQuery {
  @StringField({ optional: true, min: 0, description: 'A zone.' })
  zone?: string;
}

class UpdateHostBody {
  @EnumField(WORDS, { optional: true })
  status?: string;

  @EnumField(WORDS, { optional: true })
  maintenance_mode?: string;
}

const HostSummary = answerClass('HostSummary', {
  host_name: Shown(String, 'Its name.'),
  service: Shown(String, 'The binary of the service.', {
    enum: ['compute', 'scheduler', 'conductor'],
  }),
  zone: Shown(String, 'Its zone.'),
});

const HostList = allUnder('hosts', HostSummary);

const HostResource = answerClass('HostResource', {
  host: Shown(String, 'Its name.'),
  project: Shown(
    String,
    'The ID of a project; `(total)`, `(used_now)` and `(used_max)` stand for all projects.',
  ),
  cpu: Shown('integer', 'Processors.'),
  memory_mb: Shown('integer', 'The memory in MiB.'),
  disk_gb: Shown('integer', 'The disk space in GiB.'),
});

const Resource = shownUnder(
  'resource',
  HostResource,
  'The resources of the host, or of a project on the host.',
);

const HostAnswer = allUnder(
  'host',
  Resource,
  'The total resources, and their use in total and by project.',
);

const ChangedHostAnswer = answerClass('ChangedHostAnswer', {
  host: Shown(String, 'Its name.'),
  status: Shown(String, 'The status of the host.', { enum: ['enabled', 'disabled'] }),
});

/** The last microversion with hosts. Public source: Nova API reference, "Hosts (os-hosts)". */
const LAST = 42;

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
    if (status === undefined && maintenance === undefined)
      throw new InvalidInputError('Invalid input: status or maintenance_mode is required.');
    if (status === undefined || maintenance !== undefined)
      throw await this.#notOffered(ctx, name, 'The maintenance mode of hosts');
    const enabled = status.toLowerCase() === 'enable';
    await this.hosts.enable(ctx, name, enabled);
    return { host: name, status: enabled ? 'enabled' : 'disabled' };
  }

  @Get(':host_name/startup')
  @Allow('admin')
  @Operation('Start a host', null, { status: 501 })
  async startup(@Ctx() ctx: RequestContext, @Param('host_name') name: string): Promise<never> {
    return this.#refusePower(ctx, name, 'Starting a host');
  }

  @Get(':host_name/shutdown')
  @Allow('admin')
  @Operation('Shut a host down', null, { status: 501 })
  async shutdown(@Ctx() ctx: RequestContext, @Param('host_name') name: string): Promise<never> {
    return this.#refusePower(ctx, name, 'Shutting a host down');
  }

  @Get(':host_name/reboot')
  @Allow('admin')
  @Operation('Reboot a host', null, { status: 501 })
  async reboot(@Ctx() ctx: RequestContext, @Param('host_name') name: string): Promise<never> {
    return this.#refusePower(ctx, name, 'Rebooting a host');
  }

  async #refusePower(ctx: RequestContext, name: string, what: string): Promise<never> {
    absentAfter(ctx, LAST);
    throw await this.#notOffered(ctx, name, what);
  }

  /** Nova's libvirt driver does not implement these either. @throws ComputeHostNotFoundError */
  async #notOffered(ctx: RequestContext, name: string, what: string): Promise<Error> {
    await this.hosts.get(ctx, name);
    return new UnsupportedOperationError(what);
  }
}

@Feature({
  controllers: [HostsController],
  providers: [HostRelay, HostRepository, HostStatuses, HostsService],
  entities: [Host, HostUsage],
})
export class HostsModule {}
