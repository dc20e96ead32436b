import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Server } from '../servers/server.entity.js';
import { ServerStateConflictError } from '../servers/server.errors.js';
import { statusOf } from '../servers/server-status.js';
import type { CreateConsoleDto } from './console.dto.js';
import { typeOf } from './console-offers.js';
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
   * In Nova's order: the host, the type, the machine.
   * @returns the URL with its token
   * @throws InstanceNotReadyError where no host has the server; ConsoleTypeUnavailableError or
   *   ConsoleTypeInvalidError for what guests do not have here; ServerStateConflictError where it has
   *   no machine
   */
  async offer(ctx: RequestContext, server: Server, asked: CreateConsoleDto): Promise<string> {
    if (server.host === null) throw new InstanceNotReadyError(server.id);
    const type = typeOf(asked);
    const { vmState, powerState } = statusOf(server);
    if (!POWERED.includes(powerState) && vmState !== 'error')
      throw new ServerStateConflictError(VERBS[type], server.id, 'vm_state', vmState);
    return consoleUrl(ctx.baseUrl, type, await this.tokens.issue(ctx, server.id, type));
  }
}
