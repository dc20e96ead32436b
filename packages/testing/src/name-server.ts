/**
 * A name server for tests: each name has an address of IPv4 for each process, as Docker's has for the replicas
 * of a service. Public source: RFC 1035, 4.
 */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const HEADER = 12;
const TYPE_A = 1;
const NAME_ERROR = 3;
/** A response to a query that asked for recursion, which is available. */
const FLAGS = 0x8180;

export class NameServer {
  /** Addresses by name; a name without an entry does not exist. */
  readonly names = new Map<string, readonly string[]>();

  private constructor(
    private readonly socket: Socket,
    /** `127.0.0.1:port` */
    readonly address: string,
  ) {}

  static async start(): Promise<NameServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const server = new NameServer(socket, `127.0.0.1:${socket.address().port}`);
    socket.on('message', (query, { port, address }) => {
      socket.send(server.#answer(query), port, address);
    });
    return server;
  }

  stop(): void {
    this.socket.close();
  }

  #answer(query: Buffer): Buffer {
    const { name, end } = nameIn(query);
    const known = this.names.get(name);
    const records = query.readUInt16BE(end) === TYPE_A ? (known ?? []).map(addressRecord) : [];
    const header = Buffer.alloc(HEADER);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(FLAGS | (known ? 0 : NAME_ERROR), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    return Buffer.concat([header, query.subarray(HEADER, end + 4), ...records]);
  }
}

/** The name that is asked for, and where it ends. */
function nameIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** Of the name in the question, for no longer than the answer. */
function addressRecord(address: string): Buffer {
  const head = [0xc0, HEADER, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4];
  return Buffer.from([...head, ...address.split('.').map(Number)]);
}
