/** A fake agent at the other end of a guest's channel. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { AGENT_SOCKET, guestFolder, type GuestFolder } from '../guest-folder.js';

export interface AgentCommand {
  readonly execute: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** The answer to a command; undefined for none. By default `{}`. */
export type Answer = (command: AgentCommand) => object | undefined;

export class FakeAgent {
  readonly heard: AgentCommand[] = [];
  answer: Answer = () => ({ return: {} });
  /** Output that an earlier client has not read. */
  leftOver = '';
  readonly #server: Server;
  readonly #clients = new Set<Socket>();

  private constructor(
    private readonly root: string,
    readonly folder: GuestFolder,
  ) {
    this.#server = createServer((client) => this.#serve(client));
  }

  static async start(): Promise<FakeAgent> {
    const root = await mkdtemp(join(tmpdir(), 'cumulet-agent-'));
    const folder = guestFolder(root, '1c0ffee1-0000-4000-8000-000000000003');
    await mkdir(folder.monitor, { recursive: true });
    const agent = new FakeAgent(root, folder);
    agent.#server.listen(join(folder.path, AGENT_SOCKET));
    await once(agent.#server, 'listening');
    return agent;
  }

  get commands(): string[] {
    return this.heard.map(({ execute }) => execute);
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.root, { recursive: true, force: true });
  }

  #serve(client: Socket): void {
    this.#clients.add(client);
    client.on('error', () => undefined).write(this.leftOver);
    let text = '';
    client.setEncoding('latin1').on('data', (data: string) => {
      const lines = (text + data).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) this.#hear(client, line);
    });
  }

  #hear(client: Socket, line: string): void {
    const command = JSON.parse(line.slice(line.lastIndexOf('\xff') + 1)) as AgentCommand;
    const isGreeting = command.execute === 'guest-sync-delimited';
    if (!isGreeting) this.heard.push(command);
    const answer = this.answer(command);
    if (answer === undefined) return;
    if (isGreeting)
      client.write(`\xff${JSON.stringify({ return: command.arguments?.['id'] })}\n`, 'latin1');
    else client.write(`${JSON.stringify(answer)}\n`);
  }
}
