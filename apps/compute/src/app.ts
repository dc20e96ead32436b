/** Compute as a function: the only way to build the service. */
import type { Logger } from 'pino';
import { keystoneChallenge } from '@cumulet/common/auth/challenge';
import { RevocationLoop } from '@cumulet/common/auth/revocation-loop';
import { TokenVerifier, type TokenAuthority } from '@cumulet/common/auth/token-verifier';
import { newRequestId } from '@cumulet/common/http/request-id';
import { createHttpApp } from '@cumulet/common/http/create-http-app';
import { ServiceApp } from '@cumulet/common/http/service-app';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Worker } from '@cumulet/common/jobs/worker';
import { createLogger } from '@cumulet/common/observe/logger';
import { Metrics } from '@cumulet/common/observe/metrics';
import { deadWorkerSweep, reconcilerSweep } from '@cumulet/common/reconcile/reconciler-sweep';
import { reconcilerTask } from '@cumulet/common/reconcile/task';
import { HttpTokenAuthority } from '@cumulet/clients/identity/http-token-authority';
import { ServiceTokenSource } from '@cumulet/clients/identity/service-token-source';
import { ImagesClient } from '@cumulet/clients/images/images-client';
import { ComputeModule } from './compute.module.js';
import type { ComputeConfig } from './config.js';
import { createComputeDataSource } from './database/compute-data-source.js';
import { computeEnvelope } from './error-envelope.js';
import { HostAgent } from './hosts/host-agent.js';
import { rewriteComputeUrl } from './http/rewrite-url.js';
import { chooseHypervisor, type ChosenHypervisor } from './hypervisor/choose-hypervisor.js';
import type { Images } from './images.port.js';
import { ServerReconciler } from './servers/server.reconciler.js';
import { taskOfHost, UNPLACED } from './servers/server.tasks.js';
import { COMPUTE_VERSIONS } from './versions/microversions.js';

export interface ComputeOverrides {
  readonly logger?: Logger;
  readonly authority?: TokenAuthority;
  readonly images?: Images;
  readonly hypervisor?: ChosenHypervisor;
  /** False where another server hands the requests over. */
  readonly listen?: boolean;
}

export interface ComputeApp {
  readonly app: ServiceApp;
  /** Which hypervisor driver runs here and why; absent in a process that only answers requests. */
  readonly hypervisor: ChosenHypervisor | undefined;
}

/** @throws HypervisorError when QEMU is asked for and is not there */
export async function createComputeApp(
  config: ComputeConfig,
  overrides: ComputeOverrides = {},
): Promise<ComputeApp> {
  const logger = overrides.logger ?? createLogger('compute', config.logLevel);
  const hypervisor = await hypervisorOf(config, overrides);
  const dataSource = createComputeDataSource(config.databaseUrl, config.databasePoolSize);
  const metrics = new Metrics('compute');
  const sisters = sistersOf(config, overrides);
  const verifier = new TokenVerifier(sisters.authority);
  const revocations = new RevocationLoop(verifier, logger, config.revocationRefresh);
  const app: ServiceApp = new ServiceApp({
    name: 'compute',
    role: config.role,
    dataSource,
    listen: overrides.listen === false ? undefined : { host: config.listenHost, port: config.port },
    prepare: () => {
      revocations.start();
      return Promise.resolve();
    },
    http: () =>
      createHttpApp({
        service: 'compute',
        title: 'Cumulet compute (Nova v2.1)',
        serviceType: 'compute',
        module: ComputeModule.with({
          config,
          images: sisters.images,
          hypervisor: hypervisor?.driver,
        }),
        envelope: computeEnvelope,
        challenge: () => keystoneChallenge(config),
        verifier,
        dataSource,
        metrics,
        logger,
        publicUrl: config.publicUrl,
        requestIdAlias: 'X-Compute-Request-Id',
        microversions: COMPUTE_VERSIONS,
        rewriteUrl: rewriteComputeUrl,
      }),
    worker: () => createWorker({ config, app, logger, metrics }),
    stopAlso: async () => {
      await revocations.stop();
      await sisters.close();
    },
  });
  return { app, hypervisor };
}

async function hypervisorOf(
  config: ComputeConfig,
  overrides: ComputeOverrides,
): Promise<ChosenHypervisor | undefined> {
  if (config.role === 'api') return undefined;
  if (overrides.hypervisor) return overrides.hypervisor;
  const { dataDir, consoleBytes, accelerator, searchPath } = config;
  return chooseHypervisor({
    driver: config.hypervisor,
    dataDir,
    consoleBytes,
    accelerator,
    searchPath,
  });
}

interface Sisters {
  readonly authority: TokenAuthority;
  readonly images: Images;
  close(): Promise<void>;
}

/** The services that compute calls, as itself and on behalf of its callers. */
function sistersOf(config: ComputeConfig, overrides: ComputeOverrides): Sisters {
  const { identityUrl, servicePassword, imagesUrl } = config;
  const tokens = new ServiceTokenSource({
    identityUrl,
    user: 'compute',
    password: servicePassword,
  });
  const authority = new HttpTokenAuthority({ identityUrl, tokens });
  const client = new ImagesClient({ imagesUrl, tokens });
  return {
    authority: overrides.authority ?? authority,
    images: overrides.images ?? client,
    close: async () => {
      await Promise.all([client.close(), authority.close(), tokens.close()]);
    },
  };
}

interface WorkerParts {
  readonly config: ComputeConfig;
  readonly app: ServiceApp;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

function createWorker({ config, app, logger, metrics }: WorkerParts): Worker {
  const { dataSource } = app;
  const reconciler = app.nest.get(ServerReconciler);
  const agent = app.nest.get(HostAgent);
  const task = reconcilerTask(reconciler, { dataSource, logger, metrics });
  return new Worker({
    dataSource,
    logger,
    concurrency: config.concurrency,
    tasks: { [UNPLACED]: task, [taskOfHost(config.host)]: task },
    sweeps: [deadWorkerSweep(logger), reconcilerSweep(reconciler, logger), ...agent.sweeps()],
    // Placement is about to be asked for: the host must be known before the first job is taken.
    before: () => agent.report(RequestContext.system(newRequestId(), dataSource.manager)),
  });
}
