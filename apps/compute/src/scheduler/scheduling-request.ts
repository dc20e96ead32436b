/**
 * A client's requests for a server's host: hints, zone, host. Public source: Nova API reference,
 * "Create Server"; Nova admin guide, "Compute schedulers".
 */
import { isIP } from 'node:net';
import { isUuid } from '@cumulet/common/context/ids';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { faultOfQuery } from './json-query.js';

/** Hints that have an effect. */
export interface SchedulerHints {
  readonly group?: string;
  readonly sameHost: readonly string[];
  readonly differentHost: readonly string[];
  readonly query?: unknown;
  /** `192.0.2.1/24` */
  readonly near?: string;
}

/** The name that clients send today. */
const HINTS = 'os:scheduler_hints';

/** Unknown hints are stored without effect. @throws InvalidInputError naming an invalid hint */
export function hintsOf(given: Readonly<Record<string, unknown>>): SchedulerHints {
  // Postgres stores neither a null character nor half of a surrogate pair.
  if (/\\u(0000|d[89a-f]..)/i.test(JSON.stringify(given)))
    throw wrong('', 'must hold neither a null character nor half of a surrogate pair');
  const { group, query } = given;
  return {
    ...(group === undefined ? {} : { group: onlyUuid('group', group) }),
    sameHost: uuids('same_host', given['same_host']),
    differentHost: uuids('different_host', given['different_host']),
    ...(query === undefined ? {} : { query: queryOf(query) }),
    ...nearOf(given['build_near_host_ip'], given['cidr']),
  };
}

function wrong(hint: string, why: string): InvalidInputError {
  const path = hint === '' ? HINTS : `${HINTS}.${hint}`;
  return new InvalidInputError(`Invalid input: ${path} ${why}.`);
}

function uuids(hint: string, value: unknown = []): string[] {
  const given = [value].flat();
  if (given.every((one): one is string => typeof one === 'string' && isUuid(one))) return given;
  throw wrong(hint, 'must be a UUID, or a list of them');
}

function onlyUuid(hint: string, value: unknown): string {
  const [only, ...others] = uuids(hint, value);
  if (only === undefined || others.length > 0) throw wrong(hint, 'must be one UUID');
  return only;
}

/** Clients send it as JSON in a string. */
function queryOf(given: unknown): unknown {
  const query = typeof given === 'string' ? parsed(given) : given;
  const fault = faultOfQuery(query);
  if (fault !== undefined) throw wrong('query', `${fault}, as in '[">=", "$free_ram_mb", 1024]'`);
  return query;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw wrong('query', 'must be JSON');
  }
}

/** @param cidr prefix length after a slash */
function nearOf(address: unknown, cidr: unknown = '/24'): { near?: string } {
  if (typeof cidr !== 'string' || !/^\/\d{1,3}$/.test(cidr))
    throw wrong('cidr', "must be a prefix length after a slash: '/24'");
  if (address === undefined) return {};
  if (typeof address !== 'string' || isIP(address) === 0)
    throw wrong('build_near_host_ip', 'must be an IP address');
  if (Number(cidr.slice(1)) > (isIP(address) === 4 ? 32 : 128))
    throw wrong('cidr', `is too long for an address of IPv${isIP(address)}`);
  return { near: `${address}${cidr}` };
}
