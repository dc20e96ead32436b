/**
 * The service's own pages of a website, for errors and redirects. Values from requests are escaped.
 * Public source: Amazon S3 user guide, "Configuring a custom error document". Pure.
 */
import { STATUS_CODES } from 'node:http';
import type { Failure } from '../http/error-answer.js';
import type { Html, S3Answer } from '../http/s3-answer.js';

const HTML = 'text/html; charset=utf-8';

const CUSTOM_FAILED =
  '<h3>An Error Occurred While Attempting to Retrieve a Custom Error Document</h3>' as Html;

/** @param second why the website's own error document could not be shown, if it has one */
export function errorPage(
  { status, headers, ...failure }: Failure,
  requestId: string,
  second?: Failure,
): S3Answer {
  const { code: errorCode } = failure;
  if (status === 304) return { status, headers, errorCode };
  const why = second ? [CUSTOM_FAILED, list(linesOf(second))] : [];
  const lines = [...linesOf(failure), ['RequestId', requestId], ['HostId', requestId]] as const;
  return {
    status,
    errorCode,
    headers: { 'content-type': HTML, 'x-amz-error-code': errorCode, ...headers },
    body: page(status, [list(lines), ...why]),
  };
}

/** @param location as it is to be in the header: encoded */
export function redirectPage(status: number, location: string): S3Answer {
  if (status === 304) return { status, headers: { location } };
  return { status, headers: { 'content-type': HTML, location }, body: page(status, []) };
}

type Line = readonly [name: string, value: string | number];

function linesOf({ code, message, details }: Omit<Failure, 'status' | 'headers'>): Line[] {
  return [['Code', code], ['Message', message], ...Object.entries(details)];
}

function list(lines: readonly Line[]): Html {
  const items = lines.map(([name, value]) => `<li>${name}: ${escaped(String(value))}</li>`);
  return ['<ul>', ...items, '</ul>'].join('\n') as Html;
}

function page(status: number, parts: readonly Html[]): Html {
  const title = `${status} ${STATUS_CODES[status] ?? ''}`.trim();
  const head = `<html>\n<head><title>${title}</title></head>\n<body>\n<h1>${title}</h1>`;
  return [head, ...parts, '<hr/>', '</body>', '</html>', ''].join('\n') as Html;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (one) => ENTITIES[one] ?? one);
}
