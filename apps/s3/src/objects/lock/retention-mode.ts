/** How firmly a version is retained. Public source: Amazon S3 user guide, "S3 Object Lock". */
export type RetentionMode = 'GOVERNANCE' | 'COMPLIANCE';
