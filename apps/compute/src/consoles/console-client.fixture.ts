/** A client of consoles: its output so far, and whether it is connected. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { eventually } from '@cumulet/testing/settle';

export class ConsoleClient {
  received = Buffer.alloc(0);

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      this.received = Buffer.concat([this.received, data]);
    });
  }

  /** @param url of a WebSocket */
  static async open(url: string): Promise<ConsoleClient> {
    const socket = new WebSocket(url, ['binary']);
    const client = new ConsoleClient(socket);
    await once(socket, 'open');
    return client;
  }

  get text(): string {
    return this.received.toString('latin1');
  }

  type(text: string): void {
    this.socket.send(Buffer.from(text, 'latin1'));
  }

  async shows(text: string): Promise<void> {
    await eventually(`the console shows '${text}'`, () => this.text.includes(text));
  }

  async closed(): Promise<void> {
    if (this.socket.readyState !== WebSocket.CLOSED) await once(this.socket, 'close');
  }

  close(): void {
    this.socket.close();
  }
}
