import { Controller, Get, Injectable, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import { answerClass, Shown, type ShownOptions } from '@cumulet/common/http/shown';
import { OfVersions } from '../versions/microversions.js';
import { missingAs, Sisters, UNTIL_36 } from './sisters.js';

interface SisterNetwork {
  readonly id: string;
  readonly name: string;
}

/** Facts of nova-network's, which its proxy shows as null. */
const UNKNOWN = 'cidr netmask gateway broadcast dns1 dns2 cidr_v6 gateway_v6 netmask_v6'.split(' ');
const UNKNOWN_TO_ADMINISTRATORS = (
  'created_at updated_at deleted_at deleted injected bridge vlan vpn_public_address ' +
  'vpn_public_port vpn_private_address dhcp_start project_id host bridge_interface multi_host ' +
  'priority rxtx_base mtu dhcp_server enable_dhcp share_address'
).split(' ');

const NULL: ShownOptions = { nullable: true };
const shownNull = (names: readonly string[], options: ShownOptions) =>
  Object.fromEntries(names.map((name) => [name, Shown(String, 'Always null.', options)]));

const NetworkView = answerClass('NetworkView', {
  id: Shown(String, 'Its id.'),
  label: Shown(String, 'Its name.'),
  ...shownNull(UNKNOWN, NULL),
  ...shownNull(UNKNOWN_TO_ADMINISTRATORS, { ...NULL, optional: true }),
});

const TenantNetworkView = answerClass('TenantNetworkView', {
  id: Shown(String, 'Its id.'),
  label: Shown(String, 'Its name.'),
  cidr: Shown(String, 'The label; always the text None.'),
});

const listOf = (view: typeof NetworkView) =>
  answerClass(`${view.name}List`, {
    networks: Shown([() => view], 'The networks that the project can use.'),
  });
const oneOf = (view: typeof NetworkView) =>
  answerClass(`${view.name}Answer`, { network: Shown(() => view, 'The network.') });

class NetworkNotFoundError extends DomainError {
  constructor(cause: unknown) {
    super('not-found', 'Network not found', { cause });
  }
}

@Injectable()
export class NetworksProxy {
  constructor(private readonly sisters: Sisters) {}

  async list(ctx: RequestContext): Promise<readonly SisterNetwork[]> {
    const request = { path: '/v2.0/networks' };
    return (await this.sisters.network<{ networks: readonly SisterNetwork[] }>(ctx, request))
      .networks;
  }

  /** @throws NetworkNotFoundError */
  async show(ctx: RequestContext, id: string): Promise<SisterNetwork> {
    const path = `/v2.0/networks/${encodeURIComponent(id)}`;
    const { network } = await this.sisters
      .network<{ network: SisterNetwork }>(ctx, { path })
      .catch(missingAs((cause) => new NetworkNotFoundError(cause)));
    return network;
  }
}

/** Public source: Nova API reference, "Networks (os-networks) (DEPRECATED)". */
@ApiTags('proxies')
@OfVersions(UNTIL_36)
@Controller('os-networks')
export class NetworksController {
  constructor(private readonly networks: NetworksProxy) {}

  @Get()
  @Allow('reader')
  @Operation('List networks', listOf(NetworkView), { errors: [404] })
  async list(@Ctx() ctx: RequestContext): Promise<object> {
    return { networks: (await this.networks.list(ctx)).map((one) => networkView(ctx, one)) };
  }

  @Get(':network_id')
  @Allow('reader')
  @Operation('Show a network', oneOf(NetworkView))
  async show(@Ctx() ctx: RequestContext, @Param('network_id') id: string): Promise<object> {
    return { network: networkView(ctx, await this.networks.show(ctx, id)) };
  }
}

/** Public source: Nova API reference, "Project networks (os-tenant-networks) (DEPRECATED)". */
@ApiTags('proxies')
@OfVersions(UNTIL_36)
@Controller('os-tenant-networks')
export class TenantNetworksController {
  constructor(private readonly networks: NetworksProxy) {}

  @Get()
  @Allow('reader')
  @Operation('List project networks', listOf(TenantNetworkView), { errors: [404] })
  async list(@Ctx() ctx: RequestContext): Promise<object> {
    return { networks: (await this.networks.list(ctx)).map(tenantNetworkView) };
  }

  @Get(':network_id')
  @Allow('reader')
  @Operation('Show a project network', oneOf(TenantNetworkView))
  async show(@Ctx() ctx: RequestContext, @Param('network_id') id: string): Promise<object> {
    return { network: tenantNetworkView(await this.networks.show(ctx, id)) };
  }
}

function networkView({ isAdmin }: RequestContext, { id, name }: SisterNetwork): object {
  const unknown = [...UNKNOWN, ...(isAdmin ? UNKNOWN_TO_ADMINISTRATORS : [])];
  return { id, label: name, ...Object.fromEntries(unknown.map((one) => [one, null])) };
}

/** Nova's placeholder for an unknown CIDR is Python's. */
function tenantNetworkView({ id, name }: SisterNetwork): object {
  return { id, label: name, cidr: 'None' };
}
