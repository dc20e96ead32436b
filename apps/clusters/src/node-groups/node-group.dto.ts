/** Node groups on the wire. Public source: Container Infrastructure Management API reference, "Node Groups". */
import { CheckedField, StringField } from '@cumulet/common/http/fields';
import { FlagField, CountField, TextField } from '../http/fields.js';
import { LabelsField } from '../labels/labels.js';
import { MAX_NODES } from '../clusters/cluster.dto.js';

const COUNT = { min: 0, max: MAX_NODES } as const;

export class NodeGroupDto {
  @StringField({
    pattern: /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/,
    patternText:
      'must begin with a letter or digit and go on with these, dots, dashes and underscores',
    description: 'Its name, which no other of the cluster has.',
  })
  name: string;

  @CountField('How many nodes; 1 by default.', COUNT)
  node_count?: number | null;

  @CountField('How few nodes it may have; 0 by default.', COUNT)
  min_node_count?: number | null;

  @CountField('How many nodes it may have at the most.', COUNT)
  max_node_count?: number | null;

  @TextField('What the nodes are for; worker by default.')
  role?: string | null;

  @TextField("The flavor of the nodes, by id or name; by default the cluster's.")
  flavor_id?: string | null;

  @TextField("The image of the nodes, by id or name; by default the template's.")
  image_id?: string | null;

  @CountField('GiB that containers have on a node.', { min: 1 })
  docker_volume_size?: number | null;

  @LabelsField("How nodes are set up; by default the cluster's.")
  labels?: Record<string, string | number | boolean> | null;

  @FlagField("Whether these labels come on top of the cluster's.")
  merge_labels?: boolean | null;

  @LabelsField('Labels of the nodes in Kubernetes.')
  node_labels?: Record<string, string | number | boolean> | null;

  @CheckedField(
    isListOfObjects,
    'must be a list of at most 64 objects with key, effect and, where it has one, value',
    { type: 'array', items: { type: 'object', additionalProperties: { type: 'string' } } },
    { optional: true, nullable: true, description: 'Taints of the nodes in Kubernetes.' },
  )
  node_taints?: Record<string, string>[] | null;
}

function isListOfObjects(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length <= 64 &&
    value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
  );
}
