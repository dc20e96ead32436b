import { describe, expect, it } from '@jest/globals';
import { groupSpec, rule } from '../test-cloud.fixture.js';
import { securityGroupRows } from './security-group-rows.js';

describe('securityGroupRows', () => {
  it('have no ACL of a rule whose address group has no addresses', () => {
    const group = groupSpec(rule({ remotePrefixes: [] }), rule({ remotePrefixes: ['10.0.0.0/8'] }));
    const rows = securityGroupRows(group);
    const acls = rows.filter(({ table }) => table === 'ACL').map(({ id }) => id);
    const [, , empty, last] = group.rules;
    expect(acls).toContain(last?.id);
    expect(acls).not.toContain(empty?.id);
    expect(rows.at(-1)?.row).toMatchObject({ acls });
  });
});
