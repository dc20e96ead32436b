/** A page in headless Chromium, driven by the Chrome DevTools Protocol, with its own profile. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findProgram } from '@cumulet/common/programs/find-program';
import { eventually } from '@cumulet/testing/settle';
import { WebSocket } from 'ws';

const PROGRAMS = ['chromium', 'google-chrome'];

const OPTIONS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-extensions',
  '--disable-background-networking',
  '--no-proxy-server',
  '--window-size=1024,768',
  '--remote-debugging-port=0',
];

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

export class Browser {
  #lastId = 0;
  #sessionId: string | undefined;
  readonly #waiting = new Map<number, (message: Message) => void>();

  private constructor(
    private readonly process: ChildProcess,
    private readonly socket: WebSocket,
    private readonly profile: string,
  ) {
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Message;
      if (message.id !== undefined) this.#waiting.get(message.id)?.(message);
    });
  }

  /** @param searchPath the value of PATH. Throws if there is no Chromium. */
  static async start(searchPath = ''): Promise<Browser> {
    const profile = await mkdtemp(join(tmpdir(), 'cumulet-browser-'));
    const options = [...OPTIONS, `--user-data-dir=${profile}`, 'about:blank'];
    const found = await Promise.all(PROGRAMS.map((name) => findProgram(name, searchPath)));
    const program = found.find((one) => one !== undefined) ?? 'chromium';
    const child = spawn(program, options, { stdio: ['ignore', 'ignore', 'pipe'] });
    const address = await Promise.race([listening(child), failed(child)]);
    const socket = new WebSocket(address);
    await once(socket, 'open');
    return new Browser(child, socket, profile);
  }

  /** Opens a page, which later calls use. */
  async open(url: string): Promise<void> {
    this.#sessionId = undefined;
    const { targetId } = (await this.#send('Target.createTarget', { url })) as Record<
      string,
      string
    >;
    const params = { targetId, flatten: true };
    const attached = (await this.#send('Target.attachToTarget', params)) as { sessionId: string };
    this.#sessionId = attached.sessionId;
    // Only the page in focus receives keys.
    await this.#send('Emulation.setFocusEmulationEnabled', { enabled: true });
  }

  /** The value of an expression in the page; undefined if it throws. */
  async valueOf(expression: string): Promise<unknown> {
    const answer = await this.#send('Runtime.evaluate', { expression, returnByValue: true });
    return (answer as { result: { value?: unknown } }).result.value;
  }

  /** Waits until an expression is true; a failure says what the page shows. */
  async until(expression: string): Promise<void> {
    try {
      await eventually(expression, async () => (await this.valueOf(expression)) === true);
    } catch (cause) {
      const shown = await this.valueOf('`${location.href}: ${document.body.innerText}`');
      throw new Error(`${expression} did not come true at ${String(shown)}`, { cause });
    }
  }

  /** Presses the keys of a text: lower-case letters, digits, spaces, and Enter for line ends. */
  async type(text: string): Promise<void> {
    for (const character of text) {
      const key = character === '\n' ? ENTER : keyOf(character);
      await this.#send('Input.dispatchKeyEvent', { type: 'keyDown', ...key });
      await this.#send('Input.dispatchKeyEvent', { type: 'keyUp', ...key, text: undefined });
    }
  }

  async close(): Promise<void> {
    const exited = this.process.exitCode === null ? once(this.process, 'exit') : undefined;
    this.socket.terminate();
    this.process.kill('SIGKILL');
    await exited;
    await rm(this.profile, { recursive: true, force: true, maxRetries: 10 });
  }

  async #send(method: string, params: object): Promise<unknown> {
    const id = ++this.#lastId;
    const answered = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.socket.send(JSON.stringify({ id, method, params, sessionId: this.#sessionId }));
    const { result, error } = await answered;
    this.#waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }
}

const ENTER = { key: 'Enter', code: 'Enter', text: '\r', windowsVirtualKeyCode: 13 };

function keyOf(character: string): object {
  const code = codeOf(character);
  const windowsVirtualKeyCode = character.toUpperCase().charCodeAt(0);
  return { key: character, code, text: character, windowsVirtualKeyCode };
}

function codeOf(character: string): string {
  if (character === ' ') return 'Space';
  return /\d/.test(character) ? `Digit${character}` : `Key${character.toUpperCase()}`;
}

async function listening({ stderr }: ChildProcess): Promise<string> {
  if (!stderr) throw new Error('Chromium has no output');
  for await (const line of createInterface(stderr)) {
    const address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1];
    if (address === undefined) continue;
    stderr.resume();
    return address;
  }
  throw new Error('Chromium ended before it listened');
}

async function failed(child: ChildProcess): Promise<never> {
  const [error] = (await once(child, 'error')) as [Error];
  throw error;
}
