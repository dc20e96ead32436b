/** What changes the ports of a server. Public source: Nova API reference, "Servers - run an action". */
import { CheckedField, ObjectField, StringField } from '@cumulet/common/http/fields';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { IP_ADDRESS, isAddress } from '../servers/dto/network-requests.js';
import { defineAction, bareBody } from './server-action.js';
import { ServerPortsService } from '../nics/server-ports.service.js';
import { ServerFloatingIpsService } from '../nics/server-floating-ips.service.js';

const GROUP = { pattern: /\S/, patternText: 'must not be blank', description: 'Name or id.' };

export class SecurityGroupActionDto {
  @StringField(GROUP)
  name: string;
}

export class AddSecurityGroupBody {
  @ObjectField(() => SecurityGroupActionDto)
  addSecurityGroup: SecurityGroupActionDto;
}

export class RemoveSecurityGroupBody {
  @ObjectField(() => SecurityGroupActionDto)
  removeSecurityGroup: SecurityGroupActionDto;
}

export const addSecurityGroupAction = defineAction<AddSecurityGroupBody>({
  name: 'addSecurityGroup',
  body: AddSecurityGroupBody,
  evenLocked: true,
  async run(ctx, server, { addSecurityGroup: { name } }, use) {
    await use(ServerPortsService).addGroup(ctx, server, name);
    return undefined;
  },
});

export const removeSecurityGroupAction = defineAction<RemoveSecurityGroupBody>({
  name: 'removeSecurityGroup',
  body: RemoveSecurityGroupBody,
  evenLocked: true,
  async run(ctx, server, { removeSecurityGroup: { name } }, use) {
    await use(ServerPortsService).removeGroup(ctx, server, name);
    return undefined;
  },
});

export class AddFixedIpDto {
  @StringField({ max: 36, description: 'Id of a network that the server has a port on.' })
  networkId: string;
}

export class AddFixedIpBody {
  @ObjectField(() => AddFixedIpDto)
  addFixedIp: AddFixedIpDto;
}

/** Until 2.43: clients change ports instead. */
export const addFixedIpAction = defineAction<AddFixedIpBody>({
  name: 'addFixedIp',
  body: AddFixedIpBody,
  until: 43,
  async run(ctx, server, { addFixedIp: { networkId } }, use) {
    await use(ServerPortsService).addAddress(ctx, server, networkId);
    return undefined;
  },
});

export class RemoveFixedIpDto {
  @CheckedField(isAddress, 'must be an IP address', IP_ADDRESS)
  address: string;
}

export class RemoveFixedIpBody {
  @ObjectField(() => RemoveFixedIpDto)
  removeFixedIp: RemoveFixedIpDto;
}

export const removeFixedIpAction = defineAction<RemoveFixedIpBody>({
  name: 'removeFixedIp',
  body: RemoveFixedIpBody,
  until: 43,
  async run(ctx, server, { removeFixedIp: { address } }, use) {
    await use(ServerPortsService).removeAddress(ctx, server, address);
    return undefined;
  },
});

export class AddFloatingIpDto {
  @CheckedField(isAddress, 'must be an IP address', IP_ADDRESS)
  address: string;

  @CheckedField(isAddress, 'must be an IP address', IP_ADDRESS, {
    optional: true,
    description: "Of the server; by default its ports' first IPv4 address.",
  })
  fixed_address?: string;
}

export class AddFloatingIpBody {
  @ObjectField(() => AddFloatingIpDto)
  addFloatingIp: AddFloatingIpDto;
}

/** Until 2.43: clients change the floating IP itself instead. */
export const addFloatingIpAction = defineAction<AddFloatingIpBody>({
  name: 'addFloatingIp',
  body: AddFloatingIpBody,
  evenLocked: true,
  until: 43,
  async run(ctx, server, { addFloatingIp: { address, fixed_address } }, use) {
    await use(ServerFloatingIpsService).add(ctx, server, address, fixed_address);
    return undefined;
  },
});

export class RemoveFloatingIpDto {
  @CheckedField(isAddress, 'must be an IP address', IP_ADDRESS)
  address: string;
}

export class RemoveFloatingIpBody {
  @ObjectField(() => RemoveFloatingIpDto)
  removeFloatingIp: RemoveFloatingIpDto;
}

export const removeFloatingIpAction = defineAction<RemoveFloatingIpBody>({
  name: 'removeFloatingIp',
  body: RemoveFloatingIpBody,
  evenLocked: true,
  until: 43,
  async run(ctx, server, { removeFloatingIp: { address } }, use) {
    await use(ServerFloatingIpsService).remove(ctx, server, address);
    return undefined;
  },
});

/**
 * What Nova once did for Xen's guests: Nova API reference, "Reset Networking On A Server (resetNetwork
 * Action) (DEPRECATED)", gone since 23.0.
 */
export const resetNetworkAction = defineAction({
  name: 'resetNetwork',
  body: bareBody('resetNetwork'),
  evenLocked: true,
  evenUnplaced: true,
  run: () => {
    const gone = new DomainError('gone', "The server action 'resetNetwork' was removed from Nova.");
    return Promise.reject(gone);
  },
});

/** Nova API reference, "Inject Network Information (injectNetworkInfo Action)": libvirt's driver does nothing. */
export const injectNetworkInfoAction = defineAction({
  name: 'injectNetworkInfo',
  body: bareBody('injectNetworkInfo'),
  role: 'admin',
  run: () => Promise.resolve(undefined),
});
