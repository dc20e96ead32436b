/** What verbs of a cluster take. Public source: Container Infrastructure Management API reference, "Manage Cluster". */
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
    description: 'Whether what was before comes back where the change fails.',
  })
  rollback?: boolean;
}

export class ResizeDto {
  @IntegerField({
    fromText: true,
    max: MAX_NODES,
    description: 'The number of nodes that the group is to have.',
  })
  node_count: number;

  @StringListField({
    optional: true,
    nullable: true,
    description: 'The ids, or names, of servers that go where it gets smaller.',
  })
  nodes_to_remove?: string[] | null;

  @TextField('The node group, by id or name; the default one of workers if none is named.')
  nodegroup?: string | null;
}

export class UpgradeDto {
  @StringField({ description: 'The template that the cluster is to follow, by id or name.' })
  cluster_template: string;

  @CountField('The number of nodes of a group that are replaced at a time; 1 by default.', {
    min: 1,
    max: 100,
  })
  max_batch_size?: number | null;

  @TextField('The only node group to upgrade, by ID or name.')
  nodegroup?: string | null;
}
