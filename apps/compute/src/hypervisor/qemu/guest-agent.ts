/** What QEMU's agent does in a guest. */
import { HypervisorError } from '../hypervisor-error.js';
import { AgentConnection, AgentRefusedError } from './agent-connection.js';
import { AGENT_SOCKET, type GuestFolder } from './guest-folder.js';
import { connectConsole } from './guest-socket.js';

/** How long an agent may take to say that it is there, and to do its work, in milliseconds. */
const PATIENCE = { greetingMs: 5_000, workMs: 20_000 };

/** Throws `not-ready`, like its methods, if no agent answers in time, or it refuses. */
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

  /** Has the guest write all that it holds back, and write nothing more to its disks until `thaw`. */
  async freeze(): Promise<void> {
    await this.#execute('guest-fsfreeze-freeze');
  }

  /** Does nothing where nothing is frozen. */
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
