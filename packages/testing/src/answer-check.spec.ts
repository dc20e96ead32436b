import 'reflect-metadata';
import { Controller, Delete, Get, Module, Post, Query, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Allow, Public } from '@cumulet/common/auth/access';
import { platformEnvelope } from '@cumulet/common/http/error-envelope';
import { StringField } from '@cumulet/common/http/fields';
import { openApiDocument } from '@cumulet/common/http/openapi';
import { Operation } from '@cumulet/common/http/operation';
import { AdditionalProperties, Shown } from '@cumulet/common/http/shown';
import { StoredAnswers } from '@cumulet/common/idempotency/stored-answers';
import { AnswerCheck } from './answer-check.js';

class Part {
  @Shown('integer', 'Its number.')
  number: number;
}

class Widget {
  @Shown(String, 'Its name.', { nullable: true })
  name: string | null;

  @Shown('date-time', 'When it was made.', { optional: true })
  made_at?: string;

  @Shown([() => Part], 'Its parts.')
  parts: Part[];

  @Shown(() => Part, 'The part that it began with.', { nullable: true, since: 5 })
  first?: Part | null;

  @Shown(String, 'An empty text.', { until: 9 })
  @Shown('integer', 'None.', { since: 10 })
  swap: '' | number;
}

@AdditionalProperties(String)
class Labels {
  @Shown(Boolean, 'Whether it has any.')
  any: boolean;
}

class WidgetQuery {
  @StringField({ optional: true })
  name?: string;
}

@Controller('widgets')
class WidgetsController {
  @Get()
  @Public()
  @Operation('List widgets', Widget, { errors: [409], also: { 300: Labels } })
  list(@Query() _query: WidgetQuery): void {
    // Never called.
  }

  @Get(['labels', 'tags'])
  @Public()
  @Operation('List labels', Labels)
  labels(): void {
    // Never called.
  }

  @Get('picture')
  @Public()
  @Operation('Show a picture', Widget, { contentType: ['text/plain', 'image/png'] })
  picture(): void {
    // Never called.
  }

  @Post()
  @Allow('member')
  @Operation('Create a widget', Widget, { creates: true })
  create(): void {
    // Never called.
  }

  @Delete(':widget_id')
  @Allow('member')
  @Operation('Delete a widget', null)
  delete(): void {
    // Never called.
  }
}

@Controller('gadgets')
class GadgetsController {
  @Get()
  @Public()
  @Operation('List widgets', Widget)
  list(): void {
    // Never called.
  }
}

@Controller('trinkets')
class TrinketsController {
  @Post()
  @Allow('member')
  @Operation('Create a trinket', Widget)
  create(): void {
    // Never called.
  }
}

async function documentOf(...controllers: Type[]): Promise<OpenAPIObject> {
  @Module({ controllers, providers: [StoredAnswers] })
  class WidgetsModule {}
  const app = await NestFactory.create<NestFastifyApplication>(
    WidgetsModule,
    new FastifyAdapter(),
    {
      logger: false,
      abortOnError: false,
    },
  );
  return openApiDocument(app, { title: 'Widgets', envelope: platformEnvelope });
}

let document: OpenAPIObject;
let answers: AnswerCheck;

beforeAll(async () => {
  document = await documentOf(WidgetsController);
  answers = new AnswerCheck(document);
});

const widget = { name: null, parts: [{ number: 1 }], swap: '' };

