/** Which trunk a port is of. Whoever asks has locked the port: it gets into none meanwhile. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import * as errors from './trunk.errors.js';

export interface TrunkOf {
  readonly id: string;
  readonly as: 'parent' | 'subport';
}

export async function trunkOf(tx: RequestContext, portId: string): Promise<TrunkOf | undefined> {
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
