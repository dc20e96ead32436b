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
  it('lists each with its path and name', () => {
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
  it('creates a route for each, with or without a token', () => {
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

  it('refuses it by name', () => {
    const controller = new RefusingController() as Record<string, () => unknown>;
    expect(() => controller['widgetsList']?.()).toThrow(UnsupportedOperationError);
    expect(() => controller['widgetsList']?.()).toThrow(
      'Widgets: list (GET /v1/widgets) is not supported.',
    );
  });
});
