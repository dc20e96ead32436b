/**
 * What a signature of version 4 says of itself. Public source: AWS Signature Version 4 for API
 * requests, "Elements of a request signature".
 */

/** `20261123/us-east-1/s3/aws4_request` */
export interface Scope {
  readonly access: string;
  /** `20261123` */
  readonly date: string;
  readonly region: string;
}

export const ALGORITHM = 'AWS4-HMAC-SHA256';

const CREDENTIAL = /^([\x21-\x7e]+)\/(\d{8})\/([a-zA-Z0-9-]{1,64})\/s3\/aws4_request$/;
const TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** @param credential `<access key>/<date>/<region>/s3/aws4_request`; undefined if it is none */
export function scopeOf(credential: string): Scope | undefined {
  const [, access, date, region] = CREDENTIAL.exec(credential) ?? [];
  if (access === undefined || date === undefined || region === undefined) return undefined;
  return { access, date, region };
}

export function scopeText({ date, region }: Scope): string {
  return `${date}/${region}/s3/aws4_request`;
}

/** @param text `20261123T101500Z` @returns milliseconds since the epoch, or undefined */
export function timeOf(text: string): number | undefined {
  const [, ...parts] = TIME.exec(text) ?? [];
  if (parts.length === 0) return undefined;
  const [year, month, day, hour, minute, second] = parts;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}
