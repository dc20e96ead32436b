import { Injectable } from '@nestjs/common';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { InvalidInputError, notFound } from '@cumulet/common/errors/domain-error';
import { equals } from '@cumulet/common/tables/condition';
import { hosts } from '../hosts/host.repository.js';
import type { Host } from '../hosts/host.entity.js';
import {
  HostBinaryNotFoundError,
  NoComputeServiceError,
  NotAUuidError,
  ServiceInUseError,
  ServiceNotFoundError,
} from '../hosts/host.errors.js';
import { ServerRepository } from '../servers/server.repository.js';
import { versionOf } from '../versions/microversions.js';
import {
  COMPUTE,
  computeServiceOf,
  cloudServiceWith,
  servicesOf,
  type Service,
} from '../hosts/host-services.js';
import type { ListServicesQuery, UpdateServiceBody, NamedServiceBody } from './service.dto.js';

/** An administrator's decision about a host. */
type Decision = Partial<Pick<Host, 'enabled' | 'disabledReason' | 'forcedDown'>>;

/** Public source: Nova API reference, "Compute services (os-services)". */
@Injectable()
export class ServicesService {
  constructor(private readonly servers: ServerRepository) {}

  /** Oldest first. */
  async list(ctx: RequestContext, asked: ListServicesQuery): Promise<Service[]> {
    const { host = '', binary = '' } = asked;
    return servicesOf(await hosts.select(ctx, [], 'ORDER BY number')).filter(
      (service) =>
        (host === '' || service.name === host) && (binary === '' || service.binary === binary),
    );
  }

  /** @throws HostBinaryNotFoundError */
  async decide(ctx: RequestContext, name: string, decision: Decision): Promise<Host> {
    if (!(await hosts.find(ctx, { name }))) throw new HostBinaryNotFoundError(name, COMPUTE);
    return hosts.update(ctx, { name }, decision);
  }

  /** @throws ServiceNotFoundError, NotAUuidError, NoComputeServiceError */
  async update(ctx: RequestContext, id: string, body: UpdateServiceBody): Promise<Service> {
    if (!isUuid(id)) throw new NotAUuidError(id);
    const cloudService = cloudServiceWith({ serviceId: id });
    if (cloudService) throw new NoComputeServiceError(cloudService.binary);
    const host = await hosts.find(ctx, { serviceId: id });
    if (!host) throw new ServiceNotFoundError(id);
    return computeServiceOf(await this.decide(ctx, host.name, decisionOf(body)));
  }

  /**
   * A running agent returns with new IDs.
   * @throws ServiceNotFoundError, ServiceInUseError, NotAUuidError
   */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    const key = keyOf(ctx, id);
    if (cloudServiceWith(key)) return;
    await inTransaction(ctx, async (tx) => {
      const found = await hosts.find(tx, key);
      if (!found) throw new ServiceNotFoundError(id);
      // Placements lock the host, so no server can come between the check and the delete.
      const { name } = await hosts.lock(tx, { name: found.name });
      if (await this.servers.has(tx, [equals('host', name)])) throw new ServiceInUseError();
      await hosts.delete(tx, { name });
    });
  }
}

/** @throws InvalidInputError if nothing changes, or an enabled service gets a reason */
function decisionOf({ status, disabled_reason: reason, forced_down }: UpdateServiceBody): Decision {
  if (status === undefined && forced_down === undefined)
    throw new InvalidInputError(
      "No updates were requested. Fields 'status' or 'forced_down' should be specified.",
    );
  if (status === 'enabled' && reason !== undefined)
    throw new InvalidInputError("Specifying 'disabled_reason' with status 'enabled' is invalid.");
  return {
    ...(forced_down === undefined ? {} : { forcedDown: forced_down }),
    ...(status === 'enabled' ? { enabled: true, disabledReason: null } : {}),
    ...(status === 'disabled' ? { enabled: false, disabledReason: reason ?? null } : {}),
  };
}

/** A UUID since 2.53, a number before. */
function keyOf(ctx: RequestContext, id: string): Partial<Host> {
  if (versionOf(ctx).atLeast(53)) {
    if (isUuid(id)) return { serviceId: id };
    throw new NotAUuidError(id);
  }
  if (/^\d{1,9}$/.test(id)) return { number: Number(id) };
  throw new InvalidInputError(`Invalid input received: id must be an integer`);
}

/** The change that `PUT /os-services/{action}` names, until microversion 2.52. */
interface NamedChange {
  readonly set: Partial<Host>;
  /** The answer's cloudService. */
  readonly shown: object;
}

class UnknownActionError extends notFound('Unknown action') {}

interface Action {
  /** The minor microversion that introduced it. */
  readonly since?: number;
  readonly of: (body: NamedServiceBody) => NamedChange;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  enable: {
    of: () => ({ set: { enabled: true, disabledReason: null }, shown: { status: 'enabled' } }),
  },
  disable: {
    of: () => ({ set: { enabled: false, disabledReason: null }, shown: { status: 'disabled' } }),
  },
  'disable-log-reason': {
    of: ({ disabled_reason: reason }) => {
      if (reason === undefined) throw new InvalidInputError('Missing disabled reason field');
      return {
        set: { enabled: false, disabledReason: reason },
        shown: { status: 'disabled', disabled_reason: reason },
      };
    },
  },
  'force-down': {
    since: 11,
    of: ({ forced_down: down }) => {
      if (down === undefined) throw new InvalidInputError('Missing forced_down field');
      return { set: { forcedDown: down }, shown: { forced_down: down } };
    },
  },
};

/** @throws UnknownActionError of another version; InvalidInputError if a property is missing */
export function namedChangeOf(
  ctx: RequestContext,
  name: string,
  body: NamedServiceBody,
): NamedChange {
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (!action || !versionOf(ctx).atLeast(action.since ?? 1)) throw new UnknownActionError();
  return action.of(body);
}
