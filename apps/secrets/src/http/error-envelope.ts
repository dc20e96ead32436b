/**
 * Errors in the form of the other services, `{"error": {"code", "message", "title"}}`, with the `code`,
 * `title` and `description` that Barbican's clients read.
 */
import type { ErrorEnvelope } from '@cumulet/common/http/error-envelope';

export const secretsEnvelope: ErrorEnvelope = ({ status, title, message }) => ({
  error: { code: status, message, title },
  code: status,
  title,
  description: message,
});
