import { Table } from '@cumulet/common/tables/table';
import { Stack } from './stack.entity.js';
import { EntityNotFoundError, StackExistsError } from './stack.errors.js';

export const stackTable = new Table(Stack, {
  missing: (key) => new EntityNotFoundError('Stack', typeof key === 'string' ? key : ''),
  refusals: { stacks_name_key: ({ name = '' }) => new StackExistsError(name) },
});
