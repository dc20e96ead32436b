/** Regions and templates of remote stacks. */
import { describe, expect, it } from '@jest/globals';
import { InvalidTemplateSectionError } from '../../template/template.errors.js';
import { testScope, type Answers } from '../resource-scope.fixture.js';
import type { Inquiry } from '../resource-type.js';
import { remoteStack } from './remote-stack.js';
import type { Properties } from '../../constraints/property-schema.js';

const surroundings = { environment: { resource_registry: {} }, files: { 'a.yaml': 'a' } };

function catalogOf(...regions: string[]): Answers {
  const endpoints = regions.map((region) => ({ region_id: region, interface: 'public' }));
  const other = { type: 'compute', endpoints: [{ region_id: 'other' }] };
  const catalog = [other, { type: 'orchestration', endpoints }];
  return { 'GET /v3/auth/catalog': { catalog } };
}

function inquire(
  properties: Properties,
  answers: Answers,
  readTemplate: Inquiry['readTemplate'] = () => Promise.resolve(),
): Promise<void> | undefined {
  const { actor, services } = testScope(remoteStack, { answers });
  const inquiry = { actor, services, surroundings, readTemplate };
  return remoteStack.inquire?.({ template: 'text', ...properties }, inquiry);
}

const inRegion = (name: string): Properties => ({ context: { region_name: name } });

describe('a region', () => {
  it("may be orchestration's own", async () => {
    await inquire(inRegion('one'), catalogOf('one', 'one'));
  });

  it('without orchestration is refused', async () => {
    await expect(inquire(inRegion('other'), catalogOf('one'))).rejects.toThrow(
      'Cannot establish connection to Heat endpoint at region "other" due to "public endpoint ' +
        'for orchestration service in other region not found"',
    );
  });

  it('is refused if there are several, because orchestration does not know its own', async () => {
    await expect(inquire(inRegion('one'), catalogOf('one', 'two'))).rejects.toThrow(
      'Stacks in other regions are not supported.',
    );
  });

  it('is checked again before the stack is created', async () => {
    const options = { properties: inRegion('other'), answers: catalogOf('one') };
    const scope = testScope(remoteStack, options);
    await expect(remoteStack.create(scope)).rejects.toThrow('at region "other"');
    expect(scope.requests).toHaveLength(1);
  });
});

describe('a template', () => {
  it('is read with the environment and files of the stack', async () => {
    const read: object[] = [];
    await inquire({ parameters: { a: 1 } }, {}, (one) => Promise.resolve(void read.push(one)));
    expect(read).toEqual([{ template: 'text', parameters: { a: 1 }, ...surroundings }]);
  });

  it('is refused with its path', async () => {
    const refusal = inquire(inRegion('one'), catalogOf('one'), () =>
      Promise.reject(new InvalidTemplateSectionError('resource')),
    );
    await expect(refusal).rejects.toThrow(
      'Failed validating stack template using Heat endpoint at region "one" due to ' +
        '"ERROR: The template section is invalid: resource"',
    );
  });
});
