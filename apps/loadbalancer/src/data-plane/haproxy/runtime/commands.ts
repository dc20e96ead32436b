/**
 * Commands to a running HAProxy, which semicolons and line ends separate.
 *
 * Always holds: a command is a literal, or composed here of names, addresses and numbers. Public
 * source:
 * HAProxy Management Guide, "9.3. Unix Socket commands", "9.4. Master CLI".
 */
import { canonicalIp } from '@cumulet/common/addresses/ip-address';
import type { Code } from '@cumulet/common/languages/code';
import type { Literal } from '@cumulet/common/languages/literal';

export type Command = Code<'haproxy-command'>;

/** Proxy and server, as named in the configuration: `pool:listener/member`. */
const SERVER = /^[A-Za-z0-9_.:-]+\/[A-Za-z0-9_.:-]+$/;

export function command<const Text extends string>(text: Literal<Text>): Command {
  return text as string as Command;
}

/** For the worker with the traffic. */
export function toWorker(...commands: readonly Command[]): Command {
  return ['@1', ...commands].join('; ') as Command;
}

/** For a worker by its process ID. @throws RangeError for an invalid one */
export function toProcess(pid: number, then: Command): Command {
  return `@!${whole(pid)} ${then}` as Command;
}

/** @throws RangeError for an invalid server, address or port */
export function setAddress(server: string, address: string, port: number): Command {
  const ip = canonicalIp(address);
  if (ip === undefined) throw new RangeError(`no address: ${address.slice(0, 100)}`);
  return `${setServer(server)} addr ${ip} port ${whole(port)}` as Command;
}

/** @throws RangeError for an invalid server or weight */
export function setWeight(server: string, weight: number): Command {
  return `${setServer(server)} weight ${whole(weight)}` as Command;
}

/** @throws RangeError for an invalid server */
export function setState(server: string, state: 'ready' | 'maint'): Command {
  return `${setServer(server)} state ${state}` as Command;
}

function setServer(server: string): string {
  if (!SERVER.test(server)) throw new RangeError(`no server: ${server.slice(0, 100)}`);
  return `set server ${server}`;
}

function whole(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`no number: ${value}`);
  return value;
}
