/** Connections that are open at the same time, by whom they are of. */
import type { Socket } from 'node:net';

export class ConnectionSlots {
  readonly #open = new Map<string, number>();

  /** @param limit of each */
  constructor(private readonly limit: number) {}

  /** Counts the connection until it is closed. @returns false for one too many, which is closed */
  take(of: string, socket: Socket): boolean {
    const open = this.#open.get(of) ?? 0;
    if (open >= this.limit) {
      socket.destroy();
      return false;
    }
    this.#open.set(of, open + 1);
    socket.once('close', () => this.#give(of));
    return true;
  }

  #give(of: string): void {
    const open = (this.#open.get(of) ?? 1) - 1;
    if (open > 0) this.#open.set(of, open);
    else this.#open.delete(of);
  }
}
