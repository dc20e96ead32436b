/** Public source: Networking API reference, "Trunk networking". */
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import type { NewBody } from '@cumulet/common/resources/attribute';
import { flag, text, uuid } from '@cumulet/common/resources/value-type';
import { defineResource, neither } from '../resource/resource.js';
import { subportList } from './subport-body.js';

export interface ShownSubport {
  readonly port_id: string;
  readonly segmentation_type: string;
  readonly segmentation_id: number;
}

/**
 * ACTIVE once the port and all subports carry packets, DEGRADED if a subport is in error.
 * @param trunk the table or its alias
 */
const statusSql = (trunk: string): string => `(
  SELECT CASE
      WHEN parent.state = 'error' THEN 'ERROR'
      WHEN parent.state = 'building' AND parent.host_id <> '' THEN 'BUILD'
      WHEN parent.state NOT IN ('active', 'updating') THEN 'DOWN'
      WHEN 'error' = ANY(below.states) THEN 'DEGRADED'
      WHEN below.states && '{building,down}' THEN 'BUILD'
      ELSE 'ACTIVE' END
    FROM ports AS parent, LATERAL (
         SELECT COALESCE(array_agg(ports.state), '{}') AS states
           FROM subports JOIN ports ON ports.id = subports.port_id
          WHERE subports.trunk_id = ${trunk}.id AND ports.admin_state_up) AS below
   WHERE parent.id = ${trunk}.port_id)`;

export const trunkResource = defineResource({
  singular: 'trunk',
  plural: 'trunks',
  attributes: {
    adminStateUp: attribute(flag, {
      about: 'Whether the trunk is enabled; a disabled trunk cannot be changed.',
      default: true,
    }),
    portId: attribute(uuid, {
      about: 'The ID of the parent port, which carries the packets of the subports.',
      required: true,
      given: 'at-creation',
    }),
    status: shownOnly(text(), {
      about:
        'The status: ACTIVE once all of its ports carry packets, BUILD until then, DEGRADED if a subport is in error, DOWN or ERROR like the parent port.',
      virtual: (trunk) => `SELECT ${statusSql(trunk)}`,
      filter: (values) => (bind) => `${statusSql('trunks')} = ANY(${bind(values)})`,
      sort: false,
    }),
    subPorts: attribute(subportList, {
      about: 'The subports, each with its VLAN ID.',
      virtual: (trunk) => `
        SELECT COALESCE(jsonb_agg(jsonb_build_object(
                 'port_id', port_id, 'segmentation_type', segmentation_type,
                 'segmentation_id', segmentation_id) ORDER BY segmentation_id), '[]')
          FROM subports WHERE trunk_id = ${trunk}.id`,
      given: 'at-creation',
      default: [],
      ...neither,
    }),
  },
});

export type TrunkAttributes = typeof trunkResource.attributes;
export type NewTrunk = NewBody<TrunkAttributes>;
