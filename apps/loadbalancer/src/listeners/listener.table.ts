import { Table } from '@cumulet/common/tables/table';
import { NotFoundError } from '../tree/tree.errors.js';
import { Listener } from './listener.entity.js';
import { DuplicateListenerEntryError } from './listener.errors.js';

export const listeners = new Table(Listener, {
  missing: (key) => new NotFoundError('Listener', typeof key === 'string' ? key : ''),
  refusals: {
    listeners_port_key: ({ protocol = '', protocolPort = 0 }) =>
      new DuplicateListenerEntryError(protocol, protocolPort),
  },
});
