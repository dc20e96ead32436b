import { describe, expect, it } from '@jest/globals';
import { balancerSpec, listenerSpec, memberSpec, poolSpec } from '../../balancer.fixture.js';
import type { BalancerSpec, MemberSpec } from '../../balancer-spec.js';
import { memberCommands, readServerStates, statesOfDownMembers } from './server-states.js';

const NAMES =
  '# be_name srv_name srv_addr srv_op_state srv_admin_state srv_uweight srv_iweight srv_port';

function states(...lines: string[]): string {
  return ['1', NAMES, ...lines, ''].join('\n');
}

function withMembers(...members: Partial<MemberSpec>[]): BalancerSpec {
  return balancerSpec({
    listeners: ['l1', 'l2'].map((id) => listenerSpec({ id, defaultPoolId: 'p' })),
    pools: [poolSpec({ id: 'p', members: members.map((one) => memberSpec(one)) })],
  });
}

const commands = (spec: BalancerSpec, ...lines: string[]): string[] =>
  memberCommands(spec, readServerStates(states(...lines)));

describe("a comparison of HAProxy's members with the desired ones", () => {
  it('yields nothing if they are equal', () => {
    const lines = ['p:l1 m1 192.0.2.10 2 0 1 1 8080', 'p:l2 m1 192.0.2.10 0 0 1 1 8080'];
    expect(commands(withMembers({ id: 'm1' }), ...lines)).toEqual([]);
  });

  it('yields changed weights, states and addresses for each listener', () => {
    const lines = ['p:l1 m1 192.0.2.10 2 0 1 1 8080', 'p:l2 m1 192.0.2.99 2 1 5 1 8080'];
    expect(commands(withMembers({ id: 'm1', weight: 5 }), ...lines)).toEqual([
      'set server p:l1/m1 weight 5',
      'set server p:l2/m1 addr 192.0.2.10 port 8080',
      'set server p:l2/m1 state ready',
    ]);
    expect(commands(withMembers({ id: 'm1', enabled: false }), lines[0] ?? '')).toEqual([
      'set server p:l1/m1 state maint',
    ]);
  });

  it('ignores how addresses are written', () => {
    const spec = withMembers({ id: 'm1', address: '2001:DB8:0::1' });
    expect(commands(spec, 'p:l1 m1 2001:db8::1 2 0 1 1 8080')).toEqual([]);
  });
});

describe('the state for the next process', () => {
  const keep = (spec: BalancerSpec, ...lines: string[]): string[] =>
    statesOfDownMembers(states(...lines), spec)
      .split('\n')
      .slice(2, -1);

  it('contains members that are down, with their current weight', () => {
    const spec = withMembers({ id: 'up' }, { id: 'down', weight: 7 });
    const lines = ['p:l1 up 192.0.2.10 2 0 1 1 8080', 'p:l1 down 192.0.2.10 0 0 1 1 8080'];
    expect(keep(spec, ...lines)).toEqual(['p:l1 down 192.0.2.10 0 0 7 7 8080']);
  });

  it.each([
    ['has another address', { address: '192.0.2.11' }, '0 0'],
    ['has another port', { port: 81 }, '0 0'],
    ['is disabled', { enabled: false }, '0 0'],
    ['was disabled', {}, '0 1'],
    ['has been removed', { id: 'another' }, '0 0'],
  ])('does not contain a member that %s', (_, fields, state) => {
    const spec = withMembers({ id: 'm1', ...fields });
    expect(keep(spec, `p:l1 m1 192.0.2.10 ${state} 1 1 8080`)).toEqual([]);
  });
});
