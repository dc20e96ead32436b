/**
 * What a running HAProxy is told of its members without a reload: address, weight, and whether they
 * are in use. Pure. Public source: HAProxy Management Guide, "9.3. Unix Socket commands",
 * `set server`.
 */
import { canonicalIp } from '@cumulet/common/addresses/ip-address';
import { setAddress, setState, setWeight, type Command } from './commands.js';
import type { BalancerSpec, MemberSpec } from '../../balancer-spec.js';
import {
  isInMaintenance,
  serversOf,
  type ServerState,
  type ServerStates,
} from './server-states.js';

/** @returns nothing where all is as it should be */
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
