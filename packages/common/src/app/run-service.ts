/**
 * A service's `main.ts`: starts it, reports a failure in one line, and stops on a signal. It waits for
 * its database, and is not ready meanwhile.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MetricsServer } from './metrics-server.js';
import { startTracing } from '../observe/tracing.js';
import type { Service } from './define-service.js';
import { ServiceApp } from './service-app.js';
import { trustAuthorities } from '../tls/tls.js';

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

/** Milliseconds after the start, when what it has begun is over. */
const GARBAGE_MS = 5_000;

/**
 * Gives back the memory of a start, by a pause of some 0.1 s. A third of the heap is garbage then, which
 * V8 collects only once it needs room; an idle process would keep it for ever.
 */
function forgetStart(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    collect();
  }, GARBAGE_MS).unref();
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
