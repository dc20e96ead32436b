import { expect, it } from '@jest/globals';
import type { NetworkClient } from '@cumulet/clients/network/network-client';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForeignAddressError } from '../node.errors.js';
import { NodePorts } from './node-ports.js';

const ctx = {} as RequestContext;

function portsWith(...addresses: string[]): NodePorts {
  const port = { addresses: addresses.map((address) => ({ subnetId: 'subnet', address })) };
  const ports = addresses.length > 0 ? [port] : [];
  return new NodePorts({ ports: () => Promise.resolve(ports) } as unknown as NetworkClient);
}

it.each([
  ['an address of its port', portsWith('10.0.0.5', '10.0.0.6')],
  ['any where it has no port', portsWith()],
])('a node may name %s', async (_, ports) => {
  await expect(ports.check(ctx, 'project', { name: 'node' }, '10.0.0.5')).resolves.toBeUndefined();
});

it("a node may not claim another's address", async () => {
  const check = portsWith('10.0.0.5').check(ctx, 'project', { name: 'node' }, '10.0.0.2');
  await expect(check).rejects.toThrow(ForeignAddressError);
});
