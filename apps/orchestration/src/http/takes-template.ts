import { TakesBody } from '@cumulet/common/http/body-limits';
import type { OrchestrationConfig } from '../config.js';

const BOUNDS = {
  members: 20_000,
  values: 500_000,
  containers: 40_000,
  items: 40_000,
  texts: 20_000,
};

/** Of a handler whose body has a template: how large it may be, a setting says. */
export function TakesTemplate(): MethodDecorator {
  return TakesBody({ bytes: ({ maxBodyBytes }: OrchestrationConfig) => maxBodyBytes, ...BOUNDS });
}
