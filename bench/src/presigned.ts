/** Addresses that carry their signature: so what is measured signs nothing on the way. */
import {
  ALGORITHM,
  canonicalRequest,
  hmac,
  scopeText,
  signingKey,
  stringToSign,
} from '@cumulet/s3/auth/signatures/v4';
import type { ObjectsFacts } from './protocol.js';

const HOURS = '43200';

type Key = Pick<ObjectsFacts, 'url' | 'access' | 'secret'>;

/** @param path `/bucket/key`, followed by a query where there is one */
export function presigned({ url, access, secret }: Key, method: string, path: string): string {
  const [rawPath = '/', query = ''] = path.split('?');
  const { time, scope } = now(access);
  const signing = {
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${access}/${scopeText(scope)}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': HOURS,
    'X-Amz-SignedHeaders': 'host',
  };
  const rawQuery = [query, new URLSearchParams(signing).toString()].filter(Boolean).join('&');
  const signed = { scope, time, signedHeaders: ['host'], payload: 'UNSIGNED-PAYLOAD' };
  const request = { method, rawPath, rawQuery, headers: {}, host: new URL(url).host };
  const text = stringToSign(canonicalRequest(request, signed), signed);
  const signature = hmac(signingKey(secret, scope), text).toString('hex');
  return `${url}${rawPath}?${rawQuery}&X-Amz-Signature=${signature}`;
}

/** Fields of a form that stores an object. @param bucket to which it is posted */
export function signedForm(
  { access, secret }: Omit<Key, 'url'>,
  bucket: string,
): [string, string][] {
  const { time, scope } = now(access);
  const fields: [string, string][] = [
    ['key', 'posted'],
    ['x-amz-algorithm', ALGORITHM],
    ['x-amz-credential', `${access}/${scopeText(scope)}`],
    ['x-amz-date', time],
  ];
  const conditions = [{ bucket }, ...fields.map(([name, value]) => ({ [name]: value }))];
  const expiration = new Date(Date.now() + Number(HOURS) * 1000).toISOString();
  const policy = Buffer.from(JSON.stringify({ expiration, conditions })).toString('base64');
  const signature = hmac(signingKey(secret, scope), policy).toString('hex');
  return [...fields, ['policy', policy], ['x-amz-signature', signature]];
}

function now(access: string) {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return { time, scope: { access, date: time.slice(0, 8), region: 'us-east-1' } };
}
