/**
 * Values that only health monitors take. They reach a proxy's configuration: what could mean more
 * there than it says is refused. Public source: octavia, `api/v2/types/health_monitor.py`.
 */
import {
  Refusal,
  shortened,
  text,
  valueType,
  type ValueType,
} from '@cumulet/common/resources/value-type';

const anyText = text();

function matching(pattern: RegExp, what: string): ValueType<string> {
  return valueType(String, (value) => {
    const given = anyText.read(value);
    if (!pattern.test(given)) throw new Refusal(`'${shortened(given)}' is not ${what}`);
    return given;
  });
}

/** A path with its query, as RFC 3986 has it; `//` would be a host. */
export const urlPath: ValueType<string> = matching(
  /^\/(?!\/)(?:[A-Za-z0-9\-._~!$&()*+,;=:@/?]|%[0-9A-Fa-f]{2})*$/,
  'a valid URL path',
);

const CODES = /^(?:[1-5]\d{2}(?:\s*,\s*[1-5]\d{2})*|[1-5]\d{2}-[1-5]\d{2})$/;

/** `200`, `200,202` or `200-204`. */
export const statusCodes: ValueType<string> = valueType(String, (value) => {
  const codes = anyText.read(value);
  const [first = '', last] = codes.split('-');
  if (!CODES.test(codes) || /[\n\r]/.test(codes) || (last !== undefined && last < first))
    throw new Refusal(`'${shortened(codes)}' is not a list or a range of HTTP statuses`);
  return codes;
});

const LABEL = String.raw`(?!-)[A-Za-z0-9_-]{1,63}(?<!-)`;

export const domainName: ValueType<string> = matching(
  new RegExp(String.raw`^(?=.{1,253}\.?$)${LABEL}(?:\.${LABEL})*\.?$`),
  'a valid domain name',
);

const VERSIONS = [1.0, 1.1] as const;

/** As a number, in a body and in a query. */
export const httpVersion: ValueType<1.0 | 1.1> = {
  ...valueType<1.0 | 1.1>(
    Number,
    (value) => {
      const found = versionOf(value);
      if (found === undefined) throw new Refusal(`'${shortened(value)}' is not in [1.0,1.1]`);
      return found;
    },
    versionOf,
  ),
};

function versionOf(value: unknown): 1.0 | 1.1 | undefined {
  const isWord = typeof value === 'string' && /^\d\.\d$/.test(value);
  return VERSIONS.find((one) => one === (isWord ? Number(value) : value));
}
