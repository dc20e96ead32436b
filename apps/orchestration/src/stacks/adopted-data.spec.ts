import { expect, it } from '@jest/globals';
import { adoptedData, adoptedStack } from './stack-request.js';

const data = adoptedData({
  template: { resources: {} },
  environment: { parameters: { size: 7 } },
  files: { f: 'left', g: 'left' },
});

it('adopted data has files and an environment, unless the request has others', () => {
  const environment = { parameters: {}, encrypted_param_names: [] };
  const own = { stack_name: 'one', environment, files: { f: 'sent' } };
  expect(adoptedStack(own, data)).toEqual({
    name: 'one',
    template: data.template,
    environment: data.environment,
    files: { f: 'sent', g: 'left' },
  });
  const other = { parameters: { size: 8 } };
  expect(adoptedStack({ stack_name: 'one', environment: other }, data)).toMatchObject({
    environment: other,
    files: data.files,
  });
});
