import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { Seal } from '@cumulet/common/crypto/seal';
import type { ComputeConfig } from './config.js';
import { FlavorsController } from './flavors/flavors.controller.js';
import { FlavorsService } from './flavors/flavors.service.js';
import { HostAgent } from './hosts/host-agent.js';
import { HostStatuses } from './hosts/host-statuses.js';
import { HostRepository } from './hosts/host.repository.js';
import { UnsupportedController } from './http/unsupported.controller.js';
import type { HypervisorDriver } from './hypervisor/hypervisor-driver.js';
import type { Images } from './images.port.js';
import { Placement } from './scheduler/placement.js';
import { ServerActionsController } from './servers/actions/server-actions.controller.js';
import { GuestConsole } from './servers/guest-console.js';
import { ListServers } from './servers/list-servers.js';
import { ServerReconciler } from './servers/server.reconciler.js';
import { ServerRepository } from './servers/server.repository.js';
import { ServersController } from './servers/servers.controller.js';
import { ServersService } from './servers/servers.service.js';
import { COMPUTE_CONFIG, HYPERVISOR, IMAGES, SEAL } from './injection-tokens.js';
import { VersionsController } from './versions/versions.controller.js';

export interface ComputeParts {
  readonly config: ComputeConfig;
  readonly images: Images;
  /** Absent where this process only answers requests. */
  readonly hypervisor: HypervisorDriver | undefined;
}

/** Every controller of the service: also what its route table is made of. */
export const computeControllers = [
  VersionsController,
  FlavorsController,
  ServersController,
  ServerActionsController,
  UnsupportedController,
];

@Module({})
export class ComputeModule {
  static with({ config, images, hypervisor }: ComputeParts): DynamicModule {
    const worker: Provider[] = hypervisor
      ? [{ provide: HYPERVISOR, useValue: hypervisor }, Placement, ServerReconciler, HostAgent]
      : [];
    return {
      module: ComputeModule,
      controllers: computeControllers,
      providers: [
        { provide: COMPUTE_CONFIG, useValue: config },
        { provide: IMAGES, useValue: images },
        { provide: SEAL, useValue: new Seal(config.secretKey) },
        FlavorsService,
        GuestConsole,
        HostRepository,
        HostStatuses,
        ListServers,
        ServerRepository,
        ServersService,
        ...worker,
      ],
    };
  }
}
