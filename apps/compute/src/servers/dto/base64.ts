const BASE64 = /^[A-Za-z0-9+/\s]*(?:={1,2}\s*)?$/;

/** Whether the text is base64, which may be broken into lines. */
export function isBase64(value: unknown): value is string {
  if (typeof value !== 'string' || !BASE64.test(value)) return false;
  return value.replaceAll(/\s/g, '').length % 4 === 0;
}
