import { describe, expect, it } from '@jest/globals';
import type { BalancerStatistics, MemberHealth } from '../data-plane/data-plane.js';
import type { OperatingStatus } from '../resources/values.js';
import { operatingStatuses, type Sight } from './operating-statuses.js';
import type { Skeleton, SkeletonMember } from './skeleton.js';

const up = { isUp: true, status: 'OFFLINE' } as const;

/** A listener, whose pool has these members. */
function treeOf(
  members: readonly Partial<SkeletonMember>[],
  changes: Partial<Skeleton> = {},
): Skeleton {
  return {
    id: 'lb',
    state: 'active',
    generation: 1,
    ...up,
    listeners: [{ id: 'listener', ...up, poolId: 'pool', limit: 10 }],
    pools: [{ id: 'pool', ...up }],
    members: members.map((one, at) => ({ id: `m${at}`, ...up, poolId: 'pool', ...one })),
    monitors: [],
    policies: [],
    rules: [],
    ...changes,
  };
}

function seen(members: readonly MemberHealth[], activeConnections = 0): BalancerStatistics {
  const none = { bytesIn: 0, bytesOut: 0, totalConnections: 0, requestErrors: 0 };
  return {
    listeners: new Map([['listener', { ...none, activeConnections }]]),
    members: new Map(members.map((health, at) => [`m${at}`, health])),
    checks: new Map(),
  };
}

const show = (tree: Skeleton, sight: Sight): Record<string, OperatingStatus> =>
  Object.fromEntries(operatingStatuses(tree, sight));

describe("by its members' statuses, a pool and its load balancer are", () => {
  it.each<[MemberHealth[], OperatingStatus, OperatingStatus]>([
    [[], 'ONLINE', 'ONLINE'],
    [['ONLINE', 'ONLINE'], 'ONLINE', 'ONLINE'],
    [['NO_MONITOR'], 'ONLINE', 'ONLINE'],
    [['ONLINE', 'ERROR'], 'DEGRADED', 'DEGRADED'],
    [['ONLINE', 'DRAINING'], 'ONLINE', 'ONLINE'],
    [['ONLINE', 'OFFLINE'], 'ONLINE', 'ONLINE'],
    [['ERROR', 'ERROR'], 'ERROR', 'ERROR'],
    [['ERROR', 'DRAINING'], 'ERROR', 'ERROR'],
  ])('%j: %s, %s', (members, pool, lb) => {
    const tree = treeOf(members.map((health) => ({ isUp: health !== 'OFFLINE' })));
    const shown = show(tree, seen(members));
    expect(shown).toMatchObject({ lb, listener: 'ONLINE', pool });
    expect(members.map((_, at) => shown[`m${at}`])).toEqual(members);
  });
});

describe('disabling', () => {
  it('a load balancer takes its listeners and pools OFFLINE', () => {
    const shown = show(treeOf([{}], { isUp: false }), seen([]));
    expect(shown).toEqual({
      lb: 'OFFLINE',
      listener: 'OFFLINE',
      pool: 'OFFLINE',
      m0: 'NO_MONITOR',
    });
  });

  it('a listener takes a pool OFFLINE that nothing else uses', () => {
    const listeners = [{ id: 'listener', ...up, isUp: false, poolId: 'pool', limit: -1 }];
    const shown = show(treeOf([{}], { listeners }), seen([]));
    expect(shown).toMatchObject({ lb: 'ONLINE', listener: 'OFFLINE', pool: 'OFFLINE' });
  });

  it('a monitor, policy or rule takes only itself OFFLINE', () => {
    const parts = {
      monitors: [{ id: 'monitor', ...up, poolId: 'pool' }],
      policies: [{ id: 'policy', ...up, isUp: false, listenerId: 'listener', poolId: null }],
      rules: [{ id: 'rule', ...up }],
    };
    expect(show(treeOf([], parts), 'unseen')).toMatchObject({
      monitor: 'ONLINE',
      policy: 'OFFLINE',
      rule: 'ONLINE',
    });
  });
});

describe('a pool', () => {
  const listeners = [{ id: 'listener', ...up, poolId: null, limit: -1 }];

  it("that no listener uses is OFFLINE, whatever its members' statuses", () => {
    const shown = show(treeOf([{}], { listeners }), seen(['ERROR']));
    expect(shown).toMatchObject({ lb: 'ONLINE', pool: 'OFFLINE', m0: 'NO_MONITOR' });
  });

  it('counts as used if a policy redirects to it', () => {
    const policies = [{ id: 'policy', ...up, listenerId: 'listener', poolId: 'pool' }];
    const shown = show(treeOf([{}], { listeners, policies }), seen(['ERROR']));
    expect(shown).toMatchObject({ lb: 'ERROR', pool: 'ERROR', m0: 'ERROR' });
  });
});

describe('a listener', () => {
  it('that has reached its connection limit is DEGRADED, and so is its load balancer', () => {
    const shown = show(treeOf([]), seen([], 10));
    expect(shown).toMatchObject({ lb: 'DEGRADED', listener: 'DEGRADED' });
  });

  it('that does not run is in ERROR, unless it is being created', () => {
    const statistics = { ...seen([]), listeners: new Map() };
    expect(show(treeOf([]), statistics)).toMatchObject({ lb: 'ERROR', listener: 'ERROR' });
    expect(show(treeOf([], { state: 'pending_update' }), statistics)).toMatchObject({
      listener: 'OFFLINE',
    });
  });
});

describe('if nothing runs', () => {
  it('a load balancer and its listeners are in ERROR, and members keep their statuses', () => {
    const shown = show(treeOf([{ status: 'ONLINE' }]), 'ended');
    expect(shown).toMatchObject({ lb: 'ERROR', listener: 'ERROR', m0: 'ONLINE' });
  });

  it('a load balancer without listeners keeps its status', () => {
    expect(show(treeOf([], { listeners: [] }), 'ended')).toMatchObject({ lb: 'ONLINE' });
  });
});

describe('after a load balancer has been applied', () => {
  it('new parts are ONLINE, except for members with a health check', () => {
    const monitors = [{ id: 'monitor', ...up, poolId: 'pool' }];
    expect(show(treeOf([{}], { monitors }), 'unseen')).toMatchObject({
      lb: 'ONLINE',
      listener: 'ONLINE',
      pool: 'ONLINE',
      m0: 'OFFLINE',
    });
    expect(show(treeOf([{}]), 'unseen')).toMatchObject({ m0: 'NO_MONITOR' });
  });

  it('measured statuses are kept until they are measured again', () => {
    const tree = treeOf([{ status: 'ERROR' }], {
      status: 'ERROR',
      pools: [{ id: 'pool', isUp: true, status: 'ERROR' }],
      monitors: [{ id: 'monitor', ...up, poolId: 'pool' }],
    });
    expect(show(tree, 'unseen')).toMatchObject({ lb: 'ERROR', pool: 'ERROR', m0: 'ERROR' });
  });
});
