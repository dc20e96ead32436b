import { answerClass, Shown } from '@cumulet/common/http/shown';
import type { AppliedState } from '../resource/applied.states.js';
import type { Balancer } from './balancer.entity.js';

const STATUS: Readonly<Record<AppliedState, string>> = {
  applying: 'BUILD',
  active: 'ACTIVE',
  error: 'ERROR',
  removing: 'BUILD',
};

const BalancerMemberHealth = answerClass('BalancerMemberHealth', {
  id: Shown(String, "The member's id."),
  status: Shown(String, 'Whether it answers its checks: online, offline; error without any.'),
});

const BalancerView = answerClass('BalancerView', {
  id: Shown(String, 'Its id.'),
  project_id: Shown(String, 'The project whose it is.'),
  vip_port_id: Shown(String, 'The port that keeps its addresses.'),
  status: Shown(String, 'ACTIVE once the data plane has it as it was last asked for.'),
  status_reason: Shown(String, 'Why it is in ERROR, or what is tried again.', { nullable: true }),
  members: Shown([() => BalancerMemberHealth], 'Those that have been checked.'),
});

export const BalancerAnswer = answerClass('BalancerAnswer', {
  balancer: Shown(() => BalancerView, 'As it is now.'),
});

export const BalancersAnswer = answerClass('BalancersAnswer', {
  balancers: Shown([() => BalancerView], 'All that there are.'),
});

export function viewOfBalancer({ id, projectId, vipPortId, ...row }: Balancer): object {
  return {
    id,
    project_id: projectId,
    vip_port_id: vipPortId,
    status: STATUS[row.state],
    status_reason: row.stateReason,
    members: Object.entries(row.health).map(([member, status]) => ({ id: member, status })),
  };
}
