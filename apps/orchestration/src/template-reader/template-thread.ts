/** The entry file of template threads, which the bundle has beside `template-threads` too. */
import type { MessagePort } from 'node:worker_threads';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { findResourceType } from '../resource-types/registry.js';
import { carriedError, type CarriedError } from '../template/error-transfer.js';
import type { ReadTemplate, TemplateRequest } from '../template/read-template.js';
import { read } from '../template/read.js';
import { outlineOf, type TemplateOutline } from '../template/template-reader.js';
import { TemplateError } from '../template/template.errors.js';
import { parseText } from '../template/yaml/parse-text.js';
import type { TextLimits } from '../template/yaml/text-budget.js';

export interface ThreadTask {
  readonly work: string;
  readonly args: readonly unknown[];
  /** Signalled when the work begins; before, a thread is still loading and does not use its time. */
  readonly begins: MessagePort;
}

export type ThreadOutcome = { readonly result: unknown } | { readonly error: CarriedError };

/** @throws anything but an error of the domain */
export function perform({ work, args, begins }: ThreadTask): ThreadOutcome {
  begins.postMessage(null);
  begins.close();
  const table: Readonly<Record<string, (...args: never[]) => unknown>> = TEMPLATE_WORK;
  try {
    return { result: table[work]?.(...(args as never[])) };
  } catch (error) {
    if (error instanceof DomainError) return { error: carriedError(error) };
    if (isTooDeep(error))
      return { error: carriedError(new TemplateError('The template is nested too deeply.')) };
    throw error;
  }
}

function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}

/** The functions that template threads run: pure, from plain data to plain data. */
export const TEMPLATE_WORK = {
  parse: parseText,
  read: (request: TemplateRequest, limits: TextLimits): ReadTemplate =>
    read(request, { find: findResourceType }, limits),
  outline: (request: TemplateRequest, limits: TextLimits): TemplateOutline =>
    outlineOf(read(request, { find: findResourceType }, limits)),
} as const;

export type TemplateWork = typeof TEMPLATE_WORK;
export type WorkName = keyof TemplateWork;
