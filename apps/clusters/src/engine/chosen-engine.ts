/**
 * The engine that this process works with. Which one follows from its settings; or, where they leave
 * it open, from the cloud's hypervisors, which are asked once they are needed: on simulated servers no
 * node would ever boot.
 */
import { Inject, Injectable } from '@nestjs/common';
import { ComputeClient } from '@cumulet/clients/compute/compute-client';
import { asService } from '@cumulet/clients/http/actor';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import type { Logger } from 'pino';
import type { ClustersConfig } from '../config.js';
import type { ClusterEngine } from './cluster-engine.js';
import { SimulatedEngine } from './simulated-engine.js';
import { StackEngine } from './stack-engine.js';

@Injectable()
export class ChosenEngine {
  #chosen: ClusterEngine | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<ClustersConfig, 'engine'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'info'>,
    private readonly stacks: StackEngine,
    private readonly simulated: SimulatedEngine,
    private readonly compute: ComputeClient,
  ) {}

  /** @throws ServiceUnavailableError where it depends on compute, and that does not answer */
  async of(ctx: RequestContext): Promise<ClusterEngine> {
    this.#chosen ??= await this.#choose(ctx);
    return this.#chosen;
  }

  async #choose(ctx: RequestContext): Promise<ClusterEngine> {
    const { engine } = this.config;
    if (engine !== 'auto') return engine === 'stacks' ? this.stacks : this.simulated;
    const types = await this.compute.hypervisorTypes(asService(ctx));
    const areSimulated = types.length > 0 && types.every((type) => type === 'simulated');
    const chosen = areSimulated ? this.simulated : this.stacks;
    this.logger.info(
      { hypervisors: types, engine: chosen.description },
      'chose what clusters are made of',
    );
    return chosen;
  }
}
