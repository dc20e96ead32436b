/**
 * Compares a service's answers with its OpenAPI document. Tests do so with every answer that they
 * get, so the document cannot diverge from the service.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Contract } from '@cumulet/common/app/create-http-app';
import { closedSchemas } from './closed-schemas.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

interface Response {
  readonly 'x-may-be-empty'?: boolean;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

interface Operation {
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

/** Every service's paths for operators, which are not part of its API. */
const UNDOCUMENTED = /^\/(healthz|readyz|docs.*)$/;

const REFERENCE = /"#\/components\/schemas\/([^"]*)"/g;

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);

/** By service: its checks, since making the document and compiling its schemas takes long. */
const checks = new WeakMap<object, AnswerCheck>();

export class AnswerCheck {
  readonly #document: Document;
  readonly #templates: readonly { readonly template: string; readonly pattern: RegExp }[];
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: object) {
    this.#document = document as Document;
    this.#templates = Object.keys(this.#document.paths).sort(literalsFirst).map(matcher);
  }

  /** The one of a service, whose document is the same whatever its settings are. */
  static of(service: object, { document }: Contract): AnswerCheck {
    const check = checks.get(service) ?? new AnswerCheck(document());
    checks.set(service, check);
    return check;
  }

  /**
   * @param path the documented one, without a query
   * @throws Error saying which part of the answer the document does not declare
   */
  check(method: string, url: string, path: string, answer: Answer): void {
    if (UNDOCUMENTED.test(path)) return;
    const refuse = (reason: string): never => {
      const start = answer.text.length > 500 ? `${answer.text.slice(0, 500)} …` : answer.text;
      throw new Error(`${method} ${url} answered ${answer.status}, but ${reason}.\n${start}`);
    };
    const found = this.#operation(method, path);
    // A request that no operation answers is refused before routing.
    if (!found) {
      return answer.status < 400 ? refuse('the document has no such operation') : undefined;
    }
    const response = this.#response(found.operation, answer.status);
    if (!response) return refuse(`the document does not say so of ${found.template}`);
    const fault = this.#fault(`${method} ${found.template}`, response, answer, method === 'HEAD');
    if (fault !== undefined) refuse(fault);
  }

  #operation(
    method: string,
    path: string,
  ): { readonly template: string; readonly operation: Operation } | undefined {
    for (const { template, pattern } of this.#templates) {
      if (!pattern.test(path)) continue;
      const item = this.#document.paths[template] ?? {};
      const key = method.toLowerCase();
      const operation = item[key] ?? (key === 'head' ? item.get : undefined);
      if (operation) return { template, operation };
    }
    return undefined;
  }

  #response({ responses }: Operation, status: number): Response | undefined {
    const response = responses[status];
    if (!response || !('$ref' in response)) return response;
    return this.#document.components.responses[response.$ref.split('/').at(-1) ?? ''];
  }

  #fault(name: string, response: Response, answer: Answer, isHead: boolean): string | undefined {
    const { content } = response;
    if (response['x-may-be-empty'] && answer.text === '') return undefined;
    if (isHead || !content) {
      return answer.text === '' ? undefined : 'the document gives it no body';
    }
    const actual = answer.headers.get('Content-Type')?.split(';', 1)[0] ?? '';
    const declared = content[actual];
    if (!declared) {
      const types = Object.keys(content).join(' or ');
      return `its Content-Type is ${actual || 'missing'} and not ${types}`;
    }
    const { schema } = declared;
    if (!schema || actual !== 'application/json') return undefined;
    const validate = this.#validator(name, schema, answer);
    if (validate(answer.body)) return undefined;
    const faults = (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath || 'the body'} ${String(message)} ${JSON.stringify(params)}`,
    );
    return faults.join('; ');
  }

  /** Of the microversion that the answer names, if any. */
  #validator(name: string, schema: object, { status, headers }: Answer): ValidateFunction {
    const version = headers.get('OpenStack-API-Version')?.split(/[ .]/).at(-1);
    const minor = version === undefined ? undefined : Number(version);
    const key = `${name} ${status} ${minor ?? ''}`;
    const known = this.#validators.get(key);
    if (known) return known;
    const components = { schemas: this.#schemasOf(schema) };
    const made = ajv.compile(closedSchemas({ ...schema, components }, minor));
    this.#validators.set(key, made);
    return made;
  }

  /** Those that it refers to, directly or by others: compiling all takes longer than most tests. */
  #schemasOf(schema: object): Readonly<Record<string, object>> {
    const found: Record<string, object> = {};
    const visit = (node: object): void => {
      for (const [, name = ''] of JSON.stringify(node).matchAll(REFERENCE)) {
        const one = this.#document.components.schemas[name];
        if (!one || Object.hasOwn(found, name)) continue;
        found[name] = one;
        visit(one);
      }
    };
    visit(schema);
    return found;
  }
}

/** As the router: from left to right, a literal segment takes precedence over a parameter. */
function literalsFirst(one: string, other: string): number {
  const rank = (path: string): string => path.replaceAll(/\{\w+\}/g, '\uffff');
  return rank(one) < rank(other) ? -1 : 1;
}

function matcher(template: string): { readonly template: string; readonly pattern: RegExp } {
  const source = template
    .split(/\{\w+\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]+');
  return { template, pattern: new RegExp(`^${source}$`) };
}
