import { afterAll, describe, expect, it } from '@jest/globals';
import type { TemplateRequest } from '../template/read-template.js';
import { UserParameterMissingError } from '../template/template.errors.js';
import { ThreadedTemplateReader } from './threaded-template-reader.js';

const reader = new ThreadedTemplateReader({
  templateThreads: 1,
  templateSeconds: 60,
  templateMegabytes: 256,
  maxTemplateBytes: 64 * 1024,
});

afterAll(() => reader.onModuleDestroy());

const TEMPLATE = `
heat_template_version: 2021-04-16
parameters:
  name: { type: string }
resources:
  net:
    type: OS::Neutron::Net
    properties: { name: { get_param: name } }
`;

const request = (rest: Partial<TemplateRequest>): TemplateRequest => ({
  template: TEMPLATE,
  stack: { id: 'i', name: 'n', projectId: 'p' },
  ...rest,
});

describe('ThreadedTemplateReader', () => {
  it('reads templates with all resource types', async () => {
    const read = await reader.read(request({ parameters: { name: 'private' } }));
    expect(read.resources['net']).toMatchObject({
      implementation: { kind: 'type', type: 'OS::Neutron::Net' },
      properties: { kind: 'value', value: { name: 'private' } },
    });
  });

  it('reports faults', async () => {
    const reading = reader.read(request({}));
    await expect(reading).rejects.toBeInstanceOf(UserParameterMissingError);
    await expect(reading).rejects.toMatchObject({ key: 'name', kind: 'invalid' });
  });

  it('applies the limits of the settings', async () => {
    const template = `${TEMPLATE}# ${'x'.repeat(64 * 1024)}\n`;
    const reading = reader.read(request({ template, parameters: { name: 'private' } }));
    await expect(reading).rejects.toThrow('65536');
  });
});
