import type { RequestContext } from '@cumulet/common/context/request-context';
import type { CreateServerDto } from './server.dto.js';
import type { ServerId } from './server.entity.js';

export interface CreatedServers {
  readonly ids: readonly ServerId[];
  readonly reservationId: string;
  readonly adminPassword: string;
}

/** Creates servers: implemented by server-creation/, which needs networks, groups and hosts. */
export abstract class ServerCreation {
  abstract create(
    ctx: RequestContext,
    dto: CreateServerDto,
    hints?: Readonly<Record<string, unknown>>,
  ): Promise<CreatedServers>;
}
