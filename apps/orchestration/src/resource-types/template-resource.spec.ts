/** A template resource's attributes. */
import { expect, it } from '@jest/globals';
import type { NestedOutputs, NestedStacks } from './resource-type.js';
import { testScope } from './resource-scope.fixture.js';
import { ATTRIBUTE_ERRORS } from '../template/evaluate.js';
import { templateResource } from './nested-type.js';

const attributesOf = async (outputs: NestedOutputs, names: readonly string[]): Promise<unknown> => {
  const nested: Pick<NestedStacks, 'outputs'> = { outputs: () => Promise.resolve(outputs) };
  const scope = { ...testScope(templateResource), nested: nested as NestedStacks };
  return templateResource.attributesOf?.(scope, names);
};

it('has outputs as attributes, with the reason of a missing one', async () => {
  const outputs = { values: { good: 1, bad: null }, errors: { bad: 'No such thing.' } };
  expect(await attributesOf(outputs, ['good'])).toEqual({ good: 1 });
  expect(await attributesOf(outputs, ['good', 'bad'])).toEqual({
    good: 1,
    bad: null,
    [ATTRIBUTE_ERRORS]: { bad: 'Error in web output bad: No such thing.' },
  });
});
