/** Restarts a server that dies without having been asked to. */
import { ClusterError } from './cluster-error.js';
import type { Postmaster } from './postmaster.js';

export interface KeptServer {
  /** The server's process id; it changes with each restart. */
  pid(): number;
  /**
   * Resolves, with the reason, only if a server that died could not be restarted: from then on there
   * is none.
   */
  readonly lost: Promise<ClusterError>;
  /** Disconnects all clients, writes all to disk and ends the server. May be called again. */
  stop(): Promise<void>;
}

/** One that dies more often than this starts again after a pause, which spares the machine. */
const DEATHS_WITHOUT_PAUSE = 3;
const DEATHS_WINDOW_MS = 60_000;
const PAUSE_MS = 2_000;

/**
 * @param first the running server
 * @param restart starts its successor, in the same place
 * @param log gets a line for each restart
 */
export function keepRunning(
  first: Postmaster,
  restart: () => Promise<Postmaster>,
  log: (line: string) => void,
): KeptServer {
  let current = first;
  let stopping = false;
  const isStopping = (): boolean => stopping;

  /** @returns why there is no server any more, or nothing if it was stopped */
  async function watch(): Promise<ClusterError | undefined> {
    let deaths: number[] = [];
    for (;;) {
      const how = await current.ended;
      if (isStopping()) return undefined;
      const now = performance.now();
      deaths = [...deaths.filter((each) => now - each < DEATHS_WINDOW_MS), now];
      const keepsDying = deaths.length > DEATHS_WITHOUT_PAUSE;
      log(`Postgres ${keepsDying ? 'keeps dying' : 'died'} (${how}); starting it again`);
      if (keepsDying) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (isStopping()) return undefined;
      try {
        current = await restart();
      } catch (error) {
        return error instanceof ClusterError ? error : new ClusterError(String(error));
      }
      // Requested during the restart, when there was nothing to stop.
      if (isStopping()) void current.stop();
    }
  }

  const watched = watch();
  return {
    pid: () => current.pid,
    lost: new Promise((resolve) => {
      void watched.then((reason) => {
        if (reason) resolve(reason);
      });
    }),
    async stop() {
      stopping = true;
      await current.stop();
      await watched;
    },
  };
}
