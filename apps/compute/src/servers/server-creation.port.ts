import type { RequestContext } from '@cumulet/common/context/request-context';
import type { CreateServerDto } from './server.dto.js';
import type { ServerId } from './server.entity.js';

export interface CreatedServers {
  readonly ids: readonly ServerId[];
  readonly reservationId: string;
  readonly adminPassword: string;
}

/** Makes servers. It needs their networks, groups and hosts, which stand on servers: see server-creation/. */
export abstract class ServerCreation {
  abstract create(
    ctx: RequestContext,
    dto: CreateServerDto,
    hints?: Readonly<Record<string, unknown>>,
  ): Promise<CreatedServers>;
}
