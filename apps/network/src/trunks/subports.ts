/**
 * Adds ports to a trunk and removes them. Public source: neutron, `services/trunk/rules.py` and
 * `services/trunk/drivers/ovn/trunk_driver.py`.
 *
 * An existing trunk is locked before its ports, and ports in the order of their IDs.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Table } from '@cumulet/common/tables/table';
import { InvalidInputError } from '@cumulet/common/resources/resource.errors';
import { preparedRows } from '@cumulet/common/database/rows';
import { networks } from '../networks/networks.service.js';
import type { Port } from '../ports/port.entity.js';
import { PortInUseError, PortNotFoundError } from '../ports/port.errors.js';
import { ports, visiblePorts } from '../ports/port.repository.js';
import { reapplyPort } from '../ports/apply-port.js';
import { withoutSegmentation, type AskedSubport } from './subport-body.js';
import { Subport } from './trunk.entity.js';
import * as errors from './trunk.errors.js';

export const SUBPORT_OWNER = 'trunk:subport';
const MAX_VLAN = 4094;

export const subports = new Table(Subport, {
  missing: (key) =>
    new errors.SubPortNotFoundError(
      typeof key === 'string' ? key : (key.portId ?? ''),
      typeof key === 'string' ? '' : (key.trunkId ?? ''),
    ),
  refusals: {
    subports_segmentation_key: ({ segmentationType, segmentationId, trunkId }) =>
      new errors.DuplicateSubPortError(segmentationType ?? '', segmentationId ?? 0, trunkId ?? ''),
  },
});

/** Locks ports. @throws PortNotFoundError */
export async function lockPorts(tx: RequestContext, ids: readonly string[]): Promise<Port[]> {
  const found = await ports.lockAll(tx, ids, visiblePorts(tx));
  const missing = ids.find((id) => !found.some((port) => port.id === id));
  if (missing !== undefined) throw new PortNotFoundError(missing);
  return found;
}

/** @throws TrunkPortInUseError, ParentPortInUseError */
export async function refuseUsed(tx: RequestContext, portId: string): Promise<void> {
  const trunk = await trunkOf(tx, portId);
  if (trunk?.as === 'subport') throw new errors.TrunkPortInUseError(portId);
  if (trunk?.as === 'parent') throw new errors.ParentPortInUseError(portId);
}

/**
 * @param parent the trunk's port
 * @param locked contains all requested ports
 * @throws Neutron's class for a port that cannot be a subport
 */
export async function addSubports(
  tx: RequestContext,
  trunk: { readonly id: string; readonly portId: string },
  parent: Port,
  asked: readonly AskedSubport[],
  locked: readonly Port[],
): Promise<void> {
  const { mtu } = await networks.get(tx, parent.networkId);
  for (const one of asked) {
    const port = locked.find(({ id }) => id === one.port_id);
    if (!port) throw new PortNotFoundError(one.port_id);
    if (port.id === trunk.portId) throw new errors.ParentPortInUseError(port.id);
    const network = await networks.get(tx, port.networkId);
    if (network.mtu > mtu) {
      throw new errors.SubPortMtuGreaterThanTrunkPortMtuError(
        port.id,
        network.mtu,
        trunk.portId,
        mtu,
      );
    }
    const segmentation = segmentationOf(one, network);
    await refuseUsed(tx, port.id);
    if (port.deviceId !== '') throw new PortInUseError(port.id, port.networkId, port.deviceId);
    await subports.insert(tx, { portId: port.id, trunkId: trunk.id, ...segmentation });
    const profile = { parent_name: trunk.portId, tag: segmentation.segmentationId };
    const bindingProfile = { ...port.bindingProfile, ...profile };
    await change(tx, port, { deviceOwner: SUBPORT_OWNER, bindingProfile });
  }
}

/** @throws SubPortNotFoundError for a port that is not in this trunk */
export async function removeSubports(
  tx: RequestContext,
  trunkId: string,
  portIds: readonly string[],
): Promise<void> {
  const own = await ports.lockAll(tx, portIds);
  for (const portId of portIds) {
    const port = own.find(({ id }) => id === portId);
    if (!port) throw new errors.SubPortNotFoundError(portId, trunkId);
    await subports.delete(tx, { portId, trunkId });
    const { parent_name: _, tag: __, ...bindingProfile } = port.bindingProfile;
    await change(tx, port, { deviceOwner: '', bindingProfile });
  }
}

async function change(tx: RequestContext, port: Port, columns: Partial<Port>): Promise<void> {
  await ports.revise(tx, port, columns);
  await reapplyPort(tx, port);
}

function segmentationOf(
  asked: AskedSubport,
  network: { readonly networkType: string; readonly segmentationId: number | null },
): Pick<Subport, 'segmentationType' | 'segmentationId'> {
  const isInherited = asked.segmentation_type === 'inherit';
  const type = isInherited ? network.networkType : asked.segmentation_type;
  const id = isInherited ? network.segmentationId : asked.segmentation_id;
  if (type === undefined || id == null) throw new InvalidInputError(withoutSegmentation(asked));
  if (type !== 'vlan') throw new InvalidInputError(`Unknown segmentation_type '${type}'`);
  if (id < 1 || id > MAX_VLAN)
    throw new InvalidInputError(`Segmentation ID '${id}' is not in range`);
  return { segmentationType: type, segmentationId: id };
}

interface TrunkOf {
  readonly id: string;
  readonly as: 'parent' | 'subport';
}

/** The trunk of a port, which is locked, so that it cannot be added to another one. */
async function trunkOf(tx: RequestContext, portId: string): Promise<TrunkOf | undefined> {
  const [row] = await preparedRows<TrunkOf>(
    tx.manager,
    `SELECT trunk_id AS id, 'subport' AS "as" FROM subports WHERE port_id = $1
      UNION ALL
     SELECT id, 'parent' FROM trunks WHERE port_id = $1`,
    [portId],
  );
  return row;
}

/** @throws PortInUseAsSubPortError, PortInUseAsTrunkParentError */
export async function refuseIfTrunked(tx: RequestContext, portId: string): Promise<void> {
  const trunk = await trunkOf(tx, portId);
  if (trunk?.as === 'subport') throw new errors.PortInUseAsSubPortError(portId, trunk.id);
  if (trunk?.as === 'parent') throw new errors.PortInUseAsTrunkParentError(portId, trunk.id);
}
