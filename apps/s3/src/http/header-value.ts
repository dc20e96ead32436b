/**
 * Names and values of HTTP headers, as they may be kept to be answered later. Node writes no other
 * ones: an object that had one could not be read any more. Public source: RFC 9110, 5.1 and 5.5.
 */
import { S3Error } from './s3-error.js';

const NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/i;
/** Node has headers as Latin-1, a character for each byte. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export function isHeaderName(text: string): boolean {
  return NAME.test(text);
}

/** @param named how its sender calls it. @throws S3Error InvalidArgument */
export function requireHeader(name: string, value: string, named = name): void {
  if (NAME.test(name) && VALUE.test(value)) return;
  const what = NAME.test(name) ? 'The value of' : 'The name of';
  throw new S3Error('InvalidArgument', {
    message: `${what} ${named} cannot stand in a header.`,
    details: { ArgumentName: named, ArgumentValue: value },
  });
}

/** A text as it would have come in a header: in UTF-8. */
export function asHeaderValue(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
