import { TakesBody } from '@cumulet/common/http/body-limits';
import type { OrchestrationConfig } from '../config.js';

/** Of a handler whose body has a template: how large it may be, a setting says. */
export function TakesTemplate(): MethodDecorator {
  return TakesBody({ bytes: ({ maxBodyBytes }: OrchestrationConfig) => maxBodyBytes });
}
