import { defineStates } from '@cumulet/common/states/state-table';

export type PortState = 'building' | 'updating' | 'active' | 'down' | 'error' | 'removing';
export type PortEvent = 'build' | 'update' | 'came-up' | 'went-down' | 'remove' | 'fail' | 'retry';

export function isCarried(state: PortState): boolean {
  return state === 'active' || state === 'updating';
}

/** Public source: Networking API reference, "Ports", `status`. */
export const portStates = defineStates<PortState, PortEvent>({
  resource: 'port',
  table: 'ports',
  initial: 'building',
  states: {
    building: {
      about: 'It is being applied to the data plane. BUILD if it is bound.',
      deadline: 120,
    },
    updating: {
      about: 'Carries packets while a change is applied to the data plane.',
      deadline: 120,
    },
    active: { about: 'Carries packets.' },
    down: { about: 'It is unbound or disabled.' },
    error: { about: 'The data plane could not apply it; a change starts another attempt.' },
    removing: { about: 'Hidden from clients; the data plane is still removing it.', deadline: 120 },
  },
  events: {
    build: {
      from: ['building', 'down', 'error'],
      to: 'building',
      by: 'PUT /v2.0/ports/{port_id}',
    },
    update: { from: ['active', 'updating'], to: 'updating', by: 'PUT /v2.0/ports/{port_id}' },
    'came-up': {
      from: ['building', 'updating', 'active', 'down'],
      to: 'active',
      by: 'reconciler, comparison with the data plane',
    },
    'went-down': {
      from: ['building', 'updating', 'active', 'down'],
      to: 'down',
      by: 'reconciler, comparison with the data plane',
    },
    remove: {
      from: ['building', 'updating', 'active', 'down', 'error'],
      to: 'removing',
      by: 'DELETE /v2.0/ports/{port_id}',
    },
    fail: { from: ['building', 'updating'], to: 'error', by: 'reconciler' },
    retry: { from: ['removing'], to: 'removing', by: 'reconciler' },
  },
  failure: ['fail', 'retry'],
});
