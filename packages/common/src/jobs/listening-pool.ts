/**
 * The pool that the library gets. It listens on a connection of its own for each of its runners;
 * here all of a process listen on that of its liveness, which is there anyway.
 */
import type pg from 'pg';
import type { Listener, Liveness } from './liveness.js';

/** How the library asks for the connection that it listens on, and for no other. */
type Listen = (error: undefined, client: Listener, release: () => void) => void;

/** @param onListening called whenever notifications are heard from now on */
export function listeningPool(pool: pg.Pool, liveness: Liveness, onListening: () => void): pg.Pool {
  const listen = async (listening: Listen): Promise<void> => {
    const client = await liveness.listener();
    if (client) listening(undefined, shared(client, onListening), () => undefined);
  };
  // What the library uses of a pool.
  return {
    options: pool.options,
    query: pool.query.bind(pool),
    on: pool.on.bind(pool),
    removeListener: pool.removeListener.bind(pool),
    connect: (listening?: Listen) => (listening ? void listen(listening) : pool.connect()),
  } as unknown as pg.Pool;
}

/** When one stops to listen, others may go on. */
function shared(client: Listener, onListening: () => void): Listener {
  return {
    ...client,
    async query(text) {
      if (text.startsWith('UNLISTEN')) return;
      await client.query(text);
      onListening();
    },
  };
}
