/**
 * Errors as the platform's clients read them, `{"error": {"code", "message", "title"}}`, and beside
 * that what Barbican's own clients read: `code`, `title` and `description`.
 */
import type { ErrorEnvelope } from '@cumulet/common/http/error-envelope';

export const secretsEnvelope: ErrorEnvelope = ({ status, title, message }) => ({
  error: { code: status, message, title },
  code: status,
  title,
  description: message,
});
