/**
 * A service's `main.ts`: starts it, reports a failure in one line, and stops on a signal. It waits for
 * its database, and is not ready meanwhile.
 */
import { forgetStart } from './forget-start.js';
import { MetricsServer } from './metrics-server.js';
import { startTracing } from '../observe/tracing.js';
import type { Service } from './define-service.js';
import { ServiceApp } from './service-app.js';
import { trustAuthorities } from '../http/tls.js';

export async function runService(
  service: Service,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  try {
    const config = service.load(env);
    trustAuthorities(config.authorities);
    const app = new ServiceApp(service, config, { waits: true });
    const stopTracing = await startTracing(config.otlpEndpoint, app.name);
    const statistics = new MetricsServer(() => [app.metrics], config);
    stopOnSignals(async () => {
      await app.stop(config.stopDelaySeconds);
      await statistics.close();
      await stopTracing();
    });
    const { metricsPort, metricsListenHost } = config;
    if (metricsPort !== undefined) await statistics.listen(metricsPort, metricsListenHost);
    await app.start();
    forgetStart();
  } catch (error) {
    fail(error);
  }
}

function stopOnSignals(stop: () => Promise<void>): void {
  const onSignal = (): void => void stop().then(() => process.exit(0), fail);
  process.once('SIGTERM', onSignal);
  process.once('SIGINT', onSignal);
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
