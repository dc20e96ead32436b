import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import { HypervisorError } from '../../hypervisor-error.js';
import type { AgentsPort } from '../../hypervisor-driver.js';
import { AGENT_SOCKET, type GuestFolder, connectConsole } from '../guest-folder.js';
import type { GuestRegistry } from '../guest-registry.js';

/** Milliseconds that an agent may take to greet, and to do its work. */
const PATIENCE = { greetingMs: 5_000, workMs: 20_000 };

/** Throws `not-ready`, as its methods do, if no agent answers in time, or it refuses. */
export class GuestAgent {
  private constructor(
    private readonly connection: AgentConnection,
    private readonly workMs: number,
  ) {}

  /** Runs `work` once the agent has answered. */
  static async with<T>(
    folder: GuestFolder,
    work: (agent: GuestAgent) => Promise<T>,
    patience = PATIENCE,
  ): Promise<T> {
    const socket = await connectConsole(folder, AGENT_SOCKET);
    const connection = await AgentConnection.open(socket, patience.greetingMs);
    try {
      return await work(new GuestAgent(connection, patience.workMs));
    } finally {
      connection.close();
    }
  }

  async setPassword(username: string, password: string): Promise<void> {
    const encoded = Buffer.from(password).toString('base64');
    const args = { username, password: encoded, crypted: false };
    await this.#execute('guest-set-user-password', args);
  }

  /** Flushes the guest's writes, and holds new ones back until `thaw`. */
  async freeze(): Promise<void> {
    await this.#execute('guest-fsfreeze-freeze');
  }

  /** Does nothing if nothing is frozen. */
  async thaw(): Promise<void> {
    await this.#execute('guest-fsfreeze-thaw');
  }

  async #execute(command: string, args?: object): Promise<void> {
    try {
      await this.connection.execute(command, this.workMs, args);
    } catch (error) {
      if (!(error instanceof AgentRefusedError)) throw error;
      throw new HypervisorError('not-ready', 'The agent in the guest refuses.', error);
    }
  }
}

/** Makes both sides discard what they have read so far; JSON has no such byte. */
const DELIMITER = 0xff;
const MAX_BUFFERED_BYTES = 64 * 1024;
const LINE_END = 0x0a;

/** The agent answered with an error, whose text is the guest's. */
export class AgentRefusedError extends Error {}

interface Answer {
  readonly return?: unknown;
  readonly error?: { readonly desc?: unknown };
}

/**
 * A conversation with QEMU's guest agent ("QEMU Guest Agent Protocol Reference"), which belongs to
 * the guest: it may be another program, and say anything.
 *
 * Always holds: leftovers of an earlier client are skipped; every command is answered, refused or
 * timed out; input is bounded.
 */
export class AgentConnection {
  #heard = Buffer.alloc(0);
  #next: ((line: Buffer | undefined) => void) | undefined;
  #ended = false;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (data: Buffer) => this.#hear(data));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#ended = true;
      this.#next?.(undefined);
    });
  }

  /** Takes over the channel's socket. Throws `not-ready` if no agent answers in time. */
  static async open(socket: Socket, timeoutMs: number): Promise<AgentConnection> {
    const connection = new AgentConnection(socket);
    try {
      await connection.#synchronize(timeoutMs);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /**
   * One at a time.
   * @throws AgentRefusedError; HypervisorError `not-ready` without a timely answer
   */
  async execute(command: string, timeoutMs: number, args?: object): Promise<unknown> {
    this.#say({ execute: command, ...(args ? { arguments: args } : {}) });
    const answer = parsed(await this.#line(timeoutMs));
    if (answer?.error !== undefined) throw new AgentRefusedError(String(answer.error.desc));
    return answer?.return;
  }

  close(): void {
    this.socket.destroy();
  }

  /** Answers come in order: the one with this number is the first of ours. */
  async #synchronize(timeoutMs: number): Promise<void> {
    const end = Date.now() + timeoutMs;
    const id = randomInt(2 ** 31);
    this.socket.write(Buffer.of(DELIMITER));
    this.#say({ execute: 'guest-sync-delimited', arguments: { id } });
    for (;;) {
      const line = await this.#line(Math.max(end - Date.now(), 0));
      if (parsed(line.subarray(line.lastIndexOf(DELIMITER) + 1))?.return === id) return;
    }
  }

  #say(command: object): void {
    this.socket.write(`${JSON.stringify(command)}\n`);
  }

  #hear(data: Buffer): void {
    this.#heard = Buffer.concat([this.#heard, data]);
    const end = this.#heard.indexOf(LINE_END);
    if (end === -1 && this.#heard.length > MAX_BUFFERED_BYTES) this.socket.destroy();
    if (end === -1 || !this.#next) return;
    this.#next(this.#takeLine(end));
  }

  #takeLine(end: number): Buffer {
    const line = this.#heard.subarray(0, end);
    this.#heard = this.#heard.subarray(end + 1);
    return line;
  }

  #line(timeoutMs: number): Promise<Buffer> {
    const end = this.#heard.indexOf(LINE_END);
    if (end !== -1) return Promise.resolve(this.#takeLine(end));
    return new Promise((resolve, reject) => {
      const settle = (line: Buffer | undefined): void => {
        clearTimeout(timer);
        this.#next = undefined;
        if (line) resolve(line);
        else reject(noAnswer());
      };
      const timer = setTimeout(() => settle(undefined), timeoutMs);
      this.#next = settle;
      if (this.#ended) settle(undefined);
    });
  }
}

function parsed(line: Buffer): Answer | undefined {
  try {
    const value: unknown = JSON.parse(line.toString());
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function noAnswer(): HypervisorError {
  return new HypervisorError('not-ready', 'The agent in the guest does not answer.');
}

export class QemuAgents implements AgentsPort {
  constructor(private readonly registry: GuestRegistry) {}

  async setPassword(guestId: string, user: string, password: string): Promise<void> {
    const doing = 'The password could not be changed';
    await this.registry.inTurn(guestId, doing, async (machine, folder) => {
      // A stopped guest's agent would obey unnoticed once the guest resumes.
      if ((await machine.state()) !== 'running')
        throw new HypervisorError('not-ready', 'The server does not run.');
      await GuestAgent.with(folder, (agent) => agent.setPassword(user, password));
    });
  }
}
