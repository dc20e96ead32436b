/** A test guest: a network namespace with one device, connected to the switch. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inNamespace, run } from './switch-namespace.js';

const PROGRAM = fileURLToPath(new URL('./guest-program.fixture.mjs', import.meta.url));

/**
 * Whether the TCP port there answers completely.
 * @param from runs a program; by default on the machine itself
 */
export async function reaches(address: string, port: number, from = run): Promise<boolean> {
  const answer = await from(process.execPath, [PROGRAM, 'fetch', address, String(port)]);
  return answer.trim() === 'whole';
}

/** Whether an echo request is answered. @param from as for `reaches` */
export function pings(address: string, from = run): Promise<boolean> {
  return from('ping', ['-c', '1', '-W', '3', address]).then(
    () => true,
    () => false,
  );
}

/** Answers on the TCP port of a network namespace until it is killed. */
export function serveIn(namespace: string, port: number): Promise<ChildProcess> {
  return startIn(namespace, 'serve', String(port));
}

async function startIn(namespace: string, ...program: readonly string[]): Promise<ChildProcess> {
  const args = [`--net=/run/netns/${namespace}`, process.execPath, PROGRAM];
  const child = spawn('nsenter', [...args, ...program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

export interface AskedRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface AskedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface GuestOptions {
  readonly switchNamespace: string;
  readonly macAddress: string;
  readonly ethtool: readonly [string, ...string[]];
}

export class TestGuest {
  readonly #programs: ChildProcess[] = [];

  private constructor(
    readonly namespace: string,
    /** The switch's end of the veth pair. */
    readonly device: string,
    private readonly options: GuestOptions,
  ) {}

  get switchNamespace(): string {
    return this.options.switchNamespace;
  }

  static async start(options: GuestOptions): Promise<TestGuest> {
    const key = randomBytes(4).toString('hex');
    const guest = new TestGuest(`cumulet-guest-${key}`, `tap${key}`, options);
    const { namespace, device } = guest;
    await run('ip', ['netns', 'add', namespace]);
    const peer = ['peer', 'name', 'eth0', 'netns', namespace];
    const inSwitch = ['-n', options.switchNamespace];
    await run('ip', [...inSwitch, 'link', 'add', device, 'mtu', '1442', 'type', 'veth', ...peer]);
    await guest.ip('link', 'set', 'eth0', 'address', options.macAddress, 'mtu', '1442', 'up');
    await guest.ip('link', 'set', 'lo', 'up');
    const [ethtool, ...args] = options.ethtool;
    await inNamespace(namespace, ethtool, [...args, '-K', 'eth0', 'tx', 'off']);
    await run('ip', [...inSwitch, 'link', 'set', device, 'up']);
    return guest;
  }

  async ip(...args: readonly string[]): Promise<void> {
    await run('ip', ['-n', this.namespace, ...args]);
  }

  /** @param address with its prefix length */
  async hasAddress(address: string, gateway?: string): Promise<void> {
    await this.ip(
      'addr',
      'add',
      address,
      'dev',
      'eth0',
      ...(address.includes(':') ? ['nodad'] : []),
    );
    if (gateway !== undefined) await this.ip('route', 'add', 'default', 'via', gateway);
  }

  /** Answers on the TCP port until it is stopped. */
  async serve(port: number): Promise<void> {
    this.#programs.push(await serveIn(this.namespace, port));
  }

  /** Answers everyone on the port with the text, until the returned function is called. */
  async says(protocol: 'TCP' | 'UDP', port: number, text: string): Promise<() => void> {
    const child = await startIn(this.namespace, 'say', protocol, String(port), text);
    this.#programs.push(child);
    return () => void child.kill('SIGKILL');
  }

  /** The answer; `refused` if TCP is refused, and empty without any. */
  hears(protocol: 'TCP' | 'UDP', address: string, port: number): Promise<string> {
    return this.program('hear', protocol, address, String(port));
  }

  reaches(address: string, port: number): Promise<boolean> {
    return reaches(address, port, (...args) => inNamespace(this.namespace, ...args));
  }

  pings(address: string): Promise<boolean> {
    return pings(address, (...args) => inNamespace(this.namespace, ...args));
  }

  /** The number of answers to this many echo requests, a hundred a second. */
  async echoes(address: string, count: number): Promise<number> {
    const args = ['-q', '-c', String(count), '-i', '0.01', '-s', '1000', '-W', '1', address];
    const answer = await inNamespace(this.namespace, 'sh', [
      '-c',
      'ping "$@" || true',
      '',
      ...args,
    ]);
    return Number(/(\d+) received/.exec(answer)?.[1] ?? 0);
  }

  /** The answer of an HTTP server; without a status if there is none. */
  async ask(url: string, request: AskedRequest = {}): Promise<AskedAnswer> {
    return JSON.parse(await this.program('ask', url, JSON.stringify(request))) as AskedAnswer;
  }

  /** The DHCP offer: options by name. */
  async dhcp(): Promise<Record<string, unknown>> {
    await this.ip('route', 'replace', '255.255.255.255', 'dev', 'eth0');
    const answer = await this.program('dhcp', this.options.macAddress);
    return JSON.parse(answer) as Record<string, unknown>;
  }

  async stop(): Promise<void> {
    for (const child of this.#programs) child.kill('SIGKILL');
    await run('ip', ['netns', 'delete', this.namespace]);
  }

  private async program(...args: readonly string[]): Promise<string> {
    const output = await inNamespace(this.namespace, process.execPath, [PROGRAM, ...args]);
    return output.trim();
  }
}
