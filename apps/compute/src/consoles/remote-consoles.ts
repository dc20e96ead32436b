import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Server } from '../servers/server.entity.js';
import { ServerStateConflictError } from '../servers/server.errors.js';
import { statusOf } from '../servers/server-status.js';
import type { ConsoleType } from './console-token.entity.js';
import { ConsoleTokens } from './console-tokens.js';
import { InstanceNotReadyError } from './console.errors.js';
import { consoleUrl } from './console-urls.js';

/** Of the guests' machines: running and paused (Nova API guide, "Server concepts"). */
const POWERED: readonly number[] = [1, 3];

/** What messages call it, as Nova does. */
const VERBS: Readonly<Record<ConsoleType, string>> = {
  novnc: 'get_vnc_console',
  serial: 'get_serial_console',
};

/** Lets a client open a server's console in a browser. */
@Injectable()
export class RemoteConsoles {
  constructor(private readonly tokens: ConsoleTokens) {}

  /**
   * @returns the URL with its token
   * @throws InstanceNotReadyError where no host has the server; ServerStateConflictError where it
   *   has no machine
   */
  async offer(ctx: RequestContext, server: Server, type: ConsoleType): Promise<string> {
    if (server.host === null) throw new InstanceNotReadyError(server.id);
    const { vmState, powerState } = statusOf(server);
    if (!POWERED.includes(powerState) && vmState !== 'error')
      throw new ServerStateConflictError(VERBS[type], server.id, 'vm_state', vmState);
    return consoleUrl(ctx.baseUrl, type, await this.tokens.issue(ctx, server.id, type));
  }
}
