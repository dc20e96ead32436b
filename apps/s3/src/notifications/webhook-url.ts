/**
 * Targets of notifications: URLs that events are posted to. Clients name targets by ARNs, so the
 * resource of the ARN is the URL: `arn:aws:sns:::https://example.org/hook`. Pure.
 */
const ARN = /^arn:[a-z-]+:(?:sns|sqs|lambda):[a-z0-9-]*:[A-Za-z0-9-]*:(https?:\/\/.+)$/;
/** Characters. */
const MAX_URL = 2048;

/** @returns undefined for what is not a webhook's, or has a user name or a password */
export function webhookOf(arn: string): URL | undefined {
  const text = ARN.exec(arn)?.[1] ?? '';
  if (text.length > MAX_URL || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.username === '' && url.password === '' ? url : undefined;
}
