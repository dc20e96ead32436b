import type { JsonObject } from '../../json/json.js';
import { isSame } from '../../json/same-json.js';
import { attribute, flag, integer, listOf, mapOf, named, oneOf, range, text } from '../declare.js';
import { mapsIn } from '../property-values.js';
import { restResource } from '../rest-resource.js';
import { part } from '../service-calls.js';
import { BUILT, networkApi } from './network-type.js';

export const trunk = restResource({
  name: 'OS::Neutron::Trunk',
  description: 'A parent port that carries the traffic of subports, distinguished by VLAN tags.',
  support: { status: 'SUPPORTED', version: '9.0.0' },
  api: networkApi('trunk'),
  properties: {
    name: text('The name of the trunk.', { updatable: true }),
    port: named('neutron.port', 'The port that carries the others.', {
      required: true,
      immutable: true,
    }),
    sub_ports: listOf(
      mapOf(
        {
          port: named('neutron.port', 'The port.', { required: true }),
          segmentation_type: text('The type of segmentation.', {
            required: true,
            constraints: [oneOf('vlan')],
          }),
          segmentation_id: integer('The number that its packets have.', {
            required: true,
            constraints: [range(1, 4094)],
          }),
        },
        'A port that is carried.',
      ),
      'The ports that are carried.',
      { updatable: true },
    ),
    description: text('The description.', { updatable: true }),
    admin_state_up: flag('Whether it may be changed.', { updatable: true }),
  },
  attributes: { port_id: attribute('string', 'The port that carries the others.') },
  fields: { port: 'port_id' },
  body: (properties) => ({ sub_ports: mapsIn(properties, 'sub_ports')?.map(subportOf) }),
  states: BUILT,
  change: {
    method: 'PUT',
    createOnly: ['sub_ports', 'port_id'],
    cleared: { description: '', admin_state_up: true },
    /** A port can be in a trunk only once, so removals come first. */
    async aside({ row, properties }, { changed }, calls) {
      if (!changed.has('sub_ports')) return;
      const path = `/v2.0/trunks/${part(row.physicalId)}`;
      const { sub_ports: shown } = await calls.get(`${path}/get_subports`);
      const present = Array.isArray(shown) ? (shown as readonly JsonObject[]) : [];
      const wanted = (mapsIn(properties, 'sub_ports') ?? []).map(subportOf);
      const gone = present.filter((one) => !wanted.some((other) => isSame(one, other)));
      const added = wanted.filter((one) => !present.some((other) => isSame(one, other)));
      if (gone.length > 0)
        await calls.put(`${path}/remove_subports`, {
          sub_ports: gone.map(({ port_id: port = null }) => ({ port_id: port })),
        });
      if (added.length > 0) await calls.put(`${path}/add_subports`, { sub_ports: added });
    },
  },
});

function subportOf({
  port = null,
  segmentation_type = null,
  segmentation_id = null,
}: JsonObject): JsonObject {
  return { port_id: port, segmentation_type, segmentation_id };
}
