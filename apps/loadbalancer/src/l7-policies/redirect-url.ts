/**
 * Where a policy redirects to. It goes into a header and a proxy's configuration as it is: a URL of
 * RFC 3986 without what ends a word or a line there, or is never sent (a fragment). Public source:
 * octavia, `common/validate.py`, `url`.
 */
import {
  Refusal,
  shortened,
  text,
  valueType,
  type ValueType,
} from '@cumulet/common/resources/value-type';

const AUTHORITY = String.raw`(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?`;
const REST = String.raw`(?:[/?](?:[A-Za-z0-9\-._~!$&()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)?`;
const URL_PATTERN = new RegExp(`^https?://${AUTHORITY}${REST}$`, 'i');

const anyText = text();

export const redirectUrl: ValueType<string> = valueType(String, (value) => {
  const url = anyText.read(value);
  if (!URL_PATTERN.test(url) || !URL.canParse(url))
    throw new Refusal(`'${shortened(url)}' is not a valid URL`);
  return url;
});
