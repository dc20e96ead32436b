/**
 * Where a network's packets travel: what an administrator asked for, or else a tunnel.
 * Public source: neutron, `plugins/ml2/drivers/type_{flat,vlan,geneve,local}.py`.
 */
import { InvalidInputError } from '@cumulet/common/resources/resource.errors';
import type { Network, NetworkType } from './network.entity.js';
import type { NewNetwork } from './network.resource.js';

export type Segment = Pick<Network, 'networkType' | 'physicalNetwork'> & {
  /** Undefined for the next tunnel that is free. */
  readonly segmentationId: number | null | undefined;
};

const MAX_VLAN = 4094;

/**
 * @param known the physical networks that there are
 * @throws InvalidInputError for attributes that do not go together
 */
export function segmentOf(body: NewNetwork, known: readonly string[]): Segment {
  const physicalNetwork = body['provider:physical_network'] ?? null;
  const segmentationId = body['provider:segmentation_id'] ?? undefined;
  const networkType = body['provider:network_type'];
  if (networkType === undefined) {
    if (physicalNetwork !== null || segmentationId !== undefined)
      throw new InvalidInputError('network_type required');
    return { networkType: 'geneve', physicalNetwork: null, segmentationId: undefined };
  }
  const isPhysical = networkType === 'flat' || networkType === 'vlan';
  if (isPhysical && physicalNetwork === null)
    throw new InvalidInputError(`physical_network required for ${networkType} provider network`);
  if (!isPhysical && physicalNetwork !== null) throw prohibited('physical_network', networkType);
  if (physicalNetwork !== null && !known.includes(physicalNetwork)) {
    throw new InvalidInputError(
      `physical_network '${physicalNetwork}' unknown for ${networkType} provider network`,
    );
  }
  return { networkType, physicalNetwork, segmentationId: numberOf(networkType, segmentationId) };
}

function numberOf(type: NetworkType, given: number | undefined): number | null | undefined {
  switch (type) {
    case 'flat':
    case 'local':
      if (given !== undefined) throw prohibited('segmentation_id', type);
      return null;
    case 'vlan':
      if (given === undefined || given < 1 || given > MAX_VLAN) {
        throw new InvalidInputError(
          `segmentation_id '${given ?? 'None'}' is not one of 1 to ${MAX_VLAN}, as a vlan provider network requires`,
        );
      }
      return given;
    case 'geneve':
      if (given === 0) throw new InvalidInputError("segmentation_id '0' is no tunnel");
      return given;
  }
}

function prohibited(attribute: string, type: NetworkType): InvalidInputError {
  return new InvalidInputError(`${attribute} prohibited for ${type} provider network`);
}
