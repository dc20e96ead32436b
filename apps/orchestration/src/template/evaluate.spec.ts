import { describe, expect, it } from '@jest/globals';
import { ALL_ATTRIBUTES } from './expression.js';
import { ATTRIBUTE_ERRORS, referencesTo, STEPS_TO_MEMBERS } from './evaluate.js';

const references = referencesTo([
  {
    name: 'web',
    reference: 'id-of-web',
    attributes: { addresses: [{ ip: '192.0.2.1' }], show: { id: 'x' } },
  },
]);

describe('references to resources', () => {
  it('resolve to its reference', () => {
    expect(references.referenceOf('web')).toBe('id-of-web');
  });

  it('resolve to attributes, and parts of them', () => {
    expect(references.attributeOf('web', 'addresses', [0, 'ip'])).toBe('192.0.2.1');
    expect(references.attributeOf('web', 'addresses', [1, 'ip'])).toBeNull();
    expect(references.attributeOf('web', 'addresses', [-1, 'ip', 2])).toBe('2');
    expect(references.attributeOf('web', 'show', ['id'])).toBe('x');
  });

  it('apply a path to each member', () => {
    const attributes = {
      names: ['ab', 'cd'],
      all: { names: { one: 'ab', two: 'cd' } },
      [STEPS_TO_MEMBERS]: { names: 0, all: 1 },
    };
    const group = referencesTo([{ name: 'group', reference: '', attributes }]);
    expect(group.attributeOf('group', 'names', [0])).toEqual(['a', 'c']);
    expect(group.attributeOf('group', 'all', ['names'])).toEqual({ one: 'ab', two: 'cd' });
    expect(group.attributeOf('group', 'all', ['names', -1])).toEqual({ one: 'b', two: 'd' });
    expect(group.attributeOf('group', 'all', ['others', 0])).toBeNull();
    expect(group.attributeOf('group', ALL_ATTRIBUTES, [])).toEqual({
      names: attributes.names,
      all: attributes.all,
    });
  });

  it("resolve to all attributes except the service's representation", () => {
    expect(references.attributeOf('web', ALL_ATTRIBUTES, [])).toEqual({
      addresses: [{ ip: '192.0.2.1' }],
    });
  });

  it('report why an attribute is missing', () => {
    const attributes = { one: 1, two: null, [ATTRIBUTE_ERRORS]: { two: 'Error in web.' } };
    const some = referencesTo([{ name: 'web', reference: '', attributes }]);
    expect(some.attributeOf('web', 'one', [])).toBe(1);
    expect(some.attributeOf('web', ALL_ATTRIBUTES, [])).toEqual({ one: 1, two: null });
    expect(() => some.attributeOf('web', 'two', [])).toThrow('Error in web.');
  });

  it('are refused for missing resources', () => {
    expect(() => references.referenceOf('constructor')).toThrow('"constructor"');
    expect(() => references.attributeOf('web', 'constructor', [])).toThrow('(web constructor)');
  });
});
