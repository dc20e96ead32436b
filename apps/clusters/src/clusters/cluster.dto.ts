/** Clusters on the wire. Public source: Container Infrastructure Management API reference, "Manage Cluster". */
import {
  BooleanField,
  IntegerField,
  StringField,
  StringListField,
} from '@cumulet/common/http/fields';
import { CountField, FlagField, TextField } from '../http/fields.js';
import { LabelsField } from '../labels/labels.js';

/** More than these are of no use to etcd, and one more or fewer than an odd number of no use to anybody. */
export const MAX_MASTERS = 7;
export const MAX_NODES = 1_000;

export class ClusterDto {
  @StringField({
    optional: true,
    nullable: true,
    max: 242,
    pattern: /^[a-zA-Z][a-zA-Z0-9_.-]*$/,
    patternText:
      'must begin with a letter and go on with letters, digits, dots, dashes and underscores',
    description: 'Its name; by default one is made up.',
  })
  name?: string | null;

  @StringField({ description: 'The template that it is made of, by id or name.' })
  cluster_template_id: string;

  @TextField("The user's key pair; by default the template's.")
  keypair?: string | null;

  @CountField('How many workers; 1 by default.', { min: 0, max: MAX_NODES })
  node_count?: number | null;

  @CountField('How many masters, an odd number; 1 by default.', { min: 1, max: MAX_MASTERS })
  master_count?: number | null;

  @CountField('GiB that containers have on a node.', { min: 1 })
  docker_volume_size?: number | null;

  @LabelsField("How nodes are set up; by default the template's.")
  labels?: Record<string, string | number | boolean> | null;

  @FlagField("Whether these labels come on top of the template's.")
  merge_labels?: boolean | null;

  @TextField('The flavor of masters, by id or name.')
  master_flavor_id?: string | null;

  @TextField('The flavor of workers, by id or name.')
  flavor_id?: string | null;

  @CountField('Minutes until what is not ready has failed; 60 by default, and for 0.', {
    min: 0,
    max: 10_080,
  })
  create_timeout?: number | null;

  @StringField({
    optional: true,
    nullable: true,
    min: 0,
    max: 1_024,
    description: 'Kept, and not used.',
  })
  discovery_url?: string | null;

  @TextField('The network of the nodes, by id or name.')
  fixed_network?: string | null;

  @TextField('The subnet of the nodes, by id or name.')
  fixed_subnet?: string | null;

  @FlagField("Whether nodes have floating IPs; by default the template's.")
  floating_ip_enabled?: boolean | null;

  @FlagField("Whether the API is behind a load balancer; by default the template's.")
  master_lb_enabled?: boolean | null;
}

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
    description: 'How many nodes the group is to have.',
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

  @CountField('How many nodes of a group are replaced at the same time; 1 by default.', {
    min: 1,
    max: 100,
  })
  max_batch_size?: number | null;

  @TextField('The node group that alone is upgraded, by id or name.')
  nodegroup?: string | null;
}
