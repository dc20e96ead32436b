/**
 * What template threads do: pure functions, of plain data to plain data, of which a large template makes
 * long work. Whoever adds one adds it here.
 */
import { parseText } from '../yaml/parse-text.js';

export const TEMPLATE_WORK = {
  parse: parseText,
} as const;

export type TemplateWork = typeof TEMPLATE_WORK;
export type WorkName = keyof TemplateWork;
