/**
 * A host: the container in which switch, guests and HAProxy run, with a door at which the containers of its agents
 * come aboard (ADR 81). An agent's program runs in here, and belongs to its container: it ends with that, alone.
 *
 * Always holds: there is at most one agent of each kind. Whoever may open the door rules the host, so its socket is
 * for root and one group.
 */
import { chmod, chown, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { AgentKind } from '../door/agent-kinds.js';
import { DoorConnection, requireSocketPath } from '../door/door-connection.js';
import { ProtocolError } from '../door/frames.js';
import { PROTOCOL, readFromAgent, type Board } from '../door/messages.js';
import { buildIdOf } from '../door/program.js';
import { AgentProcess } from './agent-process.js';
import type { HostConfig } from './config.js';
import { lacksOf, readHostFacts, type Lacks } from './lacks.js';
import { ProgramStore } from './program-store.js';
import { DOOR, type Slot } from './slots.js';
import { environmentOf, tunnelAddress, tunnelDevice, type Place } from './surroundings.js';

/** For all that precedes the start of an agent's process: whoever stalls makes room. */
const BOARDING_MS = 120_000;
const MAX_CONNECTIONS = 256;

export interface HostEvents {
  readonly came: (kind: AgentKind, build: string) => void;
  readonly left: (kind: AgentKind, code: number) => void;
  readonly refused: (reason: string) => void;
}

interface Berth {
  readonly build: string;
  process?: AgentProcess;
}

export class Host {
  readonly #berths = new Map<AgentKind, Berth>();
  readonly #programs: ProgramStore;
  readonly #door: Server;
  readonly #open = new Set<Socket>();
  #isStopping = false;

  private constructor(
    private readonly slot: Slot,
    private readonly config: HostConfig,
    private readonly environment: Place['environment'],
    private readonly events: HostEvents,
  ) {
    this.#programs = new ProgramStore(join(slot.folder, 'programs'));
    this.#door = createServer((socket) => void this.#receive(socket));
    this.#door.maxConnections = MAX_CONNECTIONS;
  }

  /** @param environment the host's own @throws the system's error if the slot's folder cannot be written */
  static async open(
    slot: Slot,
    config: HostConfig,
    environment: Place['environment'],
    events: HostEvents,
  ): Promise<Host> {
    const host = new Host(slot, config, environment, events);
    await host.#programs.open();
    await host.#listen();
    return host;
  }

  get name(): string {
    return `${this.config.hostPrefix}${this.slot.number}`;
  }

  /** Why agents of a kind cannot run here. */
  async lacks(): Promise<Lacks> {
    return lacksOf(await readHostFacts());
  }

  /** Ends the agents, which are not told that they have ended: their containers look for another host. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#door.close();
    const grace = this.config.stopSeconds * 1_000;
    await Promise.all(
      [...this.#berths.values()].map(async ({ process: agent }) => agent?.end(grace)),
    );
    for (const socket of this.#open) socket.destroy();
    this.slot.lock.release();
  }

  async #listen(): Promise<void> {
    const path = requireSocketPath(join(this.slot.folder, DOOR));
    // An earlier host's: the slot's lock says that it is gone.
    await rm(path, { force: true });
    const before = process.umask(0o177);
    try {
      await new Promise<void>((resolve, reject) => {
        this.#door.once('error', reject);
        this.#door.listen(path, resolve);
      });
    } finally {
      process.umask(before);
    }
    const { agentsGroup } = this.config;
    if (process.geteuid?.() !== 0 || agentsGroup === undefined) return;
    await chown(path, 0, agentsGroup);
    await chmod(path, 0o660);
  }

  async #receive(socket: Socket): Promise<void> {
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    const door = new DoorConnection(socket);
    const deadline = setTimeout(() => socket.destroy(), BOARDING_MS);
    try {
      await door.sendMessage({
        type: 'greeting',
        protocol: PROTOCOL,
        host: this.name,
        address: this.config.address,
        agents: [...this.#berths.keys()],
        lacks: await this.lacks(),
      });
      const frame = await door.read();
      if (frame === undefined) return;
      if (frame.kind !== 'message') throw new ProtocolError('a message was expected');
      const message = readFromAgent(frame.body);
      if (message.type !== 'board') throw new ProtocolError('board was expected');
      await this.#board(message, door, () => clearTimeout(deadline));
    } catch (error) {
      const isTheirs = error instanceof ProtocolError;
      const reason = error instanceof Error ? error.message : String(error);
      this.events.refused(reason);
      await door.sendMessage({ type: 'refused', mayRetry: !isTheirs, reason });
    } finally {
      clearTimeout(deadline);
      door.close();
    }
  }

  async #board(board: Board, door: DoorConnection, started: () => void): Promise<void> {
    const { kind } = board;
    const reason =
      (this.#isStopping ? `${this.name} is stopping` : undefined) ??
      (await this.lacks())[kind] ??
      (this.#berths.has(kind) ? `${this.name} has an agent for ${kind}` : undefined);
    if (reason !== undefined) return door.sendMessage({ type: 'refused', mayRetry: true, reason });
    const berth: Berth = { build: buildIdOf(board.files) };
    this.#berths.set(kind, berth);
    try {
      await this.#bring(board, berth, door);
      started();
      if (berth.process) await this.#serve(kind, berth.process, door);
    } finally {
      this.#berths.delete(kind);
    }
  }

  /** Has the program here, and its process running, unless the connection ends before. */
  async #bring(board: Board, berth: Berth, door: DoorConnection): Promise<void> {
    if (!(await this.#programs.has(board.files))) {
      await door.sendMessage({ type: 'send' });
      await this.#programs.receive(board.files, door);
    }
    await this.#programs.keepOnly(new Set([...this.#berths.values()].map(({ build }) => build)));
    if (door.ended.aborted || this.#isStopping) return;
    berth.process = await AgentProcess.start({
      entry: join(this.#programs.folderOf(berth.build), board.entry),
      environment: environmentOf(board.kind, board.environment, this.#place()),
      folder: this.slot.folder,
      output: (stream, bytes) => door.send(stream, bytes),
    });
    this.events.came(board.kind, berth.build);
    await door.sendMessage({ type: 'started' });
  }

  /** Returns once the process has ended: by itself, by a signal that is passed on, or with the connection. */
  async #serve(kind: AgentKind, agent: AgentProcess, door: DoorConnection): Promise<void> {
    const passing = passSignals(door, agent).finally(() => agent.signal('SIGKILL'));
    // Judged where it is awaited, after the process has ended.
    passing.catch(() => undefined);
    const code = await agent.ended;
    this.events.left(kind, code);
    if (!this.#isStopping) await door.sendMessage({ type: 'exited', code });
    door.close();
    await passing;
  }

  #place(): Place {
    const { tunnelCidr, address } = this.config;
    const device = tunnelCidr && tunnelDevice(tunnelCidr, networkInterfaces());
    const tunnel =
      device === undefined || tunnelCidr === undefined
        ? undefined
        : { device, address: tunnelAddress(tunnelCidr, this.slot.number) };
    const { folder } = this.slot;
    return { host: this.name, folder, address, tunnel, environment: this.environment };
  }
}

/** Until the connection ends. @throws ProtocolError */
async function passSignals(door: DoorConnection, agent: AgentProcess): Promise<void> {
  for (;;) {
    const frame = await door.read();
    if (frame === undefined) return;
    if (frame.kind !== 'message') throw new ProtocolError('a message was expected');
    const message = readFromAgent(frame.body);
    if (message.type !== 'signal') throw new ProtocolError('signal was expected');
    agent.signal(message.signal);
  }
}
