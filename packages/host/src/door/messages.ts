/**
 * The messages of a connection to a host's door, in the order in which they are sent:
 *
 *     host   greeting    who it is, which agents it has, and what it lacks for which
 *     agent  board       kind, entry, settings, and the list of the program's files
 *     host   send        the program is not here: send its files (frames `file`, in the order of the list)
 *     host   started     the agent's process runs; its output follows (frames `stdout` and `stderr`)
 *     agent  signal      passed on to the process, at any time from then on
 *     host   exited      the last message
 *
 * In place of any of its messages the host may send `refused`, its last then. A connection that the agent's side
 * ends early ends the process.
 *
 * Always holds: what has been read has this form; anything else is a ProtocolError that quotes nothing, as
 * settings may be secret.
 */
import { AGENT_KINDS, isAgentKind, type AgentKind } from './agent-kinds.js';
import { ProtocolError } from './frames.js';
import { isProgramPath, MAX_FILE_BYTES, MAX_FILES, type ProgramFile } from './program.js';

/** Sides of another version are refused. */
export const PROTOCOL = 1;

export type Environment = Readonly<Record<string, string>>;

export interface Greeting {
  readonly type: 'greeting';
  readonly protocol: typeof PROTOCOL;
  /** Its name: `host1`. */
  readonly host: string;
  /** The name or IP address at which other containers reach it. */
  readonly address: string;
  /** The kinds of the agents that it has. */
  readonly agents: readonly AgentKind[];
  /** Why agents of a kind cannot run there. */
  readonly lacks: Readonly<Partial<Record<AgentKind, string>>>;
}

export interface Board {
  readonly type: 'board';
  readonly protocol: typeof PROTOCOL;
  readonly kind: AgentKind;
  /** The file that Node runs, of those in `files`. */
  readonly entry: string;
  readonly environment: Environment;
  readonly files: readonly ProgramFile[];
}

/** `SIGTERM` asks an agent to end. */
export const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const;
export type AgentSignal = (typeof SIGNALS)[number];

export interface Signal {
  readonly type: 'signal';
  readonly signal: AgentSignal;
}

export interface Send {
  readonly type: 'send';
}

export interface Started {
  readonly type: 'started';
}

export interface Exited {
  readonly type: 'exited';
  /** 128 and the signal's number if a signal ended it, as in a shell. */
  readonly code: number;
}

export interface Refused {
  readonly type: 'refused';
  /** Whether the same request may be granted later, here or at another host. */
  readonly mayRetry: boolean;
  readonly reason: string;
}

export type FromHost = Greeting | Send | Started | Exited | Refused;
export type FromAgent = Board | Signal;

const MAX_VARIABLES = 1_000;
const MAX_VALUE_CHARACTERS = 128 * 1024;
const MAX_TEXT_CHARACTERS = 4_096;

/** @throws ProtocolError */
export function readFromAgent(body: Buffer): FromAgent {
  const value = objectIn(body);
  switch (value['type']) {
    case 'board': {
      requireProtocol(value);
      const { kind, entry } = value;
      if (!isAgentKind(kind)) throw wrong(`kind must be one of ${AGENT_KINDS.join(', ')}`);
      const files = readFiles(value['files']);
      if (!files.some(({ path }) => path === entry)) throw wrong('entry must be one of the files');
      const environment = readEnvironment(value['environment']);
      return { type: 'board', protocol: PROTOCOL, kind, entry: String(entry), environment, files };
    }
    case 'signal': {
      const signal = SIGNALS.find((one) => one === value['signal']);
      if (signal === undefined) throw wrong(`signal must be one of ${SIGNALS.join(', ')}`);
      return { type: 'signal', signal };
    }
    default:
      throw wrong('type must be one of board, signal');
  }
}

/** @throws ProtocolError */
export function readFromHost(body: Buffer): FromHost {
  const value = objectIn(body);
  switch (value['type']) {
    case 'greeting': {
      requireProtocol(value);
      const { agents, lacks } = value;
      if (!Array.isArray(agents) || !agents.every(isAgentKind)) throw wrong('agents must be kinds');
      const told = Object.entries(isObject(lacks) ? lacks : {});
      const known = told.filter(([kind]) => isAgentKind(kind));
      return {
        type: 'greeting',
        protocol: PROTOCOL,
        host: textOf(value, 'host'),
        address: textOf(value, 'address'),
        agents,
        lacks: Object.fromEntries(known.map(([kind, reason]) => [kind, String(reason)])),
      };
    }
    case 'send':
    case 'started':
      return { type: value['type'] };
    case 'exited': {
      const { code } = value;
      if (!isCount(code, 255)) throw wrong('code must be an integer from 0 to 255');
      return { type: 'exited', code };
    }
    case 'refused':
      return {
        type: 'refused',
        mayRetry: value['mayRetry'] === true,
        reason: textOf(value, 'reason'),
      };
    default:
      throw wrong('type must be one of greeting, send, started, exited, refused');
  }
}

function objectIn(body: Buffer): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    // The parser's message quotes what it read.
    throw wrong('the body must be JSON');
  }
  if (!isObject(value)) throw wrong('the body must be an object');
  return value;
}

function requireProtocol({ protocol }: Readonly<Record<string, unknown>>): void {
  if (protocol !== PROTOCOL) throw wrong(`protocol must be ${PROTOCOL}`);
}

function readFiles(value: unknown): ProgramFile[] {
  if (!Array.isArray(value) || value.length > MAX_FILES)
    throw wrong(`files must be a list of ${MAX_FILES} at most`);
  const files = value.map((file: unknown): ProgramFile => {
    const { path, bytes, sha256 } = isObject(file) ? file : {};
    if (typeof path !== 'string' || !isProgramPath(path))
      throw wrong('a path of a file must be relative and within the program');
    if (!isCount(bytes, MAX_FILE_BYTES))
      throw wrong(`a file may have ${MAX_FILE_BYTES} bytes at most`);
    if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256))
      throw wrong('sha256 of a file must be 64 hexadecimal digits');
    return { path, bytes, sha256 };
  });
  if (new Set(files.map(({ path }) => path)).size < files.length)
    throw wrong('no two files may have one path');
  return files;
}

function readEnvironment(value: unknown): Environment {
  const entries = Object.entries(isObject(value) ? value : {});
  if (!isObject(value) || entries.length > MAX_VARIABLES)
    throw wrong(`environment must be an object of ${MAX_VARIABLES} members at most`);
  for (const [name, text] of entries) {
    if (!/^[A-Za-z_]\w*$/.test(name)) throw wrong('a name in the environment is not valid');
    if (typeof text !== 'string' || text.length > MAX_VALUE_CHARACTERS || text.includes('\0'))
      throw wrong('a value in the environment is not valid');
  }
  return value as Environment;
}

function textOf(value: Readonly<Record<string, unknown>>, name: string): string {
  const text = value[name];
  if (typeof text !== 'string' || text.length > MAX_TEXT_CHARACTERS)
    throw wrong(`${name} must be text of ${MAX_TEXT_CHARACTERS} characters at most`);
  return text;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most;
}

function wrong(rule: string): ProtocolError {
  return new ProtocolError(`a message is not valid: ${rule}`);
}
