/** Whether the network service has OVN, without which nobody is offered it. */
import { Inject, Injectable } from '@nestjs/common';
import { asService } from '@cumulet/clients/http/actor';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { NETWORKS, type Networks } from '../vip/networks.port.js';

/** How long an answer holds, in milliseconds: clouds seldom change their data plane. */
const HOLDS_MS = { yes: 60_000, no: 5_000 };

/** A host's switch in userspace, which OVN alone has. */
const DATAPATH = 'netdev';

@Injectable()
export class OvnOffer {
  #known = { isThere: false, until: -Infinity };

  constructor(@Inject(NETWORKS) private readonly networks: Pick<Networks, 'agents'>) {}

  /** As it was last known while the network service does not answer. */
  async isThere(ctx: RequestContext): Promise<boolean> {
    const now = performance.now();
    if (now < this.#known.until) return this.#known.isThere;
    let { isThere } = this.#known;
    try {
      const agents = await this.networks.agents(asService(ctx));
      isThere = agents.some(({ datapathType }) => datapathType === DATAPATH);
    } catch {
      // The next one asks again.
    }
    this.#known = { isThere, until: now + (isThere ? HOLDS_MS.yes : HOLDS_MS.no) };
    return isThere;
  }
}
