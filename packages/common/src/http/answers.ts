/** Answers that hold one thing, or several, under the name of what they are. */
import type { Type } from '@nestjs/common';
import { answerClass, Shown } from './shown.js';

/** The class of `{"server": {…}}`. */
export function shownUnder(kind: string, view: Type, about = sentence(kind)): Type {
  return answerClass(`${view.name}Answer`, { [kind]: Shown(() => view, about) });
}

/** The class of `{"servers": […]}`. */
export function allUnder(plural: string, view: Type, about = sentence(plural)): Type {
  return answerClass(`${view.name}List`, { [plural]: Shown([() => view], about) });
}

function sentence(name: string): string {
  return `The ${name.replaceAll('_', ' ')}.`;
}
