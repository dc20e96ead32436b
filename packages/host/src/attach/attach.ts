/**
 * Brings an agent aboard a host: finds a host without an agent of its kind, hands over program and settings, passes
 * on output and signals, and looks for a host again when that one is gone.
 */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentKind } from '../door/agent-kinds.js';
import { openDoor, readMessage, type DoorConnection } from '../door/door-connection.js';
import { ProtocolError, type Frame } from '../door/frames.js';
import {
  PROTOCOL,
  readFromHost,
  type AgentSignal,
  type Environment,
  type Greeting,
} from '../door/messages.js';
import type { ProgramFile } from '../door/program.js';
import { DOOR, MAX_SLOTS } from '../host/slots.js';

const LOOK_MS = 500;
const GREETING_MS = 5_000;

export interface Agent {
  readonly kind: AgentKind;
  readonly entry: string;
  readonly environment: Environment;
  /** The folder of the program. */
  readonly folder: string;
  readonly files: readonly ProgramFile[];
}

export interface AttachEvents {
  readonly aboard: (host: string) => void;
  readonly lost: (host: string) => void;
  /** Called when the reason changes. */
  readonly waiting: (reason: string) => void;
  readonly output: (stream: 'stdout' | 'stderr', bytes: Buffer) => Promise<void>;
}

/** A host refuses the agent for good. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

export class Attach {
  readonly #stopping = new AbortController();
  #aboard: { readonly greeting: Greeting; readonly door: DoorConnection } | undefined;
  #slot = 1;
  #reason = 'It is starting';

  constructor(
    private readonly agent: Agent,
    private readonly hostsDir: string,
    private readonly events: AttachEvents,
  ) {}

  /** The host that the agent's process runs on. */
  get host(): Greeting | undefined {
    return this.#aboard?.greeting;
  }

  /** Why the agent is not aboard. */
  get reason(): string {
    return this.#reason;
  }

  /** Passed on to the agent; without one, ends the search. */
  async signal(signal: AgentSignal): Promise<void> {
    if (this.#aboard) await this.#aboard.door.sendMessage({ type: 'signal', signal });
    else this.#stopping.abort();
  }

  /** @returns the agent's exit code, 0 if it was stopped before @throws RefusedError */
  async run(): Promise<number> {
    while (!this.#stopping.signal.aborted) {
      const code = await this.#search();
      if (code !== undefined) return code;
      await delay(LOOK_MS, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    }
    return 0;
  }

  /** Once around, beginning with the last host. */
  async #search(): Promise<number | undefined> {
    const reasons: string[] = [];
    for (const slot of slotsFrom(this.#slot)) {
      if (this.#stopping.signal.aborted) return undefined;
      const door = await openDoor(join(this.hostsDir, String(slot), DOOR)).catch(failure);
      if (typeof door === 'string') {
        // Most slots have no host; others are why this one is not found.
        if (door !== '') reasons.push(`slot ${slot}: ${door}`);
        continue;
      }
      try {
        const result = await this.#board(door, slot);
        if (typeof result === 'number') return result;
        if (result === undefined) return undefined;
        reasons.push(result);
      } finally {
        door.close();
      }
    }
    this.#waits(
      reasons.length > 0
        ? `No host takes an agent for ${this.agent.kind}: ${reasons.join('; ')}`
        : `There is no host in ${this.hostsDir}`,
    );
    return undefined;
  }

  /** @returns the exit code; undefined once the host is lost; or why this host does not take the agent */
  async #board(door: DoorConnection, slot: number): Promise<number | string | undefined> {
    const { kind, entry, environment, files } = this.agent;
    const greeting = await greetingOf(door);
    if (typeof greeting === 'string') return `slot ${slot}: ${greeting}`;
    const { host, agents, lacks } = greeting;
    if (agents.includes(kind)) return `${host} has one`;
    const lack = lacks[kind];
    if (lack !== undefined) return `${host}: ${lack}`;
    await door.sendMessage({ type: 'board', protocol: PROTOCOL, kind, entry, environment, files });
    let answer = await readMessage(door);
    if (answer?.type === 'send') {
      await this.#send(door);
      answer = await readMessage(door);
    }
    if (answer === undefined) return `${host} is gone`;
    switch (answer.type) {
      case 'started':
        return this.#stay(door, greeting, slot);
      case 'refused':
        if (!answer.mayRetry) throw new RefusedError(`${host}: ${answer.reason}`);
        return `${host}: ${answer.reason}`;
      default:
        throw new ProtocolError(`${answer.type} was not expected`);
    }
  }

  async #send(door: DoorConnection): Promise<void> {
    for (const { path } of this.agent.files)
      for await (const bytes of createReadStream(join(this.agent.folder, path)))
        await door.send('file', bytes as Buffer);
  }

  async #stay(door: DoorConnection, greeting: Greeting, slot: number): Promise<number | undefined> {
    this.#slot = slot;
    this.#aboard = { greeting, door };
    this.events.aboard(greeting.host);
    try {
      // Asked to stop while it came aboard.
      if (this.#stopping.signal.aborted) await this.signal('SIGTERM');
      for (;;) {
        const frame = await door.read();
        if (frame === undefined) break;
        if (frame.kind === 'message') return exitCodeIn(frame);
        if (frame.kind === 'file') throw new ProtocolError('a file was not expected');
        await this.events.output(frame.kind, frame.body);
      }
    } finally {
      this.#aboard = undefined;
    }
    this.#reason = `${greeting.host} is gone`;
    this.events.lost(greeting.host);
    return undefined;
  }

  #waits(reason: string): void {
    if (reason !== this.#reason) this.events.waiting(reason);
    this.#reason = reason;
  }
}

/** All slots, beginning with one. */
function slotsFrom(first: number): number[] {
  return Array.from({ length: MAX_SLOTS }, (_, index) => ((first - 1 + index) % MAX_SLOTS) + 1);
}

/** @returns why there is none */
async function greetingOf(door: DoorConnection): Promise<Greeting | string> {
  const late = setTimeout(() => door.close(), GREETING_MS);
  try {
    const greeting = await readMessage(door);
    if (greeting?.type === 'greeting') return greeting;
    return greeting ? 'it does not greet' : 'it does not answer';
  } catch (error) {
    if (error instanceof ProtocolError) return error.message;
    throw error;
  } finally {
    clearTimeout(late);
  }
}

function exitCodeIn({ body }: Frame): number {
  const message = readFromHost(body);
  if (message.type === 'exited') return message.code;
  if (message.type === 'refused') throw new RefusedError(message.reason);
  throw new ProtocolError(`${message.type} was not expected`);
}

/** A slot without a host says nothing: no socket, or one that a killed host has left. */
function failure(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? 'it cannot be reached';
  return ['ENOENT', 'ECONNREFUSED', 'ENOTDIR'].includes(code) ? '' : code;
}
