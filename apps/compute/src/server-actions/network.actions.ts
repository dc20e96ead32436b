/** Actions on the ports of a server. Public source: Nova API reference, "Servers - run an action". */
import { CheckedField, StringField } from '@cumulet/common/http/fields';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { ServerFloatingIpsService } from '../nics/server-floating-ips.service.js';
import { ServerPortsService } from '../nics/server-ports.service.js';
import { IP_ADDRESS, isAddress } from '../servers/dto/network-requests.js';
import { defineAction } from './server-action.js';

class SecurityGroupActionDto {
  @StringField({ pattern: /\S/, patternText: 'must not be blank', description: 'The name or ID.' })
  name: string;
}

class AddFixedIpDto {
  @StringField({ max: 36, description: 'The ID of a network that the server has a port on.' })
  networkId: string;
}

class AddressDto {
  @CheckedField(isAddress, 'must be an IP address', IP_ADDRESS)
  address: string;
}

class AddFloatingIpDto extends AddressDto {
  @CheckedField(isAddress, 'must be an IP address', IP_ADDRESS, {
    optional: true,
    description: "A fixed address of the server; by default its ports' first IPv4 address.",
  })
  fixed_address?: string;
}

/** The last minor microversion of actions on addresses; since then, clients change ports. */
const LAST = 43;

export const NETWORK_ACTIONS = [
  // Nova had it for guests of Xen, and removed it with release 23.0.
  defineAction({
    name: 'resetNetwork',
    evenLocked: true,
    evenUnplaced: true,
    run: () =>
      Promise.reject<undefined>(
        new DomainError('gone', "The server action 'resetNetwork' was removed from Nova."),
      ),
  }),
  // Does nothing, as in libvirt's driver.
  defineAction({ name: 'injectNetworkInfo', role: 'admin', run: () => Promise.resolve() }),
  defineAction({
    name: 'addSecurityGroup',
    takes: SecurityGroupActionDto,
    evenLocked: true,
    run: (ctx, server, { name }, use) => use(ServerPortsService).addGroup(ctx, server, name),
  }),
  defineAction({
    name: 'removeSecurityGroup',
    takes: SecurityGroupActionDto,
    evenLocked: true,
    run: (ctx, server, { name }, use) => use(ServerPortsService).removeGroup(ctx, server, name),
  }),
  defineAction({
    name: 'addFixedIp',
    takes: AddFixedIpDto,
    until: LAST,
    run: (ctx, server, dto, use) => use(ServerPortsService).addAddress(ctx, server, dto.networkId),
  }),
  defineAction({
    name: 'removeFixedIp',
    takes: AddressDto,
    until: LAST,
    run: (ctx, server, dto, use) => use(ServerPortsService).removeAddress(ctx, server, dto.address),
  }),
  defineAction({
    name: 'addFloatingIp',
    takes: AddFloatingIpDto,
    evenLocked: true,
    until: LAST,
    run: (ctx, server, { address, fixed_address: fixed }, use) =>
      use(ServerFloatingIpsService).add(ctx, server, address, fixed),
  }),
  defineAction({
    name: 'removeFloatingIp',
    takes: AddressDto,
    evenLocked: true,
    until: LAST,
    run: (ctx, server, dto, use) => use(ServerFloatingIpsService).remove(ctx, server, dto.address),
  }),
];
