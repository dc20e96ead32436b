import { PickType } from '@nestjs/swagger';
import { readsAs } from '@cumulet/common/http/read-dto';
import { NodeGroupDto } from './node-group.dto.js';

/** What of a node group may change, as a patch leaves it. */
export class NodeGroupPatch extends PickType(NodeGroupDto, [
  'min_node_count',
  'max_node_count',
  'node_labels',
  'node_taints',
] as const) {}

readsAs(NodeGroupPatch, NodeGroupDto);