/** What is wrong with a `GET /widgets` that answers so. */
function fault(body: unknown, status = 200, version?: string, url = '/widgets?name=x'): string {
  const headers = new Headers({ 'Content-Type': 'application/json; charset=utf-8' });
  if (version !== undefined) headers.set('OpenStack-API-Version', `compute ${version}`);
  try {
    answers.check('GET', url, url.split('?', 1)[0] ?? '', {
      status,
      headers,
      text: JSON.stringify(body),
      body,
    });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('an answer', () => {
  it.each<[string, unknown, string]>([
    ['is what its class says', widget, '2.1'],
    ['has what is optional', { ...widget, made_at: '2026-01-01T00:00:00Z' }, '2.1'],
    ['has what came with its microversion', { ...widget, first: null }, '2.5'],
    ['has the shape of its microversion', { ...widget, first: { number: 1 }, swap: 0 }, '2.10'],
  ])('passes where it %s', (_, body, version) => {
    expect(fault(body, 200, version)).toBe('');
  });

  it.each<[string, unknown, string, string]>([
    ['lacks a property', { ...widget, parts: undefined }, "'parts'", '2.1'],
    [
      'has a property more',
      { ...widget, parts: [{ number: 1, of: 2 }] },
      '/parts/0 must NOT',
      '2.1',
    ],
    ['has null where there is none', { ...widget, parts: null }, '/parts must be array', '2.1'],
    ['has another type', { ...widget, parts: [{ number: '1' }] }, '/parts/0/number must be', '2.1'],
    ['has another format', { ...widget, made_at: 'today' }, '/made_at must match format', '2.1'],
    ['is before its microversion', { ...widget, first: null }, 'must NOT', '2.4'],
    ['lacks what came with its microversion', widget, "'first'", '2.5'],
    ['has the shape of before', { ...widget, first: null }, '/swap must be integer', '2.10'],
  ])('is refused where it %s', (_, body, reason, version) => {
    const message = fault(JSON.parse(JSON.stringify(body)), 200, version);
    expect(message).toContain('GET /widgets?name=x answered 200');
    expect(message).toContain(reason);
  });

  it('may have the open parts of its class, in their shape', () => {
    const labelled = (labels: object): string => fault(labels, 200, undefined, '/widgets/tags');
    expect(labelled({ any: true, colour: 'red' })).toBe('');
    expect(labelled({ any: true, colour: 1 })).toContain('/colour must be string');
  });

  it('has a documented type, and as JSON the shape of its class', () => {
    const ofType = (type: string, body: unknown): string => {
      const headers = new Headers({ 'Content-Type': type });
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      try {
        answers.check('GET', '/widgets/picture', '/widgets/picture', {
          status: 200,
          headers,
          text,
          body,
        });
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(ofType('text/plain; charset=utf-8', 'a picture')).toBe('');
    expect(ofType('image/png', 'a picture')).toBe('');
    expect(ofType('application/json', widget)).toBe('');
    expect(ofType('application/json', {})).toContain("'parts'");
    expect(ofType('text/html', 'a picture')).toContain(
      'its Content-Type is text/html and not application/json or text/plain or image/png',
    );
  });

  it('has a documented status', () => {
    expect(fault({}, 418)).toContain('the document does not say so of /widgets');
    expect(fault({ conflictingRequest: { code: 409, message: 'Taken.' } }, 409)).toBe('');
    expect(fault({ conflict: { code: 409, message: 'Taken.' } }, 409)).toContain('must NOT');
    expect(fault({ conflictingRequest: { code: 400, message: '' } }, 409)).toContain('/code');
  });

  it('belongs to a documented operation', () => {
    expect(fault({}, 200, undefined, '/others')).toContain('no such operation');
    expect(fault({}, 404, undefined, '/others')).toBe('');
  });
});

describe('the document', () => {
  const refusals = (responses: object | undefined): string =>
    Object.keys(responses ?? {}).join(' ');

  it('has the refusals that follow from the route', () => {
    const { paths } = document;
    expect(refusals(paths['/widgets']?.get?.responses)).toBe('200 300 400 409 500 503');
    expect(refusals(paths['/widgets']?.post?.responses)).toBe(
      '201 400 401 403 408 409 413 415 422 500 503',
    );
    expect(refusals(paths['/widgets/{widget_id}']?.delete?.responses)).toBe(
      '204 400 401 403 404 408 413 415 500 503',
    );
  });

  it('says who may call an operation', () => {
    const { get, post } = document.paths['/widgets'] ?? {};
    expect([get?.security, post]).toMatchObject([[], { 'x-roles': ['member'] }]);
    expect(post?.description).toBe('Needs the role member on the project of the token.');
  });

  it('declares the parameters of a path that no handler takes', () => {
    expect(document.paths['/widgets/{widget_id}']?.delete?.parameters).toEqual([
      { name: 'widget_id', in: 'path', required: true, schema: { type: 'string' } },
    ]);
  });

  it('declares the Idempotency-Key of an operation that creates', () => {
    expect(document.paths['/widgets']?.post?.parameters).toMatchObject([
      { name: 'Idempotency-Key', in: 'header', required: false, schema: { maxLength: 255 } },
    ]);
  });

  it('is not generated if a POST does not say whether it creates', async () => {
    await expect(documentOf(TrinketsController)).rejects.toThrow(
      'TrinketsController.create does not say whether it creates something',
    );
  });

  it('has null as a type, and a class by its reference', () => {
    expect(document.components?.schemas?.Widget).toMatchObject({
      required: ['name', 'parts'],
      properties: {
        name: { type: ['string', 'null'] },
        first: { anyOf: [{ $ref: '#/components/schemas/Part' }, { type: 'null' }] },
      },
    });
  });

  it('numbers an operation of several paths', () => {
    const ids = ['/widgets/labels', '/widgets/tags'].map(
      (path) => document.paths[path]?.get?.operationId,
    );
    expect(ids).toEqual(['listLabels', 'listLabels2']);
  });

  it('is not generated if two operations have the same name', async () => {
    await expect(documentOf(WidgetsController, GadgetsController)).rejects.toThrow(
      'WidgetsController.list and GadgetsController.list are both called listWidgets',
    );
  });
});
