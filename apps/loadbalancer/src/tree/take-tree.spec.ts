import { expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { RequestContext } from '@cumulet/common/context/request-context';
import { takeTree } from './take-tree.js';
import { ImmutableObjectError } from '../resources/octavia.errors.js';

it.each(['changing', 'active'])(
  'a load balancer that was changing is immutable, even if it is %s by the time of the check',
  async (state) => {
    const query = (sql: string): Promise<unknown> =>
      Promise.resolve(sql.startsWith('UPDATE') ? [[], 0] : [{ state }]);
    const tx = RequestContext.system('req', { query } as unknown as EntityManager);
    await expect(takeTree(tx, 'lb')).rejects.toThrow(
      new ImmutableObjectError('Load Balancer', 'lb'),
    );
  },
);
