import type { HostDescription, HostPort } from '../ports/host.port.js';
import type { SimulatedShare } from './simulated-share.js';

export class SimulatedHost implements HostPort {
  constructor(private readonly share: SimulatedShare) {}

  async describe(): Promise<HostDescription> {
    await this.share.faults.before('describe');
    return {
      type: 'simulated',
      version: '1.0.0',
      accelerator: 'none',
      why: 'no guest really runs',
      ...this.share.resources,
    };
  }
}
