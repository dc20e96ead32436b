import { describe, expect, it } from '@jest/globals';
import { testScope } from '../resource-scope.fixture.js';
import type { Inquiry, NestedStack, NestedStacks, NestedTemplate } from '../resource-type.js';
import { nestedStack } from './nested-stack.js';
import { PropertyError } from '../../constraints/property.errors.js';

const FILES = { 'http://a/b.template': '{}' };
const SURROUNDINGS = { environment: { parameters: {} }, files: FILES };
const properties = { TemplateURL: 'http://a/b.template', Parameters: { size: 1 } };
const MADE = { template: '{}', ...SURROUNDINGS, parameters: { size: 1 } };

const nestedWith = (status: NestedStack['status'], made: NestedTemplate[] = []): NestedStacks =>
  ({
    surroundings: () => Promise.resolve(SURROUNDINGS),
    create: (template: NestedTemplate) => Promise.resolve(void made.push(template)).then(() => 'b'),
    update: (template: NestedTemplate) => Promise.resolve(void made.push(template)),
    find: () => Promise.resolve({ id: 'b', action: 'CREATE', status, reason: 'No room.' }),
    outputs: () => Promise.resolve({ values: { Address: 'a' }, errors: { Bad: 'It is bad.' } }),
  }) as unknown as NestedStacks;

describe("a nested stack in AWS's terms", () => {
  it('is created from the file of its URL', async () => {
    const made: NestedTemplate[] = [];
    const scope = testScope(nestedStack, { properties });
    const created = await nestedStack.create({ ...scope, nested: nestedWith('COMPLETE', made) });
    const reference = 'arn:openstack:heat::project-1:stacks/shop-web-k3jd8s2mxq5p/b';
    expect(created).toEqual({ physicalId: 'b', data: { reference } });
    expect(nestedStack.referenceOf?.({ ...scope.row, data: { reference } })).toBe(reference);
    const change = { before: properties, changed: new Set<string>(), metadataBefore: {} };
    await nestedStack.update?.({ ...scope, nested: nestedWith('COMPLETE', made) }, change);
    expect(made).toEqual([MADE, MADE]);
  });

  it('is read in advance, and refused if the file was not sent', async () => {
    const read: unknown[] = [];
    const inquiry = {
      surroundings: SURROUNDINGS,
      readTemplate: (template: unknown) => Promise.resolve(void read.push(template)),
    } as unknown as Inquiry;
    await nestedStack.inquire?.(properties, inquiry);
    expect(read).toEqual([MADE]);
    const other = nestedStack.inquire?.({ TemplateURL: 'http://a/c' }, inquiry);
    await expect(other).rejects.toThrow(PropertyError);
    await expect(other).rejects.toThrow('http://a/c is not among the files of the stack');
  });

  it('fails after its timeout', async () => {
    const given = { ...properties, TimeoutInMinutes: 1 };
    const scope = testScope(nestedStack, { properties: given });
    const { data = {} } = await nestedStack.create({ ...scope, nested: nestedWith('COMPLETE') });
    expect(data['until']).toEqual(expect.any(String));
    const at = (until: Date, status: NestedStack['status']) => ({
      ...testScope(nestedStack, { properties: given, data: { until: until.toISOString() } }),
      nested: nestedWith(status),
    });
    const past = new Date(Date.now() - 1_000);
    const later = new Date(Date.now() + 60_000);
    expect(await nestedStack.isCreated?.(at(later, 'IN_PROGRESS'))).toBe(false);
    expect(await nestedStack.isCreated?.(at(past, 'COMPLETE'))).toBe(true);
    await expect(nestedStack.isCreated?.(at(past, 'IN_PROGRESS'))).rejects.toThrow('longer than');
    await expect(nestedStack.isCreated?.(at(later, 'FAILED'))).rejects.toThrow('No room.');
  });

  it('has its outputs as attributes', async () => {
    const scope = { ...testScope(nestedStack, { properties }), nested: nestedWith('COMPLETE') };
    const names = ['Outputs.Address', 'Outputs.Bad'];
    expect(await nestedStack.attributesOf?.(scope, names)).toEqual({
      'Outputs.Address': 'a',
      'Outputs.Bad': null,
      '': { 'Outputs.Bad': 'Error in web output Bad: It is bad.' },
    });
    expect(['Outputs.A', 'Other'].map((name) => nestedStack.isAttribute?.(name))).toEqual([
      true,
      false,
    ]);
  });
});
