import { appliedStates } from '../resource/applied.states.js';

/** A security group is applied to the data plane with its rules. */
export const securityGroupStates = appliedStates({
  resource: 'security_group',
  table: 'security_groups',
  path: '/v2.0/security-groups/{security_group_id}',
  parts: 'its rules',
});
