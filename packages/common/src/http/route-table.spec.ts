import 'reflect-metadata';
import { Controller, Delete, Get, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { describe, expect, it } from '@jest/globals';
import { Allow, Authenticated, Public } from '../auth/access.js';
import { routesOf, routesOfControllers } from './route-table.js';

@Controller('widgets')
class WidgetsController {
  @Get()
  @Allow('reader')
  list(): void {
    return undefined;
  }

  @Delete(':widget_id')
  @Allow('member')
  delete(): void {
    return undefined;
  }

  /** No handler, so it needs no rule. */
  help(): void {
    return undefined;
  }
}

@Controller(['a', 'b'])
class TwicePathsController {
  @Get(['x', 'y/:id/z'])
  @Public()
  read(): void {
    return undefined;
  }

  @Post('x')
  @Authenticated()
  write(): void {
    return undefined;
  }
}

@Controller('gaps')
class GapsController {
  @Get()
  @Allow('reader')
  closed(): void {
    return undefined;
  }

  @Post()
  open(): void {
    return undefined;
  }
}

describe('the route table', () => {
  it('lists each handler with its rule, sorted by path', () => {
    expect(routesOfControllers([WidgetsController])).toEqual([
      {
        method: 'GET',
        path: '/widgets',
        access: { kind: 'role', role: 'reader' },
        handler: 'WidgetsController.list',
      },
      {
        method: 'DELETE',
        path: '/widgets/{widget_id}',
        access: { kind: 'role', role: 'member' },
        handler: 'WidgetsController.delete',
      },
    ]);
  });

  it('has a row for each path of a handler', () => {
    const routes = routesOfControllers([TwicePathsController]);
    expect(routes.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /a/x',
      'POST /a/x',
      'GET /a/y/{id}/z',
      'GET /b/x',
      'POST /b/x',
      'GET /b/y/{id}/z',
    ]);
  });

  it('fails for a handler without a rule', () => {
    expect(() => routesOfControllers([WidgetsController, GapsController])).toThrow(
      'GapsController.open says not who may call it',
    );
  });

  it('of an application equals that of its controllers', async () => {
    @Module({ controllers: [WidgetsController] })
    class Inner {}
    @Module({ imports: [Inner], controllers: [TwicePathsController] })
    class Outer {}
    const app = await NestFactory.createApplicationContext(Outer, { logger: false });
    expect(routesOf(app)).toEqual(routesOfControllers([WidgetsController, TwicePathsController]));
    await app.close();
  });
});
