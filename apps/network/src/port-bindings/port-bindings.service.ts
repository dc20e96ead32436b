/**
 * The bindings of a port: an active one to its current host, and inactive ones to hosts that it may
 * move to, which receive its packets too. Public source: neutron, `plugins/ml2/plugin.py`.
 */
import { Injectable } from '@nestjs/common';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { equals } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { BadRequestError } from '@cumulet/common/resources/resource.errors';
import type { Port } from '../ports/port.entity.js';
import { PortNotFoundError } from '../ports/port.errors.js';
import { ports, visiblePorts } from '../ports/port.repository.js';
import { reapplyPort } from '../ports/apply-port.js';
import { PortBinding } from './port-binding.resource.js';
import * as errors from './port-binding.errors.js';
import * as resource from './port-binding.resource.js';
import type { BindingChange, NewBinding, ShownBinding } from './port-binding.resource.js';

const bindings = new Table(PortBinding, {
  missing: (key) => {
    const { portId = '', host = '' } = typeof key === 'string' ? {} : key;
    return new errors.PortBindingNotFoundError(portId, host);
  },
  refusals: {
    port_bindings_pkey: ({ portId = '', host = '' }) =>
      new errors.PortBindingAlreadyExistsError(portId, host),
  },
});

/** Device owners whose ports may have several bindings. */
const MOVING = ['compute:', 'manila:'];

@Injectable()
export class PortBindingsService {
  /** The active binding comes first. */
  async list(ctx: RequestContext, portId: string): Promise<ShownBinding[]> {
    const port = await movingPort(ctx, portId);
    const rows = await bindings.select(ctx, [equals('portId', portId)], 'ORDER BY host');
    return [resource.activeOf(port), ...rows.map((row) => resource.inactiveOf(port, row))];
  }

  /** @throws PortBindingNotFoundError */
  async get(ctx: RequestContext, portId: string, host: string): Promise<ShownBinding> {
    const found = (await this.list(ctx, portId)).find((one) => one.host === host);
    if (!found) throw new errors.PortBindingNotFoundError(portId, host);
    return found;
  }

  /** @throws PortBindingAlreadyExistsError */
  create(ctx: RequestContext, portId: string, body: NewBinding): Promise<ShownBinding> {
    const { host, vnicType, profile } = body;
    return this.change(ctx, portId, host, async (tx, port) => {
      if (host === port.hostId) throw new errors.PortBindingAlreadyExistsError(portId, host);
      await bindings.insert(tx, { portId, host, vnicType, profile });
      return {};
    });
  }

  /** @throws PortBindingNotFoundError */
  update(
    ctx: RequestContext,
    portId: string,
    host: string,
    { vnicType, profile }: BindingChange,
  ): Promise<ShownBinding> {
    return this.change(ctx, portId, host, async (tx, port) => {
      const next = { ...(vnicType && { vnicType }), ...(profile && { profile }) };
      if (host !== port.hostId) {
        await bindings.update(tx, { portId, host }, next);
        return {};
      }
      return { ...(vnicType && { vnicType }), ...(profile && { bindingProfile: profile }) };
    });
  }

  /** The former binding becomes inactive. @throws PortBindingAlreadyActiveError */
  activate(ctx: RequestContext, portId: string, host: string): Promise<ShownBinding> {
    return this.change(ctx, portId, host, async (tx, port) => {
      if (host === port.hostId) throw new errors.PortBindingAlreadyActiveError(portId, host);
      const { vnicType, profile } = await bindings.get(tx, { portId, host });
      await bindings.delete(tx, { portId, host });
      const before = { portId, host: port.hostId, vnicType: port.vnicType };
      if (port.hostId !== '')
        await bindings.insert(tx, { ...before, profile: port.bindingProfile });
      return { hostId: host, vnicType, bindingProfile: profile };
    });
  }

  /** @throws PortBindingNotFoundError */
  async remove(ctx: RequestContext, portId: string, host: string): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      const port = await lockPort(tx, portId);
      if (host !== port.hostId || host === '') await bindings.delete(tx, { portId, host });
      await save(tx, port, host === port.hostId ? { hostId: '', bindingProfile: {} } : {});
    });
  }

  /** @param work returns changes of the port itself */
  private change(
    ctx: RequestContext,
    portId: string,
    host: string,
    work: (tx: RequestContext, port: Port) => Promise<Partial<Port>>,
  ): Promise<ShownBinding> {
    return inTransaction(ctx, async (tx) => {
      const port = await lockPort(tx, portId);
      await save(tx, port, await work(tx, port));
      return this.get(tx, portId, host);
    });
  }
}

async function save(tx: RequestContext, port: Port, change: Partial<Port>): Promise<void> {
  await ports.revise(tx, port, change);
  await reapplyPort(tx, port);
}

async function lockPort(tx: RequestContext, id: string): Promise<Port> {
  await movingPort(tx, id);
  return ports.lock(tx, id);
}

/** @throws PortNotFoundError, BadRequestError for a port that is not a guest's */
async function movingPort(ctx: RequestContext, id: string): Promise<Port> {
  if (!isUuid(id)) throw new PortNotFoundError(id);
  const port = await ports.get(ctx, id, visiblePorts(ctx));
  if (MOVING.some((prefix) => port.deviceOwner.startsWith(prefix))) return port;
  throw new BadRequestError(
    'port',
    `Invalid port ${id}. Operation only valid on compute and shared filesystem ports`,
  );
}
