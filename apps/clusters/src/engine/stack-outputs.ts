import type { StackOutput } from '@cumulet/clients/orchestration/stack-wire';
import { UnavailableError } from '@cumulet/common/errors/domain-error';
import type { NodeAddresses } from '../nodes/node-rows.js';
import type { InfrastructureOutputs } from './cluster-engine.js';

interface WireNode {
  readonly server_id: string;
  readonly address: string | null;
  readonly public_address?: string | null;
}

/** @throws UnavailableError where an output cannot be told now */
export function outputsOf(outputs: ReadonlyMap<string, StackOutput>): InfrastructureOutputs {
  const text = (name: string): string => {
    const output = outputs.get(name);
    if (typeof output?.value === 'string') return output.value;
    throw new UnavailableError(
      `The stack does not tell ${name}${output?.error === undefined ? '' : `: ${output.error}`}.`,
    );
  };
  const nodes = (outputs.get('nodes')?.value ?? {}) as Readonly<Record<string, WireNode>>;
  return {
    apiAddress: text('api_address'),
    apiPublicAddress: text('api_public_address') || null,
    networkId: text('network_id'),
    subnetId: text('subnet_id'),
    nodes: new Map(Object.entries(nodes).map(([name, node]) => [name, addressesOf(node)])),
  };
}

function addressesOf({ server_id, address, public_address = null }: WireNode): NodeAddresses {
  return { serverId: server_id, address: address || null, publicAddress: public_address || null };
}
