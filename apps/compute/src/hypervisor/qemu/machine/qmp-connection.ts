/**
 * A conversation over QEMU's monitor socket ("QEMU Machine Protocol Specification"). QEMU serves
 * one client at a time, so whoever has the connection also holds the guest, across processes:
 * conversations are short.
 *
 * Always holds: every command is answered, refused or timed out; output is bounded, since a guest
 * may control QEMU.
 */
import { connect, type Socket } from 'node:net';

/**
 * - `unreachable`: nobody listens (any more), or another client keeps QEMU busy for too long.
 * - `refused`: QEMU answered the command with an error.
 * - `no-answer`: QEMU is there but did not answer in time, or disconnected.
 */
type QmpFailure = 'unreachable' | 'refused' | 'no-answer';

export class QmpError extends Error {
  constructor(
    readonly failure: QmpFailure,
    message: string,
  ) {
    super(message);
    this.name = 'QmpError';
  }
}

interface QmpMessage {
  readonly QMP?: unknown;
  readonly return?: unknown;
  readonly error?: { readonly class: string; readonly desc: string };
}

interface Waiting {
  resolve(message: QmpMessage): void;
  reject(error: QmpError): void;
}

const MAX_BUFFERED_CHARACTERS = 16 * 1024 * 1024;

export class QmpConnection {
  private buffered = '';
  private waiting: Waiting | undefined;
  private closed: QmpError | undefined;

  private constructor(
    private readonly socket: Socket,
    private readonly timeoutMs: number,
  ) {
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => this.receive(text));
    socket.on('error', (error) => this.fail(new QmpError('unreachable', error.message)));
    socket.on('close', () => this.fail(new QmpError('no-answer', 'QEMU closed the connection')));
  }

  /** Enters command mode. @param timeoutMs bounds the greeting and each command */
  static async open(socketPath: string, timeoutMs: number): Promise<QmpConnection> {
    const connection = new QmpConnection(connect(socketPath), timeoutMs);
    try {
      await connection.next('the greeting', 'unreachable');
      await connection.execute('qmp_capabilities');
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Await a command before running another. */
  async execute(command: string, args?: Record<string, unknown>): Promise<unknown> {
    if (this.closed !== undefined) throw this.closed;
    const answer = this.next(command, 'no-answer');
    this.socket.write(`${JSON.stringify({ execute: command, arguments: args })}\n`);
    const { error, return: result } = await answer;
    if (error !== undefined) throw new QmpError('refused', error.desc);
    return result;
  }

  close(): void {
    this.socket.destroy();
  }

  private next(what: string, onTimeout: QmpFailure): Promise<QmpMessage> {
    return new Promise((resolve, reject) => {
      if (this.closed !== undefined) {
        reject(this.closed);
        return;
      }
      const timer = setTimeout(
        () => this.fail(new QmpError(onTimeout, `no answer to ${what}`)),
        this.timeoutMs,
      );
      const settle = (): void => {
        clearTimeout(timer);
        this.waiting = undefined;
      };
      this.waiting = {
        resolve: (message) => {
          settle();
          resolve(message);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      };
    });
  }

  private receive(text: string): void {
    // Earlier data has no line end, and is not searched again.
    const [end = '', ...next] = text.split('\n');
    this.buffered += end;
    if (this.buffered.length > MAX_BUFFERED_CHARACTERS) {
      this.fail(new QmpError('no-answer', 'QEMU sent more than an answer can hold'));
      return;
    }
    for (const begin of next) {
      this.receiveLine(this.buffered);
      this.buffered = begin;
    }
  }

  private receiveLine(line: string): void {
    if (line.trim() === '') return;
    let message: QmpMessage;
    try {
      message = JSON.parse(line) as QmpMessage;
    } catch {
      this.fail(new QmpError('no-answer', 'QEMU sent what is not JSON'));
      return;
    }
    // Events are ignored: the driver queries states instead.
    if ('QMP' in message || 'return' in message || 'error' in message) {
      this.waiting?.resolve(message);
    }
  }

  private fail(error: QmpError): void {
    this.closed ??= error;
    this.waiting?.reject(this.closed);
    this.socket.destroy();
  }
}
