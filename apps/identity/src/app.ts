/** The identity service. This is the only way to build one: main.ts, standalone and tests call it. */
import type { Logger } from 'pino';
import { RevocationLoop } from '@cumulet/common/auth/revocation-loop';
import { TokenVerifier, type TokenAuthority } from '@cumulet/common/auth/token-verifier';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Seal } from '@cumulet/common/crypto/seal';
import { createHttpApp, type HttpApp } from '@cumulet/common/http/create-http-app';
import { newRequestId } from '@cumulet/common/http/request-id';
import { ServiceApp } from '@cumulet/common/http/service-app';
import { SweepLoop } from '@cumulet/common/jobs/sweep';
import { createLogger } from '@cumulet/common/observe/logger';
import { Metrics } from '@cumulet/common/observe/metrics';
import { bootstrap } from './bootstrap/bootstrap.js';
import type { IdentityConfig } from './config.js';
import { createIdentityDataSource } from './database/identity-data-source.js';
import { identityEnvelope } from './error-envelope.js';
import { IdentityModule } from './identity.module.js';
import { loginFailuresSweep } from './passwords/login-failures.sweep.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { revocationSweep } from './revocations/revocation.sweep.js';
import { Keyring } from './signing-keys/keyring.js';
import { keyRotationSweep, keyringSweep } from './signing-keys/signing-keys.sweep.js';
import { LocalTokenAuthority } from './signing-keys/local-token-authority.js';

export interface IdentityOverrides {
  readonly logger?: Logger;
  readonly passwords?: PasswordHasher;
  /** Whose tokens are taken, in place of those that this service signs. */
  readonly authority?: TokenAuthority;
  /** False where another server hands the requests over. */
  readonly listen?: boolean;
}

export function createIdentityApp(
  config: IdentityConfig,
  overrides: IdentityOverrides = {},
): ServiceApp {
  const logger = overrides.logger ?? createLogger('identity', config.logLevel);
  const passwords =
    overrides.passwords ??
    new PasswordHasher({ memoryKib: config.passwordMemory, passes: config.passwordPasses });
  const dataSource = createIdentityDataSource(config.databaseUrl, config.databasePoolSize);
  const verifier = new TokenVerifier(overrides.authority ?? new LocalTokenAuthority(dataSource));
  const seal = new Seal(config.secretKey);
  const keyring = new Keyring(seal);
  const revocations = new RevocationLoop(verifier, logger, config.revocationRefresh);
  // Identity has no jobs, only sweeps; any replica that may work runs them.
  const sweeps = new SweepLoop(dataSource, logger, [
    revocationSweep(config.expiredTokenWindow),
    keyRotationSweep(config, seal),
    loginFailuresSweep(config.lockoutSeconds),
  ]);

  // What every process keeps up, the API's too.
  const upkeep = new SweepLoop(dataSource, logger, [
    keyringSweep(keyring, config.revocationRefresh),
  ]);

  return new ServiceApp({
    name: 'identity',
    role: config.role,
    dataSource,
    prepare: async () => {
      const ctx = RequestContext.system(newRequestId(), dataSource.manager);
      await bootstrap(ctx, { config, passwords, seal, logger });
      await keyring.load(ctx);
      revocations.start();
      upkeep.start();
      if (config.role !== 'api') sweeps.start();
    },
    http: (): Promise<HttpApp> =>
      createHttpApp({
        service: 'identity',
        title: 'Cumulet identity (Keystone v3)',
        serviceType: 'identity',
        module: IdentityModule.with({ config, keyring, passwords, seal, verifier }),
        envelope: identityEnvelope,
        challenge: (baseUrl) => `Keystone uri="${baseUrl}/v3"`,
        vary: ['X-Auth-Token'],
        verifier,
        dataSource,
        metrics: new Metrics('identity'),
        logger,
        publicUrl: config.publicUrl,
      }),
    listen: overrides.listen === false ? undefined : { host: config.listenHost, port: config.port },
    stopAlso: async () => {
      await revocations.stop();
      await upkeep.stop();
      await sweeps.stop();
    },
  });
}
