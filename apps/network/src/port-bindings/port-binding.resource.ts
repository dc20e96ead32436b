/** What a binding is to its clients. Public source: neutron-lib, `api/definitions/portbindings_extended.py`. */
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import * as types from '@cumulet/common/resources/value-type';
import type { Port } from '../ports/port.entity.js';
import { profile, VNIC_TYPES } from '../ports/port.resource.js';
import { vifDetailsOf, vifTypeOf } from '../ports/port.view.js';
import { defineBareResource, neither } from '../resource/resource.js';
import type { PortBinding } from './port-binding.entity.js';

const { oneOf, Refusal, text, valueType } = types;

const hostName = valueType<string>(String, (value) => {
  const name = text().read(value);
  if (name === '') throw new Refusal('it is empty');
  return name;
});

const attributes = {
  host: attribute(hostName, { about: 'The host.', required: true, given: 'at-creation' }),
  vifType: shownOnly(text(), { about: 'How it is plugged in there.' }),
  vifDetails: shownOnly(
    valueType(Object, () => ({})),
    { about: 'What whoever starts its guest there needs to know.', ...neither },
  ),
  vnicType: attribute(oneOf(VNIC_TYPES), {
    about: 'How it is plugged in: normal, through the virtual switch.',
    default: 'normal',
  }),
  profile: attribute(profile, {
    about: 'What whoever plugs it in keeps there.',
    default: {},
    ...neither,
  }),
  status: shownOnly(text(), { about: 'ACTIVE where it is, INACTIVE where it may move to.' }),
  projectId: shownOnly(text(), { about: 'The project whose the port is.', filter: false }),
};

export const bindingResource = defineBareResource({
  singular: 'binding',
  plural: 'bindings',
  attributes,
});

export type NewBinding = NewBody<typeof attributes>;
export type BindingChange = ChangeBody<typeof attributes>;

export interface ShownBinding {
  readonly host: string;
  readonly vifType: string;
  readonly vifDetails: object;
  readonly vnicType: string;
  readonly profile: object;
  readonly status: 'ACTIVE' | 'INACTIVE';
  readonly projectId: string;
}

/** The binding to the host where the port is, which it has also while it is nowhere. */
export function activeOf(port: Port): ShownBinding {
  const { hostId: host, vnicType, bindingProfile, projectId } = port;
  const vif = { vifType: vifTypeOf(port), vifDetails: vifDetailsOf(port) };
  return { host, ...vif, vnicType, profile: bindingProfile, status: 'ACTIVE', projectId };
}

export function inactiveOf(port: Port, binding: PortBinding): ShownBinding {
  const { host, vnicType, profile: bindingProfile, hostConfigurations } = binding;
  // What is wrong with the port is so where it is.
  const there = { hostId: host, vnicType, bindingProfile, hostConfigurations };
  const at = Object.assign({}, port, there, { state: 'down' as const });
  return { ...activeOf(at), status: 'INACTIVE' };
}
