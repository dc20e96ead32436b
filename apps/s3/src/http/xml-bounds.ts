/**
 * How much XML may hold, judged on its text in one pass before a tree is made of it: what a document
 * costs then follows from its bytes. Pure.
 */
export interface XmlBounds {
  /** Elements, comments, instructions and sections of characters in all. */
  readonly elements: number;
}

/** As the largest list of objects to delete has, with all that S3 takes of each. */
export const XML_BOUNDS: XmlBounds = { elements: 20_000 };

/** Different names of elements: S3 has fewer. */
const MAX_NAMES = 200;
/** In all: grants have two each. */
const MAX_ATTRIBUTES = 1_000;
/** References to characters, `&lt;`: each is looked up by itself. */
const MAX_REFERENCES = 20_000;
/** Characters between an opening angle and its closing one. */
const MAX_TAG = 4_096;

/** Of characters between two tags: a key with a reference for each of its characters has fewer. */
const MAX_TEXT = 16_384;

/** What begins with these goes on until those. */
const SECTIONS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

const NAME = /[^\s/>]*/y;

/** @returns what is wrong, as a sentence; undefined for what may be parsed */
export function excessOfXml(text: string, { elements } = XML_BOUNDS): string | undefined {
  const names = new Set<string>();
  let [marks, attributes] = [0, 0];
  if (text.split('&', MAX_REFERENCES + 2).length > MAX_REFERENCES + 1)
    return `The document has more than ${MAX_REFERENCES} references.`;
  let ended = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    if (at - ended > MAX_TEXT) return TOO_LONG;
    const section = SECTIONS.find(([start]) => text.startsWith(start, at));
    if (section) {
      const end = text.indexOf(section[1], at + section[0].length);
      if (end < 0) return 'The document ends within a comment, an instruction or characters.';
      if (end - at > MAX_TEXT) return TOO_LONG;
      at = end + section[1].length;
      marks += 2;
    } else {
      const isEnd = text.charCodeAt(at + 1) === SLASH;
      marks += 1;
      NAME.lastIndex = at + 1;
      if (!isEnd) names.add(NAME.exec(text)?.[0] ?? '');
      if (names.size > MAX_NAMES)
        return `The document has elements of more than ${MAX_NAMES} different names.`;
      const tag = tagFrom(text, at);
      if (tag.end < 0) return `The document has a tag of more than ${MAX_TAG} characters.`;
      attributes += tag.attributes;
      if (attributes > MAX_ATTRIBUTES)
        return `The document has more than ${MAX_ATTRIBUTES} attributes.`;
      at = tag.end;
    }
    ended = at;
    // An element has a beginning and an end.
    if (marks > 2 * elements) return `The document has more than ${elements} elements.`;
  }
  return text.length - ended > MAX_TEXT ? TOO_LONG : undefined;
}

const TOO_LONG = `The document has a text of more than ${MAX_TEXT} characters.`;

const [QUOTE, APOSTROPHE, SLASH, EQUALS, CLOSE] = [0x22, 0x27, 0x2f, 0x3d, 0x3e];

/** Values in quotes may hold any of the marks. @returns where it ends, -1 for what is too long */
function tagFrom(text: string, start: number): { readonly end: number; attributes: number } {
  let attributes = 0;
  const last = Math.min(text.length, start + MAX_TAG);
  for (let at = start; at < last; at += 1) {
    const char = text.charCodeAt(at);
    if (char === CLOSE) return { end: at + 1, attributes };
    if (char === EQUALS) attributes += 1;
    if (char === QUOTE || char === APOSTROPHE) {
      at = text.indexOf(String.fromCharCode(char), at + 1);
      if (at < 0) break;
    }
  }
  // What ends within a tag is for the parser to refuse.
  return { end: text.length - start < MAX_TAG ? text.length : -1, attributes };
}
