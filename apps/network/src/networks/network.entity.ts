import { Column, Entity, ForeignKey, Index, VirtualColumn } from 'typeorm';
import { rowOf } from '@cumulet/common/resources/classes';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import { QosPolicy } from '../qos/qos-policy.entity.js';
import { sharedTargets } from '../rbac-policies/sharing.js';
import { networkResource } from './network.resource.js';
import type { NetworkState } from './network.states.js';

@Entity('networks')
@Index('networks_project_idx', ['projectId', 'id'])
@Index('networks_qos_policy_idx', ['qosPolicyId'])
@Index('networks_segment_key', { synchronize: false })
@Index('networks_default_key', { synchronize: false })
@ForeignKey(() => QosPolicy, ['qosPolicyId'], ['id'], { name: 'networks_qos_policy_fkey' })
export class Network extends rowOf(networkResource.attributes, StatefulColumns) {
  declare state: NetworkState;

  /** The name that administrators gave its segment, if any. */
  @Column('text', { name: 'segment_name', nullable: true })
  segmentName: string | null;

  @Column('text', { name: 'segment_description', nullable: true })
  segmentDescription: string | null;

  @VirtualColumn('text', { query: sharedTargets })
  sharedWith: string[];
}
