/**
 * The guests' network: a learning Ethernet switch. A hub does not work, since QEMU's router answers
 * for every address that it sees. Each port is a TCP connection of a QEMU, with length-prefixed
 * frames (QEMU, "-netdev socket").
 */
import { createServer } from 'node:net';

const HEAD = 4;
const ADDRESS = 6;

export class Switch {
  #ports = new Set();
  #learned = new Map();
  #server = createServer((port) => this.#join(port));

  /** @returns the TCP port for a QEMU */
  async listen() {
    await new Promise((done) => this.#server.listen(0, '127.0.0.1', done));
    return this.#server.address().port;
  }

  close() {
    this.#server.close();
    for (const port of this.#ports) port.destroy();
  }

  #join(port) {
    this.#ports.add(port);
    port.setNoDelay(true);
    port.on('error', () => port.destroy());
    port.on('close', () => this.#ports.delete(port));
    let rest = Buffer.alloc(0);
    port.on('data', (chunk) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      while (rest.length >= HEAD && rest.length >= HEAD + rest.readUInt32BE(0)) {
        const end = HEAD + rest.readUInt32BE(0);
        this.#forward(port, rest.subarray(0, end));
        rest = rest.subarray(end);
      }
    });
  }

  /** @param frame with its length before it */
  #forward(from, frame) {
    const address = (at) => frame.toString('hex', HEAD + at, HEAD + at + ADDRESS);
    this.#learned.set(address(ADDRESS), from);
    const to = this.#learned.get(address(0));
    if (to !== undefined && this.#ports.has(to)) {
      if (to !== from) to.write(frame);
      return;
    }
    for (const port of this.#ports) if (port !== from) port.write(frame);
  }
}
