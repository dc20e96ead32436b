/**
 * The engine of this process: by its settings or, with `auto`, by the cloud's hypervisors, which
 * are queried on first use. On simulated servers no node would boot.
 */
import { Inject, Injectable } from '@nestjs/common';
import { ComputeClient } from '@cumulet/clients/compute/compute-client';
import { asService } from '@cumulet/clients/http/actor';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { LateChoice } from '@cumulet/common/service/chosen-driver';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import type { Logger } from 'pino';
import type { ClustersConfig } from '../config.js';
import type { ClusterEngine } from './cluster-engine.js';
import { SimulatedEngine } from './simulated-engine.js';
import { StackEngine } from './stack-engine.js';

@Injectable()
export class ChosenEngine extends LateChoice {
  readonly kind = 'clusters';
  #chosen: ClusterEngine | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<ClustersConfig, 'engine'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'info'>,
    private readonly stacks: StackEngine,
    private readonly simulated: SimulatedEngine,
    private readonly compute: ComputeClient,
  ) {
    super();
  }

  /** @throws ServiceUnavailableError with `auto`, if compute does not answer */
  async of(ctx: RequestContext): Promise<ClusterEngine> {
    if (this.#chosen) return this.#chosen;
    const { engine } = this.config;
    if (engine !== 'auto') return engine === 'stacks' ? this.stacks : this.simulated;
    const types = await this.compute.hypervisorTypes(asService(ctx));
    const areSimulated = types.length > 0 && types.every((type) => type === 'simulated');
    const chosen = areSimulated ? this.simulated : this.stacks;
    // A cloud without hypervisors may get either kind later.
    if (types.length === 0) return chosen;
    this.logger.info(
      { hypervisors: types, engine: chosen.description },
      'chose the engine of clusters',
    );
    this.#chosen = chosen;
    return chosen;
  }

  async reason(ctx: RequestContext): Promise<string> {
    try {
      const { description } = await this.of(ctx);
      return `${description} (${this.#why()})`;
    } catch (error) {
      if (error instanceof DomainError) return `not chosen yet: ${error.message}`;
      throw error;
    }
  }

  #why(): string {
    if (this.config.engine !== 'auto') return 'the settings ask for it';
    if (this.#chosen === this.simulated) return 'all hypervisors are simulated';
    return this.#chosen ? 'there is a hypervisor for them' : 'until a hypervisor is there';
  }
}
