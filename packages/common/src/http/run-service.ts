/** The whole of a service's `main.ts`: start, say why not in one line, and stop on a signal. */
import { startTracing } from '../observe/tracing.js';
import type { ServiceApp } from './service-app.js';

export interface RunOptions<Config> {
  /** @throws SettingError naming the variable that is missing or bad */
  readonly load: () => Config;
  readonly create: (config: Config) => Promise<ServiceApp> | ServiceApp;
}

export async function runService<Config extends { readonly otlpEndpoint: string | undefined }>({
  load,
  create,
}: RunOptions<Config>): Promise<void> {
  try {
    const config = load();
    const app = await create(config);
    const stopTracing = await startTracing(config.otlpEndpoint, app.name);
    stopOnSignals(async () => {
      await app.stop();
      await stopTracing();
    });
    await app.start();
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
