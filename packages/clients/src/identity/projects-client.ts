/** Public source: Keystone API reference, "Projects". */
import type { Actor } from '../http/actor.js';
import type { IdentityClientOptions } from '../http/credentials.js';
import { SisterClient } from '../http/service-client.js';
import { ServiceRefusedError } from '../http/service-client-errors.js';

export class ProjectsClient extends SisterClient {
  constructor({ identityUrl: baseUrl, credentials }: IdentityClientOptions) {
    super({
      service: 'identity',
      baseUrl,
      credentials,
      connections: 2,
    });
  }

  /**
   * Whether a project exists, as the actor sees it. As in Nova, one that it may not read counts as
   * existing.
   * @throws ServiceUnavailableError when identity is unreachable
   */
  async exists(actor: Actor, id: string): Promise<boolean> {
    const path = `/v3/projects/${encodeURIComponent(id)}`;
    try {
      await this.client.send({ actor, path });
      return true;
    } catch (error) {
      if (!(error instanceof ServiceRefusedError)) throw error;
      if (error.status === 403) return true;
      if ([400, 404].includes(error.status)) return false;
      throw error;
    }
  }
}
