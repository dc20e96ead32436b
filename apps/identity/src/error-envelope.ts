import type { ErrorEnvelope } from '@cumulet/common/http/error-envelope';

/** `{"error": {"code": 404, "message": "…", "title": "Not Found"}}`, as Keystone v3 answers. */
export const identityEnvelope: ErrorEnvelope = ({ status, message, title }) => ({
  error: { code: status, message, title },
});
