/** Public source: Container Infrastructure Management API reference, "Manage Cluster". */
import {
  BooleanField,
  IntegerField,
  StringField,
  StringListField,
} from '@cumulet/common/http/fields';
import { CountField, TextField } from '../http/fields.js';
import { MAX_NODES } from '../clusters/cluster.resource.js';

export class UpdateClusterQuery {
  @BooleanField({
    optional: true,
    fromText: true,
    bareIsTrue: true,
    description: 'Whether to restore the former count if the change fails.',
  })
  rollback?: boolean;
}

export class ResizeDto {
  @IntegerField({
    fromText: true,
    max: MAX_NODES,
    description: 'The new number of nodes.',
  })
  node_count: number;

  @StringListField({
    optional: true,
    nullable: true,
    description: 'The IDs or names of servers to remove if the group shrinks.',
  })
  nodes_to_remove?: string[] | null;

  @TextField('The node group, by ID or name; by default, the default group of workers.')
  nodegroup?: string | null;
}

export class UpgradeDto {
  @StringField({ description: 'The new template, by ID or name.' })
  cluster_template: string;

  @CountField('The number of nodes of a group replaced at a time; 1 by default.', {
    min: 1,
    max: 100,
  })
  max_batch_size?: number | null;

  @TextField('The only node group to upgrade, by ID or name.')
  nodegroup?: string | null;
}
