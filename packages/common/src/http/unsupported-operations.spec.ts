import 'reflect-metadata';
import { Controller } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { UnsupportedOperationError } from '../errors/domain-error.js';
import { routesOfControllers } from './route-table.js';
import { operationsOf, Refuses } from './unsupported-operations.js';

const operations = operationsOf([
  {
    of: 'Widgets',
    under: '/v1/widgets',
    operations: { 'GET ': 'list', 'PUT /{widget_id}/parts': 'change the parts' },
  },
  { of: 'Keys', under: '/v1/keys', isPublic: true, operations: { 'POST ': 'draw a key' } },
]);

@Controller()
@Refuses(operations)
class RefusingController {}

describe('operationsOf', () => {
  it('writes each out with its path and its name', () => {
    expect(operations).toEqual([
      { method: 'GET', path: '/v1/widgets', name: 'Widgets: list', isPublic: false },
      {
        method: 'PUT',
        path: '/v1/widgets/{widget_id}/parts',
        name: 'Widgets: change the parts',
        isPublic: false,
      },
      { method: 'POST', path: '/v1/keys', name: 'Keys: draw a key', isPublic: true },
    ]);
  });
});

describe('Refuses', () => {
  it('makes a route of each, for whoever has a token or for anyone', () => {
    const access = { kind: 'authenticated' };
    const operation = { status: 501, errors: [], creates: false };
    expect(routesOfControllers([RefusingController])).toEqual([
      {
        method: 'POST',
        path: '/v1/keys',
        access: { kind: 'public' },
        handler: 'RefusingController.keysDrawAKey',
        operation,
      },
      {
        method: 'GET',
        path: '/v1/widgets',
        access,
        handler: 'RefusingController.widgetsList',
        operation,
      },
      {
        method: 'PUT',
        path: '/v1/widgets/{widget_id}/parts',
        access,
        handler: 'RefusingController.widgetsChangeTheParts',
        operation,
      },
    ]);
  });

  it('refuses it by its name', () => {
    const controller = new RefusingController() as Record<string, () => unknown>;
    expect(() => controller['widgetsList']?.()).toThrow(UnsupportedOperationError);
    expect(() => controller['widgetsList']?.()).toThrow(
      'Widgets: list (GET /v1/widgets) is not supported.',
    );
  });
});
