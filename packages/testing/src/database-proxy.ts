/** A connection to Postgres that a test can cut and restore, to take a service's database away. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export class DatabaseProxy {
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  readonly #target: URL;

  /** @param target the address of a database, over TCP */
  constructor(target: string) {
    this.#target = new URL(target);
  }

  static async to(url: string): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(url);
    await proxy.mend();
    return proxy;
  }

  /** The database, through this connection once it was restored. */
  get url(): string {
    const url = new URL(this.#target);
    if (this.#port === 0) return url.href;
    url.hostname = '127.0.0.1';
    url.port = String(this.#port);
    return url.href;
  }

  /** Ends every connection, and refuses new ones. @throws Error if none goes through this wire */
  async cut(): Promise<void> {
    if (this.#port === 0) throw new Error('No connection goes through this wire');
    const server = this.#server;
    this.#server = undefined;
    const closed = new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async mend(): Promise<void> {
    const server = createServer((near) => this.#join(near));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
  }

  #join(near: Socket): void {
    const far = connect(Number(this.#target.port), this.#target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
  }
}
