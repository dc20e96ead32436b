import { describe, expect, it } from '@jest/globals';
import { attribute } from '@cumulet/common/resources/attribute';
import { nested } from './nested.js';
import { readNew } from '@cumulet/common/resources/read-body';
import { bodySchemas } from '@cumulet/common/resources/resource.openapi';
import { resourcesBy } from '@cumulet/common/resources/resource';
import { flag, listOf, oneOf, orNull, text } from '@cumulet/common/resources/value-type';

const define = resourcesBy({
  attributes: { name: attribute(text(), { about: 'Its name.', default: '' }) },
  filters: {},
  writeTime: String,
});

const leaf = define({
  singular: 'leaf',
  plural: 'leaves',
  attributes: {
    treeId: attribute(text(), { about: 'Whose it is.', required: true }),
    colour: attribute(oneOf(['red', 'green']), { about: 'Its colour.', required: true }),
  },
});

const branch = define({
  singular: 'branch',
  plural: 'branches',
  attributes: {
    leaves: attribute(listOf(nested(leaf, ['treeId'])), { about: 'On it.', default: [] }),
  },
});

const tree = define({
  singular: 'tree',
  plural: 'trees',
  attributes: {
    branches: attribute(listOf(nested(branch)), { about: 'Its branches.', default: [] }),
    crown: attribute(orNull(nested(branch)), { about: 'Its highest branch.' }),
    evergreen: attribute(flag, { about: 'Whether it keeps its leaves.', default: false }),
  },
});

const read = (body: object) => readNew(tree, { tree: body }).bodies[0];

it('a nested resource is read like a new one, with defaults', () => {
  const body = { branches: [{ leaves: [{ colour: 'red' }] }], crown: { name: 'top' } };
  expect(read(body)).toEqual({
    name: '',
    evergreen: false,
    branches: [{ name: '', leaves: [{ name: '', colour: 'red' }] }],
    crown: { name: 'top', leaves: [] },
  });
});

it('a nested resource has attribute types', () => {
  const colours: ('red' | 'green')[] | undefined = read({
    branches: [{ leaves: [{ colour: 'green' }] }],
  })?.branches.flatMap(({ leaves }) => leaves.map(({ colour }) => colour));
  expect(colours).toEqual(['green']);
});

describe('a nested resource is refused by its path', () => {
  it.each([
    [
      `Invalid input for branches[1].leaves[0].colour. Reason: 'blue' is not in ["red","green"].`,
      { branches: [{}, { leaves: [{ colour: 'blue' }] }] },
    ],
    [
      "Failed to parse request. Required attribute 'branches[0].leaves[0].colour' not specified",
      { branches: [{ leaves: [{}] }] },
    ],
    [
      "Unrecognized attribute(s) 'branches[0].leaves[0].tree_id'",
      { branches: [{ leaves: [{ colour: 'red', tree_id: 'one' }] }] },
    ],
    ["Unrecognized attribute(s) 'crown.colour, crown.size'", { crown: { colour: 1, size: 2 } }],
    ["Invalid input for crown. Reason: 'high' is not a dictionary.", { crown: 'high' }],
    ["Invalid input for branches. Reason: 'many' is not a list.", { branches: 'many' }],
    ["Invalid input for branches[0]. Reason: 'null' is not a dictionary.", { branches: [null] }],
  ])('%s', (message, body) => {
    expect(() => read(body)).toThrow(new Error(message));
  });
});

it("a nested resource is in the body's schema", () => {
  const leaves = { items: { required: ['colour'] } };
  const branches = { type: 'array', items: { properties: { leaves } } };
  expect(bodySchemas(tree).create).toMatchObject({
    properties: {
      tree: { properties: { branches, crown: { type: 'object', nullable: true } } },
    },
  });
});
