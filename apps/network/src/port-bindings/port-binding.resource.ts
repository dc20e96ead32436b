/** Public source: neutron-lib, `api/definitions/portbindings_extended.py`. */
import { Entity, ForeignKey, PrimaryColumn, VirtualColumn } from 'typeorm';
import { attribute, computed } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import * as types from '@cumulet/common/resources/value-type';
import type { AgentConfigurations } from '../agents/agent.resource.js';
import { Port } from '../ports/port.entity.js';
import { profile, VNIC_TYPES } from '../ports/port.resource.js';
import { vifDetailsOf, vifTypeOf } from '../ports/port.view.js';
import { defineBareResource, neither } from '../resource/resource.js';

const { oneOf, Refusal, text, valueType } = types;

const hostName = valueType<string>(String, (value) => {
  const name = text().read(value);
  if (name === '') throw new Refusal('it is empty');
  return name;
});

const attributes = {
  host: attribute(hostName, {
    about: 'The host.',
    required: true,
    given: 'at-creation',
    column: { primary: true, primaryKeyConstraintName: 'port_bindings_pkey' },
  }),
  vifType: computed(text(), { about: 'The VIF type: how the port is plugged in on the host.' }),
  vifDetails: computed(types.json<object>(), {
    about: 'Details of the VIF for the program that starts the guest.',
    ...neither,
  }),
  vnicType: attribute(oneOf(VNIC_TYPES), {
    about: 'The VNIC type: `normal`, through the virtual switch.',
    default: 'normal',
    column: { default: undefined },
  }),
  profile: attribute(profile, {
    about: 'Free-form data of the program that plugs the port in.',
    default: {},
    column: { default: undefined },
    ...neither,
  }),
  status: computed(text(), {
    about: "The status: ACTIVE on the port's current host, INACTIVE on a host that it may move to.",
  }),
  projectId: computed(text(), {
    about: 'The ID of the project that owns the port.',
    filter: false,
  }),
};

export const bindingResource = defineBareResource({
  singular: 'binding',
  plural: 'bindings',
  attributes,
});

export type NewBinding = NewBody<typeof attributes>;
export type BindingChange = ChangeBody<typeof attributes>;

/** A host that a port is prepared to move to. The current host is in the port's own row. */
@Entity('port_bindings')
@ForeignKey(() => Port, ['portId'], ['id'], {
  name: 'port_bindings_port_fkey',
  onDelete: 'CASCADE',
})
export class PortBinding extends rowOf(attributes) {
  @PrimaryColumn('uuid', { name: 'port_id', primaryKeyConstraintName: 'port_bindings_pkey' })
  portId: string;

  /** The configuration that the host reports; null for an unknown host. */
  @VirtualColumn('jsonb', {
    query: (binding) => `SELECT configurations FROM agents WHERE agents.host = ${binding}.host`,
  })
  hostConfigurations: AgentConfigurations | null;
}

export interface ShownBinding {
  readonly host: string;
  readonly vifType: string;
  readonly vifDetails: object;
  readonly vnicType: Port['vnicType'];
  readonly profile: object;
  readonly status: 'ACTIVE' | 'INACTIVE';
  readonly projectId: string;
}

/** The binding to the port's current host, which an unbound port has too. */
export function activeOf(port: Port): ShownBinding {
  const { hostId: host, vnicType, bindingProfile, projectId } = port;
  const vif = { vifType: vifTypeOf(port), vifDetails: vifDetailsOf(port) };
  return { host, ...vif, vnicType, profile: bindingProfile, status: 'ACTIVE', projectId };
}

export function inactiveOf(port: Port, binding: PortBinding): ShownBinding {
  const { host, vnicType, profile: bindingProfile, hostConfigurations } = binding;
  // Errors of the port concern its current host only.
  const there = { hostId: host, vnicType, bindingProfile, hostConfigurations };
  const at = Object.assign({}, port, there, { state: 'down' as const });
  return { ...activeOf(at), status: 'INACTIVE' };
}
