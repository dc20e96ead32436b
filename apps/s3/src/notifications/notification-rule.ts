/**
 * Whom to tell of what happens in a bucket. Public source: Amazon S3 API reference,
 * "NotificationConfiguration".
 */
export const TARGET_KINDS = ['topic', 'queue', 'function'] as const;
/** As which kind of target a rule was configured: each is a webhook here. */
export type TargetKind = (typeof TARGET_KINDS)[number];

export interface NotificationRule {
  readonly id: string;
  readonly kind: TargetKind;
  /** `arn:aws:sns:::https://example.org/hook`: its resource is the URL that events are posted to. */
  readonly arn: string;
  /** `s3:ObjectCreated:*` */
  readonly events: readonly string[];
  readonly prefix?: string;
  readonly suffix?: string;
}
