/**
 * The servers of a running HAProxy in the format of `show servers state`, and the file from which
 * its successor learns who is down. Public source: HAProxy Management Guide, "9.3. Unix Socket
 * commands", `show servers state`: a version, a line of names, then a line for each server.
 */
import { canonicalIp } from '@cumulet/common/addresses/ip-address';
import type { BalancerSpec, MemberSpec } from '../../balancer-spec.js';
import { usedPools } from '../configuration/render.js';
import { type Command, setAddress, setState, setWeight } from './commands.js';

/** A server's column, by name. */
type ServerState = (column: string) => string;

/** By backend and server, as in commands: `pool:listener/member`. */
type ServerStates = ReadonlyMap<string, ServerState>;

/** The bit of `srv_admin_state` for maintenance by a command. */
const IN_MAINTENANCE = 1;
const STOPPED = '0';

export function readServerStates(text: string): ServerStates {
  const [names, ...lines] = linesOf(text);
  const columns = columnsOf(names);
  const states = lines.map((line): [string, ServerState] => {
    const state = stateOf(line, columns);
    return [`${state('be_name')}/${state('srv_name')}`, state];
  });
  return new Map(states);
}

function isInMaintenance(state: ServerState): boolean {
  return (Number(state('srv_admin_state')) & IN_MAINTENANCE) !== 0;
}

/** By the names of their servers. */
function serversOf(spec: BalancerSpec): [string, MemberSpec][] {
  return usedPools(spec).flatMap(({ backend, pool }) =>
    pool.members.map((member): [string, MemberSpec] => [`${backend}/${member.id}`, member]),
  );
}

/**
 * The state file for the next process: unchanged members that are down. The others start as configured.
 * @param text of `show servers state`
 */
export function statesOfDownMembers(text: string, next: BalancerSpec): string {
  const [names = '', ...lines] = linesOf(text);
  const columns = columnsOf(names);
  const members = new Map(serversOf(next));
  const kept = lines.flatMap((line) => {
    const state = stateOf(line, columns);
    const member = members.get(`${state('be_name')}/${state('srv_name')}`);
    return member && isSameAndDown(state, member) ? [withWeight(line, columns, member)] : [];
  });
  return ['1', names, ...kept, ''].join('\n');
}

function isSameAndDown(state: ServerState, { enabled, address, port }: MemberSpec): boolean {
  return (
    enabled &&
    !isInMaintenance(state) &&
    state('srv_op_state') === STOPPED &&
    state('srv_addr') === address &&
    state('srv_port') === String(port)
  );
}

/** HAProxy would otherwise keep the former weight. */
function withWeight(line: string, columns: readonly string[], { weight }: MemberSpec): string {
  const weights = ['srv_uweight', 'srv_iweight'].map((name) => columns.indexOf(name));
  return line
    .split(' ')
    .map((value, at) => (weights.includes(at) ? String(weight) : value))
    .join(' ');
}

/** The names, then the servers. */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .slice(1)
    .filter((line) => line !== '');
}

function columnsOf(names = ''): string[] {
  return names.replace(/^# /, '').split(' ');
}

function stateOf(line: string, columns: readonly string[]): ServerState {
  const values = line.split(' ');
  return (column) => values[columns.indexOf(column)] ?? '';
}

/**
 * The commands that change members without a reload: address, weight and maintenance. Public source:
 * HAProxy Management Guide, "9.3. Unix Socket commands", `set server`.
 * @returns none if all is as it should be
 */
export function memberCommands(spec: BalancerSpec, running: ServerStates): Command[] {
  return serversOf(spec).flatMap(([server, member]) => {
    const state = running.get(server);
    return state ? commandsFor(server, member, state) : [];
  });
}

function commandsFor(server: string, member: MemberSpec, state: ServerState): Command[] {
  const { address, port, weight, enabled } = member;
  const isElsewhere =
    !isSameAddress(state('srv_addr'), address) || state('srv_port') !== String(port);
  return [
    ...(isElsewhere ? [setAddress(server, address, port)] : []),
    ...(state('srv_uweight') === String(weight) ? [] : [setWeight(server, weight)]),
    ...(isInMaintenance(state) === !enabled ? [] : [setState(server, enabled ? 'ready' : 'maint')]),
  ];
}

function isSameAddress(one: string, other: string): boolean {
  return one === other || (canonicalIp(one) ?? one) === canonicalIp(other);
}
