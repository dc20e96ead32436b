import { Body, Controller, Delete, Get, Header, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { isUuid } from '@cumulet/common/context/ids';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { DomainError, InvalidInputError, notFound } from '@cumulet/common/errors/domain-error';
import { StringField } from '@cumulet/common/http/fields';
import { Operation } from '@cumulet/common/http/operation';
import { allUnder, shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { OfVersions } from '../versions/microversions.js';
import { missingAs, Sisters, UNTIL_36 } from './sisters.js';

interface SisterFloatingIp {
  readonly id: string;
  readonly floating_ip_address: string;
  readonly floating_network_id: string;
  readonly fixed_ip_address: string | null;
  readonly port_details?: { readonly device_id: string } | null;
}

interface SisterPool {
  readonly id: string;
  readonly name: string;
}

export const FloatingIpView = answerClass('FloatingIpView', {
  id: Shown(String, 'Its id.'),
  ip: Shown(String, 'The address.'),
  fixed_ip: Shown(String, 'The fixed address that the floating IP leads to.', { nullable: true }),
  instance_id: Shown(String, 'That server.', { nullable: true }),
  pool: Shown(String, 'The name of the external network.'),
});

const FloatingIpList = allUnder('floating_ips', FloatingIpView, 'The floating IPs of the project.');

export const FloatingIpPool = answerClass('FloatingIpPool', {
  name: Shown(String, 'The name of an external network.'),
});

const FloatingIpPoolList = allUnder('floating_ip_pools', FloatingIpPool);

export class CreateFloatingIpDto {
  @StringField({
    optional: true,
    nullable: true,
    description: 'The name of the pool; by default any.',
  })
  pool?: string | null;
}

class PoolNotFoundError extends notFound('Floating IP pool not found.') {}

class FloatingIpNotFoundError extends DomainError {
  constructor(id: string, cause?: unknown) {
    super('not-found', `Floating IP not found for ID ${id}`, { cause });
  }
}

const FLOATING_IPS = '/v2.0/floatingips';
const pathOf = (id: string): string => `${FLOATING_IPS}/${id}`;

async function poolsOf(sisters: Sisters, ctx: RequestContext): Promise<readonly SisterPool[]> {
  const request = { path: '/v2.0/networks', query: { 'router:external': 'true' } };
  return (await sisters.network<{ networks: readonly SisterPool[] }>(ctx, request)).networks;
}

/** Public source: Nova API reference, "Floating IP pools (os-floating-ip-pools) (DEPRECATED)". */
@ApiTags('proxies')
@OfVersions(UNTIL_36)
@Controller('os-floating-ip-pools')
export class FloatingIpPoolsController {
  constructor(private readonly sisters: Sisters) {}

  @Get()
  @Allow('reader')
  @Operation('List floating IP pools', FloatingIpPoolList, { errors: [404] })
  async list(@Ctx() ctx: RequestContext): Promise<object> {
    const pools = await poolsOf(this.sisters, ctx);
    return { floating_ip_pools: pools.map(({ id, name }) => ({ name: name || id })) };
  }
}

/** Public source: Nova API reference, "Floating IPs (os-floating-ips) (DEPRECATED)". */
@ApiTags('proxies')
@OfVersions(UNTIL_36)
@Controller('os-floating-ips')
export class FloatingIpsController {
  constructor(private readonly sisters: Sisters) {}

  @Get()
  @Allow('reader')
  @Operation('List floating IPs', FloatingIpList, { errors: [404] })
  async list(@Ctx() ctx: RequestContext): Promise<object> {
    const request = { path: FLOATING_IPS, query: { project_id: ctx.projectId } };
    const { floatingips: found } = await this.sisters.network<{
      floatingips: readonly SisterFloatingIp[];
    }>(ctx, request);
    const pools = await poolsOf(this.sisters, ctx);
    return { floating_ips: found.map((one) => floatingIpView(one, pools)) };
  }

  @Post()
  @Allow('member')
  @Operation('Create a floating IP', shownUnder('floating_ip', FloatingIpView), {
    status: 200,
    creates: false,
    errors: [404, 409],
  })
  async create(@Ctx() ctx: RequestContext, @Body() body: CreateFloatingIpDto): Promise<object> {
    const pools = await poolsOf(this.sisters, ctx);
    const pool = pools.find(({ id, name }) => body.pool == null || [id, name].includes(body.pool));
    if (!pool) throw new PoolNotFoundError();
    const json = { floatingip: { floating_network_id: pool.id } };
    const { floatingip } = await this.sisters.network<{ floatingip: SisterFloatingIp }>(ctx, {
      method: 'POST',
      path: FLOATING_IPS,
      json,
    });
    return { floating_ip: floatingIpView(floatingip, pools) };
  }

  @Get(':floating_ip_id')
  @Allow('reader')
  @Operation('Show a floating IP', shownUnder('floating_ip', FloatingIpView))
  async show(@Ctx() ctx: RequestContext, @Param('floating_ip_id') id: string): Promise<object> {
    checkId(id);
    const request = { path: pathOf(id) };
    const { floatingip } = await this.sisters
      .network<{ floatingip: SisterFloatingIp }>(ctx, request)
      .catch(missing(id));
    return { floating_ip: floatingIpView(floatingip, await poolsOf(this.sisters, ctx)) };
  }

  @Delete(':floating_ip_id')
  @Header('Content-Type', 'application/json')
  @Allow('member')
  @Operation('Delete a floating IP', null, { status: 202, errors: [409] })
  async remove(@Ctx() ctx: RequestContext, @Param('floating_ip_id') id: string): Promise<void> {
    checkId(id);
    const request = { method: 'DELETE', path: pathOf(id) } as const;
    await this.sisters.network(ctx, request).catch(missing(id));
  }
}

function floatingIpView(row: SisterFloatingIp, pools: readonly SisterPool[]): object {
  const pool = pools.find(({ id }) => id === row.floating_network_id);
  return {
    id: row.id,
    ip: row.floating_ip_address,
    fixed_ip: row.fixed_ip_address,
    instance_id: row.port_details?.device_id || null,
    pool: pool?.name || row.floating_network_id,
  };
}

/** @throws InvalidInputError */
function checkId(id: string): void {
  const shown = id.slice(0, 255);
  if (!isUuid(id)) throw new InvalidInputError(`Invalid ID received ${shown}.`);
}

function missing(id: string): (error: unknown) => never {
  return missingAs((cause) => new FloatingIpNotFoundError(id, cause));
}
