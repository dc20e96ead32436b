/**
 * What template threads do: pure functions, of plain data to plain data, of which a large template makes
 * long work. Whoever adds one adds it here.
 */
import { findResourceType } from '../resource-types/registry.js';
import { read } from '../template/read.js';
import type { ReadTemplate, TemplateRequest } from '../template/read-template.js';
import { outlineOf, type TemplateOutline } from '../template/template-outline.js';
import { parseText } from '../template/yaml/parse-text.js';
import type { TextLimits } from '../template/yaml/text-limits.js';

export const TEMPLATE_WORK = {
  parse: parseText,
  read: (request: TemplateRequest, limits: TextLimits): ReadTemplate =>
    read(request, { find: findResourceType }, limits),
  outline: (request: TemplateRequest, limits: TextLimits): TemplateOutline =>
    outlineOf(read(request, { find: findResourceType }, limits)),
} as const;

export type TemplateWork = typeof TEMPLATE_WORK;
export type WorkName = keyof TemplateWork;
