import { TakesBody } from '@cumulet/common/http/body-limits';
import type { OrchestrationConfig } from '../config.js';

const BOUNDS = {
  members: 20_000,
  values: 500_000,
  containers: 40_000,
  items: 40_000,
  texts: 20_000,
};

/** Marks a handler whose body has a template, so that a setting limits its size. */
export function TakesTemplate(): MethodDecorator {
  return TakesBody({ bytes: ({ maxBodyBytes }: OrchestrationConfig) => maxBodyBytes, ...BOUNDS });
}
