import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { ResourceService } from '../resource/resource.service.js';
import type { AskedSubport } from './subport-body.js';
import { addSubports, lockPorts, refuseUsed, removeSubports } from './subports.js';
import { Trunk } from './trunk.entity.js';
import * as errors from './trunk.errors.js';
import { trunkResource, type NewTrunk } from './trunk.resource.js';
import type { TrunkAttributes } from './trunk.resource.js';
import { resourceTable } from '../resource/resource.table.js';

export const trunks = resourceTable(Trunk, errors.TrunkNotFoundError, {
  trunks_port_key: ({ portId }) => new errors.ParentPortInUseError(portId ?? ''),
});

@Injectable()
export class TrunksService extends ResourceService<Trunk, TrunkAttributes> {
  protected readonly resource = trunkResource;
  protected readonly table = trunks;

  /** Locks ports in a fixed order, so that concurrent requests do not deadlock. */
  protected override async prepare(tx: RequestContext, bodies: readonly NewTrunk[]): Promise<void> {
    await lockPorts(tx, [...new Set(bodies.flatMap(portsOf))]);
  }

  protected override async make(tx: RequestContext, body: NewTrunk): Promise<Trunk> {
    const { subPorts: asked, ...rest } = body;
    const portId = body.portId.toLowerCase();
    const locked = await lockPorts(tx, [...new Set(portsOf(body))]);
    await refuseUsed(tx, portId);
    const trunk = await trunks.insert(tx, {
      ...this.columnsOf(rest),
      id: randomUUID(),
      projectId: tx.projectId,
      portId,
    });
    const parent = locked.find(({ id }) => id === portId);
    if (parent) await addSubports(tx, trunk, parent, asked, locked);
    return trunks.get(tx, trunk.id);
  }

  /** Its subports become ordinary ports again. */
  protected override async erase(tx: RequestContext, trunk: Trunk): Promise<void> {
    refuseDisabled(trunk);
    await removeSubports(tx, trunk.id, idsOf(trunk.subPorts));
    await trunks.delete(tx, trunk.id);
  }

  /** @throws TrunkDisabledError, TrunkInErrorStateError @throws as `addSubports` */
  addSubports(ctx: RequestContext, id: string, asked: readonly AskedSubport[]): Promise<Trunk> {
    return inTransaction(ctx, async (tx) => {
      const trunk = await this.lockOwn(tx, id, 'update');
      refuseDisabled(trunk);
      if (trunk.status === 'ERROR') throw new errors.TrunkInErrorStateError(trunk.id);
      const locked = await lockPorts(tx, [...new Set([trunk.portId, ...idsOf(asked)])]);
      const parent = locked.find((port) => port.id === trunk.portId);
      if (parent) await addSubports(tx, trunk, parent, asked, locked);
      return this.save(tx, trunk, {});
    });
  }

  /** @throws TrunkDisabledError @throws SubPortNotFoundError for a port that is not in it */
  removeSubports(ctx: RequestContext, id: string, asked: readonly AskedSubport[]): Promise<Trunk> {
    return inTransaction(ctx, async (tx) => {
      const trunk = await this.lockOwn(tx, id, 'update');
      refuseDisabled(trunk);
      await removeSubports(tx, trunk.id, idsOf(asked));
      return this.save(tx, trunk, {});
    });
  }
}

function portsOf({ portId, subPorts: asked }: NewTrunk): string[] {
  return [portId.toLowerCase(), ...idsOf(asked)];
}

function idsOf(subports: readonly Pick<AskedSubport, 'port_id'>[]): string[] {
  return subports.map(({ port_id: id }) => id);
}

function refuseDisabled({ id, adminStateUp }: Trunk): void {
  if (!adminStateUp) throw new errors.TrunkDisabledError(id);
}
